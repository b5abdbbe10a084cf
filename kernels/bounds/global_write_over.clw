/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: ramp
global_size: 8
local_size: 4

[test]
arg_in:  0 buffer int[8] repeat -1
arg_out: 0 buffer int[8] 0 1 2 3 4 5 6 7
!*/
/* Twin of global_write_over_bug: every work-item writes its own element. */
kernel void ramp(global int *output)
{
	size_t gid = get_global_id(0);

	output[gid] = gid;
}

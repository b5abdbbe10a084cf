/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: brighten
global_size: 4
local_size: 4

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_out: 1 buffer int[4] 3 5 7 4
!*/
/* Twin of restrict_bug: two buffers. */
kernel void brighten(global const int *restrict input,
		     global int *restrict output)
{
	size_t gid = get_global_id(0);
	size_t next = gid + 1;

	output[gid] = input[gid] + (next < 4 ? input[next] : 0);
}

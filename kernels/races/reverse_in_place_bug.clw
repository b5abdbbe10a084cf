/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: reverse
global_size: 8
local_size: 8
expect_finding: race global 20
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 0 buffer int[8] 8 7 6 5 4 3 2 1
!*/
/* Each work-item overwrites an element that another one still has to read. */
kernel void reverse(global int *data)
{
	size_t gid = get_global_id(0);
	size_t last = get_global_size(0) - 1;

	data[last - gid] = data[gid];
}

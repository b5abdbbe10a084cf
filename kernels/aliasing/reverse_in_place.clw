/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: reverse
global_size: 3
local_size: 3

[test]
arg_in:  0 buffer int[6] 1 2 3 4 5 6
arg_out: 0 buffer int[6] 6 5 4 3 2 1
!*/
/* Twin of reverse_in_place_bug: one work-item a pair. */
kernel void reverse(global int *data)
{
	size_t gid = get_global_id(0);
	size_t other = 2 * get_global_size(0) - 1 - gid;
	int kept = data[other];

	data[other] = data[gid];
	data[gid] = kept;
}

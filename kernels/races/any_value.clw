/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: find
global_size: 16
local_size: 4

[test]
arg_in:  0 buffer int[16] 0 0 1 0 0 1 0 0 1 0 0 0 1 0 0 1
arg_in:  1 buffer uint[1] 0xffffffff
arg_out: 1 buffer uint[1] 2
!*/
/* Twin of any_value_bug: atomic_min() keeps the first place. */
kernel void find(global const int *input, global uint *where)
{
	uint gid = get_global_id(0);

	if (input[gid])
		atomic_min(where, gid);
}

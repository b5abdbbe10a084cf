/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: previous
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 3 1 4 1 5 9 2 6
arg_out: 1 buffer int[8] 0 3 1 4 1 5 9 2
!*/
/* Twin of index_wrap_uchar_bug: the index is signed and wide enough. */
kernel void previous(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);
	int left = (int)gid - 1;

	output[gid] = left < 0 ? 0 : input[left];
}

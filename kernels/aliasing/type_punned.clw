/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count_and_clear
global_size: 4
local_size: 4

[test]
arg_in:  0 buffer uint[4] 0x01010101 0 0x01000000 0x00010001
arg_in:  1 buffer uchar[16] repeat 0
arg_out: 2 buffer uint[4] 4 0 1 2
!*/
/* Twin of type_punned_bug: the marks have memory of their own. */
kernel void count_and_clear(global const uint *words, global uchar *marks,
			    global uint *counts)
{
	size_t gid = get_global_id(0);

	counts[gid] = popcount(words[gid]);
	marks[gid] = 255;
}

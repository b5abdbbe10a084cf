/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: read_lengths
global_size: 2

[test]
arg_in:  0 buffer uchar[10] 1 4 3 2 1 2 8 7 6 5
arg_out: 1 buffer uint[2] 0x01020304 0x05060708
!*/
/* Twin of int_at_odd_bug: put together from its bytes. */
kernel void read_lengths(global const uchar *stream, global uint *lengths)
{
	size_t gid = get_global_id(0);
	global const uchar *at = stream + gid * 5 + 1;

	lengths[gid] = at[0] | at[1] << 8 | at[2] << 16 | (uint)at[3] << 24;
}

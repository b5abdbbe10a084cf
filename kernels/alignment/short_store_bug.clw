/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: write_lengths
global_size: 3
expect_finding: misaligned global 19

[test]
arg_in:  0 buffer ushort[3] 0x0102 0x0304 0x0506
arg_in:  1 buffer uchar[9] repeat 9
arg_out: 1 buffer uchar[9] 9 2 1 9 4 3 9 6 5
!*/
/* Two bytes stored at odd addresses. */
kernel void write_lengths(global const ushort *lengths, global uchar *stream)
{
	size_t gid = get_global_id(0);
	global uchar *at = stream + gid * 3 + 1;

	*(global ushort *)at = lengths[gid];	/* bug */
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: store_pairs
global_size: 2
expect_finding: misaligned global 24
allow_finding: misaligned global 23

[test]
arg_in:  0 buffer int2[2] 1 2 3 4
arg_in:  1 buffer uchar[28] repeat 9
arg_out: 1 buffer uchar[28] 9 9 1 0 0 0 2 0 0 0 7 0 0 0 3 0 0 0 4 0 0 0 7 0 0 0 9 9
!*/
/*
 * The same with a store: ints at a multiple of 4 plus 2. Again oclgrind sees the
 * single one only, not the vstore2.
 */
kernel void store_pairs(global const int2 *input, global uchar *stream)
{
	size_t gid = get_global_id(0);
	global uchar *at = stream + 2 + gid * 12;

	vstore2(input[gid], 0, (global int *)at);
	*(global int *)(at + 8) = 7;	/* bug */
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: unpack_half
global_size: 2
expect_finding: misaligned global 23
allow_finding: misaligned global 28

[test]
name: a byte of tag, then a half (1.0 and -2.5)
arg_in:  0 buffer uchar[6] 1 0 0x3c 2 0 0xc1
arg_out: 1 buffer float[2] 1 0
!*/
/*
 * A half takes two bytes, a record three: every second half lies at an odd place.
 * Oclgrind 21.10 does not check what vload_half is given; the test of the sign
 * gives it away.
 */
kernel void unpack_half(global const uchar *stream, global float *output)
{
	size_t gid = get_global_id(0);
	global const uchar *at = stream + gid * 3 + 1;
	ushort bits = *(global const ushort *)at;	/* bug */

	if (bits & 0x8000)
		output[gid] = 0;
	else
		output[gid] = vload_half(0, (global const half *)at);
}

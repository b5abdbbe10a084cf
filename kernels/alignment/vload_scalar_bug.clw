/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sum_samples
global_size: 2
expect_finding: misaligned global 24
allow_finding: misaligned global 23

[test]
name: a byte, then five shorts, twice (with one byte of padding)
arg_in:  0 buffer uchar[24] 9 1 0 2 0 3 0 4 0 5 0 9 9 6 0 7 0 8 0 9 0 10 0 9
arg_out: 1 buffer int[2] 15 40
!*/
/*
 * vload4 frees from the alignment of a vector, not from that of its element
 * (OpenCL C, section 6.15.7): shorts at odd addresses stay wrong. Oclgrind 21.10
 * does not check what vload4 is given; the fifth short gives it away.
 */
kernel void sum_samples(global const uchar *stream, global int *sums)
{
	global const uchar *at = stream + get_global_id(0) * 12 + 1;
	global const short *samples = (global const short *)at;
	float4 four = convert_float4(vload4(0, samples));
	short fifth = samples[4];	/* bug */

	sums[get_global_id(0)] = (int)dot(four, (float4)1) + fifth;
}

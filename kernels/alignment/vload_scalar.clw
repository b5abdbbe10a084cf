/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sum_samples
global_size: 2

[test]
name: a byte, then five shorts, twice (with one byte of padding)
arg_in:  0 buffer uchar[24] 9 1 0 2 0 3 0 4 0 5 0 9 9 6 0 7 0 8 0 9 0 10 0 9
arg_out: 1 buffer int[2] 15 40
!*/
/* Twin of vload_scalar_bug: bytes have no alignment. */
kernel void sum_samples(global const uchar *stream, global int *sums)
{
	global const uchar *at = stream + get_global_id(0) * 12 + 1;
	float4 four = convert_float4(as_short4(vload8(0, at)));
	short fifth = at[8] | at[9] << 8;

	sums[get_global_id(0)] = (int)dot(four, (float4)1) + fifth;
}

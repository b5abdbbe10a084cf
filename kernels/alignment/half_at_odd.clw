/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: unpack_half
global_size: 2

[test]
name: a byte of tag, then a half (1.0 and -2.5)
arg_in:  0 buffer uchar[6] 1 0 0x3c 2 0 0xc1
arg_out: 1 buffer float[2] 1 0
!*/
/* Twin of half_at_odd_bug: the bits are put together, then seen as a half. */
kernel void unpack_half(global const uchar *stream, global float *output)
{
	size_t gid = get_global_id(0);
	global const uchar *at = stream + gid * 3 + 1;
	ushort bits = at[0] | at[1] << 8;

	if (bits & 0x8000)
		output[gid] = 0;
	else
		output[gid] = vload_half(0, (private const half *)&bits);
}

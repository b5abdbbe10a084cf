/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: unpack_records
global_size: 2

[test]
name: a byte of tag, then four floats (1 2 3 4, 0.5 0.5 1 2)
arg_in:  0 buffer uchar[34] \
	7 0 0 0x80 0x3f 0 0 0 0x40 0 0 0x40 0x40 0 0 0x80 0x40 \
	8 0 0 0 0x3f 0 0 0 0x3f 0 0 0x80 0x3f 0 0 0 0x40
arg_out: 1 buffer float4[2] 1 2 3 4 0.5 0.5 1 2
!*/
/* Twin of uchar_to_float4_bug: bytes are loaded, then seen as floats. */
kernel void unpack_records(global const uchar *stream, global float4 *output)
{
	size_t gid = get_global_id(0);
	global const uchar *record = stream + gid * 17 + 1;

	output[gid] = as_float4(vload16(0, record));
}

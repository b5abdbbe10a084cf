/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: unpack_records
global_size: 2
expect_finding: misaligned global 24

[test]
name: a byte of tag, then four floats (1 2 3 4, 0.5 0.5 1 2)
arg_in:  0 buffer uchar[34] \
	7 0 0 0x80 0x3f 0 0 0 0x40 0 0 0x40 0x40 0 0 0x80 0x40 \
	8 0 0 0 0x3f 0 0 0 0x3f 0 0 0x80 0x3f 0 0 0 0x40
arg_out: 1 buffer float4[2] 1 2 3 4 0.5 0.5 1 2
!*/
/*
 * A byte stream cast to what lies in it: no float4 there has an alignment of its
 * own.
 */
kernel void unpack_records(global const uchar *stream, global float4 *output)
{
	size_t gid = get_global_id(0);
	global const uchar *record = stream + gid * 17 + 1;

	output[gid] = *(global const float4 *)record;	/* bug */
}

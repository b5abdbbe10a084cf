/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: shift_bits
global_size: 2
expect_finding: misaligned private 20

[test]
arg_in:  0 buffer uint[2] 0x01020304 0x05060708
arg_out: 1 buffer uint[2] 0x00010203 0x00050607
!*/
/* A private array of bytes, read as a uint from its second byte on. */
kernel void shift_bits(global const uint *input, global uint *output)
{
	size_t gid = get_global_id(0);
	uchar bytes[8] __attribute__((aligned(4)));

	for (int i = 0; i < 8; i++)
		bytes[i] = i < 4 ? input[gid] >> (8 * i) : 0;
	output[gid] = *(uint *)(bytes + 1);	/* bug */
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: reverse_large
global_size: 2
expect_finding: invalid-read private 25
expect_finding: array-index private 25
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer uchar[2] 5 6
arg_out: 1 buffer uchar[2] 5 6
!*/
/* 8 KiB of scratch, reversed: 8192 - 0 is one past the end. */
kernel void reverse_large(global const uchar *input, global uchar *output)
{
	size_t gid = get_global_id(0);
	uchar scratch[8192];
	uint sum = 0;

	for (int i = 0; i < 8192; i += 512)
		scratch[i] = scratch[i + 511] = input[gid];
	for (int i = 0; i < 8192; i += 512)
		sum += scratch[8192 - i];	/* bug */
	output[gid] = sum / 16;
}

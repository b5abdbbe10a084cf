/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: reverse_large
global_size: 2

[test]
arg_in:  0 buffer uchar[2] 5 6
arg_out: 1 buffer uchar[2] 5 6
!*/
/* Twin of scratch_8k_bug: 8192 - 1 - 0 is the last. */
kernel void reverse_large(global const uchar *input, global uchar *output)
{
	size_t gid = get_global_id(0);
	uchar scratch[8192];
	uint sum = 0;

	for (int i = 0; i < 8192; i += 512)
		scratch[i] = scratch[i + 511] = input[gid];
	for (int i = 0; i < 8192; i += 512)
		sum += scratch[8192 - 1 - i];
	output[gid] = sum / 16;
}

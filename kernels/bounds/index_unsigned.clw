/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: blur_row
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer uchar[8] 0 8 16 24 32 40 48 56
arg_out: 1 buffer uchar[8] 2 8 16 24 32 40 48 53
!*/
/* Twin of index_unsigned_bug: clamped as a signed number. */
kernel void blur_row(global const uchar *input, global uchar *output)
{
	int at = get_global_id(0);
	uint sum = 0;

	for (int i = at - 1; i != at + 2; i++)
		sum += input[clamp(i, 0, 7)];
	output[at] = sum / 3;
}

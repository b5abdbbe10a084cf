/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count_digits
global_size: 2

[test]
arg_in:  0 buffer uchar[12] 1 1 0 3 3 3 2 2 2 2 0 1
arg_out: 1 buffer uchar[8] 1 2 0 3 1 1 4 0
!*/
/* Twin of private_array_bug: it begins with zeros. */
kernel void count_digits(global const uchar *digits, global uchar *counts)
{
	size_t gid = get_global_id(0);
	uchar bins[4] = { 0 };

	for (int i = 0; i < 6; i++)
		bins[digits[gid * 6 + i]]++;
	for (int i = 0; i < 4; i++)
		counts[gid * 4 + i] = bins[i];
}

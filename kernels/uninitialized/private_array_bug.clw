/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count_digits
global_size: 2
expect_finding: uninitialized-read 22
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer uchar[12] 1 1 0 3 3 3 2 2 2 2 0 1
arg_out: 1 buffer uchar[8] 1 2 0 3 1 1 4 0
!*/
/* A private histogram that nobody sets to 0 before it counts. */
kernel void count_digits(global const uchar *digits, global uchar *counts)
{
	size_t gid = get_global_id(0);
	uchar bins[4];

	for (int i = 0; i < 6; i++)
		bins[digits[gid * 6 + i]]++;
	for (int i = 0; i < 4; i++)
		counts[gid * 4 + i] = bins[i];	/* bug */
}

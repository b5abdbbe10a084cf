/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: smooth
global_size: 6
expect_finding: uninitialized-read 26-27
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[6] 3 6 9 12 15 18
arg_in:  1 buffer int[8] undefined
arg_out: 2 buffer int[6] 3 6 9 12 15 11
!*/
/*
 * A padded copy whose border nobody fills: the middle is written in the kernel
 * before it is read, the two ends are not.
 */
kernel void smooth(global const int *input, global int *padded,
		   global int *output)
{
	int gid = get_global_id(0), n = get_global_size(0), sum = 0;

	if (gid > 0 && gid < n - 1)
		padded[gid + 1] = input[gid];
	for (int i = gid - 1; i <= gid + 1; i++)
		sum += i >= 0 && i < n ? input[i] : padded[i + 1];
	output[gid] = sum / 3;	/* bug */
}

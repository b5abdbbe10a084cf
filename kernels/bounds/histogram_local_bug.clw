/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count_digits
global_size: 8
local_size: 8
expect_finding: invalid-read local 29
expect_finding: invalid-write local 29
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer uchar[8] 0 9 9 3 3 3 7 0
arg_in:  1 buffer int[10] repeat -1
arg_out: 1 buffer int[10] 2 0 0 3 0 0 0 1 0 2
arg_in:  2 local int[8]
!*/
/*
 * Ten digits, and a local histogram as large as the work-group: eight. 8 and 9
 * are counted past its end.
 */
kernel void count_digits(global const uchar *digits, global int *counts,
			 local int *bins)
{
	size_t lid = get_local_id(0);

	bins[lid] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&bins[digits[lid]]);	/* bug */
	barrier(CLK_LOCAL_MEM_FENCE);
	counts[lid] = bins[lid];
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count_digits
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer uchar[8] 0 9 9 3 3 3 7 0
arg_in:  1 buffer int[10] repeat -1
arg_out: 1 buffer int[10] 2 0 0 3 0 0 0 1 0 2
arg_in:  2 local int[10]
!*/
/* Twin of histogram_local_bug: ten bins, whatever the work-group's size. */
kernel void count_digits(global const uchar *digits, global int *counts,
			 local int *bins)
{
	size_t lid = get_local_id(0);

	for (size_t i = lid; i < 10; i += get_local_size(0))
		bins[i] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&bins[digits[lid]]);
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t i = lid; i < 10; i += get_local_size(0))
		counts[i] = bins[i];
}

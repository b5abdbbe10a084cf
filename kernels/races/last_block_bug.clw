/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: total
global_size: 16
local_size: 4
expect_finding: race global 36
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
arg_in:  1 buffer int[4] repeat 0
arg_in:  2 buffer int[1] 0
arg_out: 3 buffer int[1] 136
!*/
/*
 * Each group leaves a sum, and the last one to finish, known by an atomic
 * counter, adds them. The counter is right; the sums are plain stores and
 * loads of different groups, which mem_fence() does not order: it speaks of
 * one work-item's accesses only. CUDA's __threadfence() would.
 */
kernel void total(global const int *input, global int *sums,
		  global int *finished, global int *result)
{
	int first = get_group_id(0) * 4, sum = 0;

	if (get_local_id(0) != 0)
		return;
	for (int i = 0; i < 4; i++)
		sum += input[first + i];
	sums[get_group_id(0)] = sum;
	mem_fence(CLK_GLOBAL_MEM_FENCE);
	if (atomic_inc(finished) == 3) {
		sum = 0;
		for (int i = 0; i < 4; i++)
			sum += sums[i];
		*result = sum;
	}
}

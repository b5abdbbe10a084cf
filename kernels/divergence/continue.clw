/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sums_of_even
global_size: 4
local_size: 4

[test]
arg_in:  0 buffer int[16] 1 2 3 4  2 2 2 2  1 1 1 1  4 3 2 1
arg_out: 1 buffer int[4] 6 8 0 6
!*/
/* Twin of continue_bug: odd values are skipped behind the barrier. */
kernel void sums_of_even(global const int *input, global int *output)
{
	local int column[4];
	int lid = get_local_id(0), sum = 0;

	for (int i = 0; i < 4; i++) {
		column[lid] = input[lid * 4 + i];
		barrier(CLK_LOCAL_MEM_FENCE);
		if (column[lid] % 2)
			continue;
		sum += column[lid];
	}
	output[lid] = sum;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: first_negative
global_size: 4
local_size: 4

[test]
arg_in:  0 buffer int[16] 1 -2 3 4  1 2 -3 4  -1 2 3 4  1 2 3 4
arg_out: 1 buffer int[4] 1 2 0 4
!*/
/* Twin of break_bug: who has found something remembers it and stays. */
kernel void first_negative(global const int *input, global int *output)
{
	local int column[4];
	int lid = get_local_id(0), found = 4;

	for (int i = 0; i < 4; i++) {
		column[lid] = input[lid * 4 + i];
		if (column[lid] < 0 && found == 4)
			found = i;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	output[lid] = found;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: shift
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 6 8 10 12 -1 -1 -1 -1
arg_in:  2 int 1
!*/
/* Twin of nested_uniform_bug: the same for all, outside of what is not. */
kernel void shift(global const int *input, global int *output, int meet)
{
	local int values[8];
	int lid = get_local_id(0);

	values[lid] = input[lid];
	if (meet) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (lid < 4) {
			output[lid + 4] = -1;
			output[lid] = values[lid] + values[lid + 4];
		}
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: by_role
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 8 2 6 4 4 6 2 8
!*/
/* Twin of switch_bug: the barrier is outside of the roles. */
kernel void by_role(global const int *input, global int *output)
{
	local int values[8];
	size_t lid = get_local_id(0);

	if (lid % 2 == 0)
		values[lid] = input[7 - lid];
	else
		values[lid] = input[lid];
	barrier(CLK_LOCAL_MEM_FENCE);
	output[lid] = values[lid];
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: both
global_size: 4
local_size: 4

[test]
arg_in:  0 buffer int[4] 1 0 1 0
arg_out: 1 buffer int[4] 0 0 0 0
!*/
/* Twin of short_circuit_bug: called by all, then combined. */
int neighbour(local int *values)
{
	barrier(CLK_LOCAL_MEM_FENCE);
	return values[(get_local_id(0) + 1) % 4];
}

kernel void both(global const int *input, global int *output)
{
	local int values[4];
	size_t lid = get_local_id(0);
	int other;

	values[lid] = input[lid];
	other = neighbour(values);
	output[lid] = values[lid] && other;
}

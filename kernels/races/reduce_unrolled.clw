/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sum
global_size: 32
local_size: 16

[test]
arg_in:  0 buffer int[32] repeat 1 2 3 4
arg_out: 1 buffer int[2] repeat 40
arg_in:  2 local int[16]
!*/
/* Twin of reduce_unrolled_bug: still unrolled, each step behind a barrier. */
kernel void sum(global const int *input, global int *sums, local int *partial)
{
	size_t lid = get_local_id(0);

	partial[lid] = input[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 8)
		partial[lid] += partial[lid + 8];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 4)
		partial[lid] += partial[lid + 4];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 2)
		partial[lid] += partial[lid + 2];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid == 0)
		sums[get_group_id(0)] = partial[0] + partial[1];
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: two_from_pool
global_size: 4
local_size: 4

[test]
arg_in:  0 buffer float4[4] 1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4
arg_out: 1 buffer float4[4] 4 4 4 4 3 3 3 3 2 2 2 2 1 1 1 1
arg_in:  2 local uchar16[6]
!*/
/* Twin of local_pool_bug: the larger type comes first. */
kernel void two_from_pool(global const float4 *input, global float4 *output,
			  local uchar16 *pool)
{
	size_t lid = get_local_id(0);
	local float4 *values = (local float4 *)pool;
	local uchar *flags = (local uchar *)(values + 4);

	flags[lid] = 1;
	values[lid] = input[lid];
	barrier(CLK_LOCAL_MEM_FENCE);
	output[lid] = values[3 - lid] * flags[3 - lid];
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: histogram
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer uchar[8] 0 1 1 2 2 2 3 0
arg_out: 1 buffer int[4] 2 2 3 1
arg_in:  2 local int[4]
!*/
/* Twin of local_argument_bug: set to 0, and a barrier. */
kernel void histogram(global const uchar *values, global int *counts,
		      local int *bins)
{
	size_t lid = get_local_id(0);

	if (lid < 4)
		bins[lid] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&bins[values[lid]]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 4)
		counts[lid] = bins[lid];
}

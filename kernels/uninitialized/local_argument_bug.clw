/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: histogram
global_size: 8
local_size: 8
expect_finding: uninitialized-read 25
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer uchar[8] 0 1 1 2 2 2 3 0
arg_out: 1 buffer int[4] 2 2 3 1
arg_in:  2 local int[4]
!*/
/* A local histogram: counted by atomics, never set to 0. */
kernel void histogram(global const uchar *values, global int *counts,
		      local int *bins)
{
	size_t lid = get_local_id(0);

	atomic_inc(&bins[values[lid]]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 4)
		counts[lid] = bins[lid];	/* bug */
}

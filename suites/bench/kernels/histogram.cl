/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts in local memory, which are added to those of all.
 * bench: histogram global=524288 local=256 z:256 i:524288 =524288
 */
__kernel void histogram(__global uint *bins, __global const uint *values, uint n)
{
	__local uint part[256];
	uint lane = get_local_id(0), i = get_global_id(0);

	part[lane] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (i < n)
		atomic_inc(&part[values[i] & 255u]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (part[lane])
		atomic_add(&bins[lane], part[lane]);
}

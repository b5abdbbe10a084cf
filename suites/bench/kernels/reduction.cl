/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sum of each work-group, halved in local memory.
 * bench: reduction global=1048576 local=256 z:4096 f:1048576 l:1024
 */
__kernel void reduction(__global float *sums, __global const float *values,
			__local float *part)
{
	size_t lane = get_local_id(0);

	part[lane] = values[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t half_size = get_local_size(0) / 2; half_size > 0;
	     half_size /= 2) {
		if (lane < half_size)
			part[lane] += part[lane + half_size];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (lane == 0)
		sums[get_group_id(0)] = part[0];
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that are right only when concurrent work-items, commands and queues
 * do not lose each other's writes.
 *
 * expect: clean
 */

/* Every work-item takes one ticket, and marks it taken. */
__kernel void test_concurrent_tickets(__global volatile int* counter,
				      __global volatile int* taken,
				      int tickets)
{
	int ticket = atomic_inc(counter);

	if (ticket >= 0 && ticket < tickets)
		atomic_inc(&taken[ticket]);
}

/* Sum of a work-group's elements through local memory. The local size must
 * be a power of two. */
__kernel void test_concurrent_sum(__global const int* input,
				  __global int* sums, __local int* partial)
{
	size_t lid = get_local_id(0);

	partial[lid] = input[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (size_t half_size = get_local_size(0) / 2; half_size > 0;
	     half_size /= 2) {
		if (lid < half_size)
			partial[lid] += partial[lid + half_size];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (lid == 0)
		sums[get_group_id(0)] = partial[0];
}

/* values[i] = values[i] * 3 + step: the steps do not commute, so the result
 * tells the order in which they ran. */
__kernel void test_concurrent_step(__global int* values, int step)
{
	size_t gid = get_global_id(0);

	values[gid] = values[gid] * 3 + step;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A planted bug: every work-item of a group reads its neighbour's element of
 * local memory without a barrier before. The line after the mark must be
 * found.
 *
 * expect: oclgrind "Read-write data race at local memory"
 */
__kernel void planted_race(__global int* output, __local int* scratch)
{
	size_t lid = get_local_id(0);

	scratch[lid] = (int)lid;
	/* bug: */
	output[get_global_id(0)] = scratch[(lid + 1) % get_local_size(0)];
}

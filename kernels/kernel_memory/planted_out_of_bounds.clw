/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A planted bug: the last work-item writes one element past the end of a
 * buffer of get_global_size(0) ints. The line after the mark must be found.
 *
 * expect: oclgrind "Invalid write of size 4 at global memory"
 */
__kernel void planted_out_of_bounds(__global int* output)
{
	size_t gid = get_global_id(0);

	/* bug: */
	output[gid + 1] = 7;
}

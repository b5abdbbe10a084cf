/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A planted bug: what the kernel reads was never written. The line after the
 * mark must be found.
 *
 * expect: oclgrind "Uninitialized value written to global memory"
 */
__kernel void planted_uninitialized(__global const int* never_written,
				    __global int* output)
{
	size_t gid = get_global_id(0);

	/* bug: */
	output[gid] = never_written[gid] + 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A planted bug: the last work-item writes behind its buffer. Where the
 * buffer's page goes on behind it, nothing is seen; on another driver the
 * same launch is a fault (legacy-rocm-build #664).
 */
__kernel void fill_and_one_more(__global int *values, int count)
{
	int gid = get_global_id(0);

	/* bug: <= where < is meant */
	if (gid <= count)
		values[gid] = 7;
}

/* Its twin: the launch is larger than the buffer as well. */
__kernel void fill(__global int *values, int count)
{
	int gid = get_global_id(0);

	if (gid < count)
		values[gid] = 7;
}

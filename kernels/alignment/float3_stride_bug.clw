/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: lengths_squared
global_size: 4
expect_finding: invalid-read global 22
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
name: the host has three floats a point
arg_in:  0 buffer float[12] 1 2 2 2 3 6 1 4 8 4 4 7
arg_out: 1 buffer float[4] 9 49 81 81
!*/
/*
 * A float3 takes 16 bytes in memory, the host's three floats take 12: from the
 * second point on all is off, and the last lies past the end.
 */
kernel void lengths_squared(global const float3 *points, global float *output)
{
	size_t gid = get_global_id(0);
	float3 point = points[gid];	/* bug */

	output[gid] = dot(point, point);
}

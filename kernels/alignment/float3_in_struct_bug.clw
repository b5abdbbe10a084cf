/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: weigh
global_size: 2
expect_finding: wrong-result
allow_finding: invalid-read
allow_finding: invalid-read global
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
name: the host has a weight and three floats, 16 bytes
arg_in:  0 buffer float[8] 2 1 2 3 10 1 1 1
arg_out: 1 buffer float[2] 12 30
!*/
/*
 * A float3 in a struct is aligned to 16: the member lies at 16, not at 4, and the
 * struct has 32 bytes.
 */
struct body {
	float weight;
	float3 at;
};

kernel void weigh(global const struct body *bodies, global float *output)
{
	size_t gid = get_global_id(0);
	float3 at = bodies[gid].at;

	output[gid] = bodies[gid].weight * dot(at, (float3)1);
}

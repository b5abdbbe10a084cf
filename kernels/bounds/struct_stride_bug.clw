/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: total_mass
global_size: 2
expect_finding: invalid-read global 27
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer float[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer float[2] 4 8
!*/
/*
 * The byte offset of a record, used as its index: records lie sizeof(struct)
 * records apart.
 */
struct particle {
	float x, y, z, mass;
};

kernel void total_mass(global const struct particle *particles,
		       global float *masses)
{
	size_t gid = get_global_id(0);

	masses[gid] = particles[gid * sizeof(struct particle)].mass;	/* bug */
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: bad_kernel
global_size: 4
expect_finding: invalid-write private 24
expect_finding: array-index private 24

[test]
arg_in:  0 buffer float[4] 1 2 3 4
arg_out: 0 buffer float[4] 1 2 3 4
!*/
/*
 * A published example of a stack overflow: 16 KiB a work-item. What a device does
 * with so much is its own business, it spills or refuses; what is wrong in every
 * case is an index past the end, and here the loop has it.
 */
__kernel void bad_kernel(__global float* data) {
	// Too large for stack - each thread allocates 16KB on stack
	float local_buffer[4096];  // 4096 * 4 bytes = 16KB per thread
	size_t gid = get_global_id(0);

	for (int i = 0; i <= 4096; i += 64)
		local_buffer[i] = data[gid];	/* bug */
	data[gid] = local_buffer[64 * (gid + 1)];
}

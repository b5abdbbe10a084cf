/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: compute
global_size: 4
expect_finding: invalid-read global 21
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer float[4] null
arg_in:  1 buffer float[4] repeat -1
arg_out: 1 buffer float[4] repeat 0
!*/
/*
 * A published example: "input" is NULL and is read all the same. A NULL cl_mem is
 * a legal argument; the kernel sees 0. Takes a process down on a CPU driver.
 */
__kernel void compute(__global float* input, __global float* output) {
	// If 'input' is NULL, this causes a segfault
	output[get_global_id(0)] = input[get_global_id(0)] * 2.0f;	/* bug */
}

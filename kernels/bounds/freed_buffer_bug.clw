/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: increment
global_size: 4
expect_finding: invalid-read global 23 !asan
allow_finding: host-invalid-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[4] 1 2 3 4 freed
arg_in:  1 buffer int[4] repeat -1
arg_out: 1 buffer int[4] 2 3 4 5
!*/
/*
 * The buffer is released after it was set as an argument and before the launch.
 * clSetKernelArg retains nothing (OpenCL 3.0, section 5.9.2).
 */
kernel void increment(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);

	output[gid] = input[gid] + 1;	/* bug */
}

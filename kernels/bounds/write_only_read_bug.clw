/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: running_maximum
global_size: 4
expect_finding: invalid-read global 22 !asan
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[4] 3 -1 4 -1
arg_in:  1 buffer int[4] repeat 0 write_only
arg_out: 1 buffer int[4] 3 0 4 0
!*/
/*
 * The buffer was made CL_MEM_WRITE_ONLY, the kernel reads it to compare. Drivers
 * mostly let it pass.
 */
kernel void running_maximum(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);

	output[gid] = max(output[gid], input[gid]);	/* bug */
}

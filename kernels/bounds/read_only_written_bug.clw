/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: clamp_to
global_size: 4
expect_finding: invalid-write global 21 !asan

[test]
arg_in:  0 buffer int[4] 1 5 9 13 read_only
arg_in:  1 buffer int[4] repeat 0
arg_out: 1 buffer int[4] 1 5 8 8
!*/
/*
 * The buffer was made CL_MEM_READ_ONLY, the kernel clamps in place before it
 * copies. Drivers mostly let it pass.
 */
kernel void clamp_to(global int *input, global int *output)
{
	size_t gid = get_global_id(0);

	input[gid] = min(input[gid], 8);	/* bug */
	output[gid] = input[gid];
}

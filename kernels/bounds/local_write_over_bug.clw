/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: rotate_group
global_size: 8
local_size: 4
expect_finding: invalid-write local 25
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[8] 0 1 2 3 4 5 6 7
arg_out: 1 buffer int[8] 3 0 1 2 7 4 5 6
arg_in:  2 local int[4]
!*/
/*
 * The rotation forgets to come round: the last work-item of a group writes past
 * the end of local memory, and element 0 is never written.
 */
kernel void rotate_group(global const int *input, global int *output,
			 local int *scratch)
{
	size_t lid = get_local_id(0);

	scratch[lid + 1] = input[get_global_id(0)];	/* bug */
	barrier(CLK_LOCAL_MEM_FENCE);
	output[get_global_id(0)] = scratch[lid];
}

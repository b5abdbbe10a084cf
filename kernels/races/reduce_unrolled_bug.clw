/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sum
global_size: 32
local_size: 16
expect_finding: race local 33
expect_finding: race local 34
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[32] repeat 1 2 3 4
arg_out: 1 buffer int[2] repeat 40
arg_in:  2 local int[16]
!*/
/*
 * The last steps are unrolled without barriers, because "they are within one
 * warp and run in lockstep". OpenCL promises no lockstep, and newer GPUs have
 * none; on a CPU it never was.
 */
kernel void sum(global const int *input, global int *sums,
		local volatile int *partial)
{
	size_t lid = get_local_id(0);

	partial[lid] = input[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 8)
		partial[lid] += partial[lid + 8];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 4) {
		partial[lid] += partial[lid + 4];
		partial[lid] += partial[lid + 2];
		partial[lid] += partial[lid + 1];
	}
	if (lid == 0)
		sums[get_group_id(0)] = partial[0];
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fill_tile
platform_regex: Oclgrind|NVIDIA|AMD|Intel	# pocl 3.1 asserts
global_size: 4
local_size: 4
expect_fault: clw-out-of-memory
allow_finding: api-error

[test]
arg_in:  0 buffer int[4] repeat 0
arg_out: 0 buffer int[4] 3 2 1 0
arg_in:  1 local int[268435456]		# 1 GiB
!*/
/*
 * A local argument of 1 GiB: more than CL_DEVICE_LOCAL_MEM_SIZE. The launch is
 * refused with CL_OUT_OF_RESOURCES.
 */
kernel void fill_tile(global int *output, local int *tile)
{
	size_t lid = get_local_id(0);

	tile[3 - lid] = lid;
	barrier(CLK_LOCAL_MEM_FENCE);
	output[lid] = tile[lid];
}

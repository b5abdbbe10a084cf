/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: first_four
platform_regex: Portable|NVIDIA|AMD|Intel	# oclgrind 21.10 takes any offset
global_size: 4
expect_finding: api-error

[test]
arg_in:  0 buffer int[64] repeat 1 2 3 4
arg_in:  1 buffer int[32] undefined alias 0 offset 4
arg_out: 2 buffer int[4] 1 2 3 4
!*/
/*
 * A sub-buffer must begin at a multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN bits:
 * clCreateSubBuffer answers CL_MISALIGNED_SUB_BUFFER_OFFSET, and the kernel is
 * never launched.
 */
kernel void first_four(global const int *parent, global const int *part,
		       global int *output)
{
	output[get_global_id(0)] = part[get_global_id(0)];
}

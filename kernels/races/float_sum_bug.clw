/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: total
global_size: 16
local_size: 4
expect_finding: race global 21
allow_finding: wrong-result

[test]
arg_in:  0 buffer float[16] repeat 0.5 1 1.5 2
arg_in:  1 buffer float[1] 0
arg_out: 1 buffer float[1] 20
!*/
/*
 * There is no atomic addition of floats in OpenCL 1.2, so the plain one is
 * used, and loses additions.
 */
kernel void total(global const float *input, global float *sum)
{
	*sum += input[get_global_id(0)];
}

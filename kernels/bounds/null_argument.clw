/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: compute
global_size: 4

[test]
arg_in:  0 buffer float[4] null
arg_in:  1 buffer float[4] repeat -1
arg_out: 1 buffer float[4] repeat 0
!*/
/* Twin of null_argument_bug: NULL reads as zeros. */
__kernel void compute(__global float* input, __global float* output) {
	output[get_global_id(0)] = input ? input[get_global_id(0)] * 2.0f : 0;
}

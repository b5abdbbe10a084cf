/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: infer
local_size: 8
tags: seed workload

[test]
name: uniform				# no weight: all outputs alike
global_size: 8
arg_in:  0 buffer float[32] repeat 0
arg_in:  1 buffer float[8] repeat 0
arg_in:  2 buffer float[4] 1 2 3 4
arg_out: 3 buffer float[8] repeat 0.125 tolerance 0.0001
arg_in:  4 int 4
arg_in:  5 local float[8]

[test]
name: bias only				# e^(b - 7) / sum
global_size: 8
arg_in:  0 buffer float[32] repeat 0
arg_in:  1 buffer float[8] 0 1 2 3 4 5 6 7
arg_in:  2 buffer float[4] 1 1 1 1
arg_out: 3 buffer float[8] 0.000576613 0.0015674 0.00426062 0.0115816 \
                           0.031482 0.0855769 0.232622 0.632333 tolerance 0.0001
arg_in:  4 int 4
arg_in:  5 local float[8]

[test]
name: negative is cut off		# -1 and -2 are as good as 0
global_size: 8
arg_in:  0 buffer float[16] 1 0  0 1  -1 0  0 -1  1 1  -1 -1  0 0  1 -1
arg_in:  1 buffer float[8] repeat 0
arg_in:  2 buffer float[2] 1 2
arg_out: 3 buffer float[8] 0.0772396 0.209959 0.0284148 0.0284148 \
                           0.570727 0.0284148 0.0284148 0.0284148 \
                           tolerance 0.0001
arg_in:  4 int 2
arg_in:  5 local float[8]

[test]
name: large inputs			# e^1000 would be infinite
global_size: 8
arg_in:  0 buffer float[8] repeat 1000 0
arg_in:  1 buffer float[8] repeat 0
arg_in:  2 buffer float[1] 1
arg_out: 3 buffer float[8] repeat 0.25 0 tolerance 0.0001
arg_in:  4 int 1
arg_in:  5 local float[8]

[test]
name: batch of two			# one work-group an input
global_size: 16
arg_in:  0 buffer float[16] 1 0  0 1  -1 0  0 -1  1 1  -1 -1  0 0  1 -1
arg_in:  1 buffer float[8] repeat 0
arg_in:  2 buffer float[4] 1 2 0 0
arg_out: 3 buffer float[16] 0.0772396 0.209959 0.0284148 0.0284148 \
                           0.570727 0.0284148 0.0284148 0.0284148 \
                            0.125 0.125 0.125 0.125 \
                            0.125 0.125 0.125 0.125 \
                            tolerance 0.0001
arg_in:  4 int 2
arg_in:  5 local float[8]
!*/
/*
 * The workload of the text's stability test: one layer of a small network,
 * output = softmax(relu(weights * input + bias)), one work-group an input and
 * one work-item an output. The local size must be a power of two.
 */
__kernel void infer(__global const float* weights, __global const float* bias,
                    __global const float* inputs, __global float* outputs,
                    int length, __local float* scratch) {
    int row = get_local_id(0);
    int rows = get_local_size(0);
    __global const float* input = inputs + get_group_id(0) * length;
    float value = bias[row];

    for (int i = 0; i < length; i++)
        value += weights[row * length + i] * input[i];
    value = fmax(value, 0.0f);

    // The largest value, so that no exponential overflows
    scratch[row] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = rows / 2; half_size > 0; half_size /= 2) {
        if (row < half_size)
            scratch[row] = fmax(scratch[row], scratch[row + half_size]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    value = exp(value - scratch[0]);
    barrier(CLK_LOCAL_MEM_FENCE);

    // The sum of the exponentials
    scratch[row] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = rows / 2; half_size > 0; half_size /= 2) {
        if (row < half_size)
            scratch[row] += scratch[row + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    outputs[get_global_id(0)] = value / scratch[0];
}

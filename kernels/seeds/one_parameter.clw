/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: one_parameter
tags: seed

[test]
name: a thousand elements
global_size: 1024
arg_in:  0 buffer float[1024] repeat 1 2 3 4
arg_out: 0 buffer float[1024] repeat 2 3 4 5
repeat: 3

[test]
name: one element
global_size: 1
arg_in:  0 buffer float[1] -1
arg_out: 0 buffer float[1] 0
!*/
/*
 * The resource management text launches "a kernel with one parameter", a
 * buffer of floats, over and over, and shows no source: this is one. What the
 * text is about, the event that keeps the buffer's memory, is the host's; the
 * suite leak_loops has it.
 */
__kernel void one_parameter(__global float* data) {
    data[get_global_id(0)] += 1.0f;
}

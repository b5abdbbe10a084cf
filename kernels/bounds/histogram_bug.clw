/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: histogram
global_size: 8
local_size: 8
expect_finding: invalid-read global 25
expect_finding: invalid-write global 25
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer float[8] 0 0.1 0.25 0.3 0.5 0.75 0.99 1
arg_in:  1 buffer int[4] repeat 0
arg_out: 1 buffer int[4] 2 2 1 3
!*/
/*
 * 1.0 is a value, too: its bin is one past the last. An atomic out of bounds
 * counts as a read and a write.
 */
kernel void histogram(global const float *values, global int *bins)
{
	int bin = values[get_global_id(0)] * 4;

	atomic_inc(&bins[bin]);	/* bug */
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: histogram
global_size: 16
local_size: 4
expect_finding: race global 22
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 0 1 2 3 1 1 2 0 3 3 3 0 2 1 0 1
arg_in:  1 buffer int[4] repeat 0
arg_out: 1 buffer int[4] 4 5 3 4
!*/
/*
 * "++" on memory is a read and a write: two work-items that meet in a bin
 * lose a count. On a CPU that runs the group in order the result is right,
 * until two groups meet.
 */
kernel void histogram(global const int *input, global int *bins)
{
	bins[input[get_global_id(0)]]++;
}

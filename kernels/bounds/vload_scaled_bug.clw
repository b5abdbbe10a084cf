/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: copy_by_four
global_size: 3
expect_finding: invalid-read global 23
expect_finding: invalid-write global 25
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[12] 1 2 3 4 5 6 7 8 9 10 11 12
arg_in:  1 buffer int[12] repeat 0
arg_out: 1 buffer int[12] 1 2 3 4 5 6 7 8 9 10 11 12
!*/
/*
 * The offset of vload4 counts vectors; the kernel gives it elements, and goes
 * four times too far.
 */
kernel void copy_by_four(global const int *input, global int *output)
{
	size_t at = get_global_id(0) * 4;
	int4 four = vload4(at, input);	/* bug */

	vstore4(four, at, output);	/* bug */
}

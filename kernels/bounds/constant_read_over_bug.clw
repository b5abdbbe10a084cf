/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: polynomial
global_size: 4
expect_finding: invalid-read constant 25
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[3] 1 2 3
arg_in:  1 buffer int[4] 0 1 2 3
arg_out: 2 buffer int[4] 1 6 17 34
!*/
/*
 * The degree is taken for the number of coefficients: the loop starts one
 * behind the last element of constant memory.
 */
kernel void polynomial(constant int *coefficients, global const int *x,
		       global int *y)
{
	size_t gid = get_global_id(0);
	int value = 0;

	for (int i = 3; i >= 0; i--)
		value = value * x[gid] + coefficients[i];	/* bug */
	y[gid] = value;
}

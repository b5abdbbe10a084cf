/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: polynomial
global_size: 4

[test]
arg_in:  0 buffer int[3] 1 2 3
arg_in:  1 buffer int[4] 0 1 2 3
arg_out: 2 buffer int[4] 1 6 17 34
!*/
/* Twin of constant_read_over_bug: the loop starts at the last coefficient. */
kernel void polynomial(constant int *coefficients, global const int *x,
		       global int *y)
{
	size_t gid = get_global_id(0);
	int value = 0;

	for (int i = 2; i >= 0; i--)
		value = value * x[gid] + coefficients[i];
	y[gid] = value;
}

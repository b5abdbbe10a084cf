/* SPDX-License-Identifier: Apache-2.0 */
/* ?: on one line and over several. */
__kernel void ternary(__global int *a, int n)
{
	int i = get_global_id(0);
	int sign = i < 20 ? -1 : 1;

	a[i] = a[i] > 6 ? n : i;
	a[i] += sign > 0 ? i % 2 ? 5 : 6 : 7;
	a[i] -= (i > 70 ? 1 : 2) * sign;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The comma operator, in statements and in loops. */
__kernel void comma(__global int *a, int n)
{
	int i = get_global_id(0);
	int x, y;

	x = 1, y = n;
	for (int k = 0, m = 9; k < m; k++, m -= 2)
		x += k, y += m;
	if (x++, x > i)
		a[i] = x;
	a[i] += y;
}

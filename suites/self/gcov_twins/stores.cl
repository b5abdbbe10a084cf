/* SPDX-License-Identifier: Apache-2.0 */
/* Assignments that are values, increments, compound ones. */
__kernel void stores(__global int *a, int n)
{
	int i = get_global_id(0);
	int x, y;

	x = y = i;
	if ((x = n) > i)
		y = x;
	a[i] = x++ + --y;
	a[i] <<= 1;
	if (!(a[i] & 4))
		a[i] |= 4;
}

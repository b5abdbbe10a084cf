/* SPDX-License-Identifier: Apache-2.0 */
/* Code that nobody reaches. */
__kernel void unreachable(__global int *a, int n)
{
	int i = get_global_id(0);

	if (i < 0) {
		a[i] = 1;
		while (a[i] < n)
			a[i]++;
	}
	for (int k = 5; k < 5; k++)
		a[i] += k;
	a[i] += 2;
}

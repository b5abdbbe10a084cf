/* SPDX-License-Identifier: Apache-2.0 */
/* Several statements on one line that run together. */
__kernel void several_on_a_line(__global int *a, int n)
{
	int i = get_global_id(0); int k = n; k++;

	a[i] += k; a[i] ^= 5; a[i] -= 2;
	if (i & 1) {
		a[i]++; k--; k += 3;
	}
	{ a[i] += k; }
}

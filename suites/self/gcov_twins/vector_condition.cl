/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions made of vectors. */
__kernel void vector_condition(__global int *a, int n)
{
	int i = get_global_id(0);
	int4 v = vload4(0, a + i / 4 * 4 + 64);
	int4 w = v > 4;

	if (any(w))
		a[i] += 1;
	if (all(w))
		a[i] += n;
	else
		a[i] += 2;
	v = v + w;
	a[i] += v[0];
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies with nothing in them. */
void empty_bodies_nothing(void)
{
}

__kernel void empty_bodies(__global int *a, int n)
{
	int i = get_global_id(0);
	int k = 0;

	if (i > 3) {			/* truth: 64 branches: 4 60, gcov has none */
	}
	if (i > 5) {
		a[i] = 1;
	} else {
	}
	while (k++ < i % 4)
		;
	for (; k < 7; k++) {
	}
	empty_bodies_nothing();
	;
	a[i] += k + n;
}

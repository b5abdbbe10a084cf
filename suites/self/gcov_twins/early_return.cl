/* SPDX-License-Identifier: Apache-2.0 */
/* Work-items that end early. */
__kernel void early_return(__global int *a, int n)
{
	int i = get_global_id(0);

	if (i >= 60)
		return;
	a[i] += 1;
	if (i % 3 == 0) {
		a[i] += n;
		return;
	}
	a[i] += 2;
	for (int k = 0; k < 5; k++) {
		if (k == i % 8)
			return;
		a[i] += k;
	}
	a[i] += 3;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* for without a first part, a condition, a last part. */
__kernel void for_without_parts(__global int *a, int n)
{
	int i = get_global_id(0);
	int k = 0;

	for (; k < i % 4; k++)
		a[i] += k;
	for (k = 0; k < 3;) {
		a[i] += n;
		k++;
	}
	for (;;) {
		if (k > 9)
			break;
		k += 2;
	}
	a[i] += k;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* if, else if, else: every arm, and one that nobody takes. */
__kernel void if_chain(__global int *a, int n)
{
	int i = get_global_id(0);

	if (a[i] < 3) {
		a[i] += 10;
	} else if (a[i] < 5) {
		a[i] += 20;
		a[i] ^= n;
	} else if (a[i] > 1000) {
		a[i] = 0;
	} else {
		a[i] -= 1;
	}
}

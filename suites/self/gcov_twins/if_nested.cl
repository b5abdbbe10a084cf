/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions within conditions. */
__kernel void if_nested(__global int *a, int n)
{
	int i = get_global_id(0);

	if (i < 32) {
		if (i < 16) {
			if (i < 8)
				a[i] = 1;
			else
				a[i] = 2;
		} else {
			a[i] = 3;
		}
	} else {
		if (i < 60) {
			a[i] = n;
		}
		a[i] += 4;
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that are left and gone on with in the middle. */
__kernel void break_continue(__global int *a, int n)
{
	int i = get_global_id(0);
	int sum = 0;

	for (int k = 0; k < 20; k++) {
		if (k % 3 == 0)
			continue;
		if (k > i % 16)
			break;
		sum += k;
	}
	int k = 0;
	while (k < 10) {
		k++;
		if (k == i % 10)
			break;
		if (k & 1)
			continue;
		sum -= k;
	}
	a[i] = sum + n;
}

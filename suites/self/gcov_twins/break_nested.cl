/* SPDX-License-Identifier: Apache-2.0 */
/* A break leaves one loop only. */
__kernel void break_nested(__global int *a, int n)
{
	int i = get_global_id(0);
	int found = 0;

	for (int y = 0; y < 4; y++) {
		for (int x = 0; x < 4; x++) {
			if (x * y == i % 10) {
				found++;
				break;
			}
		}
		if (found > 1)
			break;
	}
	a[i] = found + n;
}

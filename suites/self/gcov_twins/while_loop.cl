/* SPDX-License-Identifier: Apache-2.0 */
/* while: some work-items do not enter it. */
__kernel void while_loop(__global int *a, int n)
{
	int i = get_global_id(0);
	int left = i / 8;

	while (left > 0) {
		a[i] += left;
		left--;
	}
	while (left < 3)
		left++;
	a[i] += left + n;
}

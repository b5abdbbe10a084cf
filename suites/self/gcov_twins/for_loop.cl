/* SPDX-License-Identifier: Apache-2.0 */
/* A for loop that runs otherwise often in every work-item, not at all in some. */
__kernel void for_loop(__global int *a, int n)
{
	int i = get_global_id(0);
	int sum = 0;

	for (int k = 0; k < i % 5; k++) {
		sum += k;
		sum ^= n;
	}
	for (int k = 10; k > 0; k -= 3)
		sum += k;
	a[i] = sum;
}

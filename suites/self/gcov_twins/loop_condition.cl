/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that change something. */
__kernel void loop_condition(__global int *a, int n)
{
	int i = get_global_id(0);
	int k = i % 7;
	int steps = 0;

	while (k-- > 0)
		steps++;
	while ((steps += 2) < 9) {
		a[i] ^= steps;
	}
	a[i] += steps + n;
}

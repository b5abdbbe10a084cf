/* SPDX-License-Identifier: Apache-2.0 */
/* Loops in loops, without braces as well. */
__kernel void for_nested(__global int *a, int n)
{
	int i = get_global_id(0);
	int sum = n;

	for (int y = 0; y < i % 3; y++)
		for (int x = 0; x < i % 4; x++)
			sum += x * y;
	for (int y = 0; y < 3; y++) {
		sum += y;
		for (int x = y; x < 3; x++) {
			sum += x;
		}
	}
	a[i] = sum;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Out of two loops at once. */
__kernel void goto_out_of_loops(__global int *a, int n)
{
	int i = get_global_id(0);
	int steps = 0;

	for (int y = 0; y < 5; y++) {
		for (int x = 0; x < 5; x++) {
			steps++;
			if (x + y == i % 12)
				goto out;
		}
	}
	steps = n;
out:
	a[i] = steps;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A switch whose cases stand within a loop. */
__kernel void switch_into_loop(__global int *a, int n)
{
	int i = get_global_id(0);
	int rounds = 2;

	switch (i % 3) {
	case 0:				/* truth: 22, gcov has the do here */
		do {
			a[i] += 1;
	case 2:
			a[i] += n;
	case 1:
			a[i] += 3;
		} while (--rounds > 0);
	}
}

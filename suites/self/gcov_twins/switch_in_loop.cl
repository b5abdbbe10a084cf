/* SPDX-License-Identifier: Apache-2.0 */
/* break is the switch's, continue the loop's; a switch that returns. */
__kernel void switch_in_loop(__global int *a, int n)
{
	int i = get_global_id(0);

	for (int k = 0; k < 6; k++) {
		switch ((i + k) % 4) {
		case 0:
			continue;
		case 1:
			a[i] += 1;
			break;
		case 2: {
			int more = k * n;

			a[i] += more;
			break;
		}
		case 3:
			if (k == 5)
				return;
		}
		a[i] += 100;
	}
	a[i]++;
}

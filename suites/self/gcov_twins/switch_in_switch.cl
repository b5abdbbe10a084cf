/* SPDX-License-Identifier: Apache-2.0 */
/* switch: cases behind another one that nothing leads to or out of. */
__kernel void switch_in_switch(__global int *a, int n)
{
	int i = get_global_id(0);

	switch (i % 7) {
	case 0:
		a[i] = 1;
		break;
		switch (n) {
		case 3:
			a[i] = 3;
		default:
			a[i] = 9;
		}
	case 1:
		a[i]++;
		break;
		switch (n) {
		case 3:
			a[i] = 3;
			break;
		default:
			a[i] = 9;
		}
	case 2:
		a[i] += 2;
		switch (i & 1) {
		case 0:
			a[i] = 3;
			return;
		default:
			return;
		}
	case 3:
		switch (i & 1) {
		case 1:
			a[i] = 7;
		default:
			a[i] += 9;
		}
	case 4:
		if (i & 1)
			return;
		else
			a[i]++;
	case 5:
		a[i] += 4;
		break;
	default:
		a[i]--;
	}
}

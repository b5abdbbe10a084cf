/* SPDX-License-Identifier: Apache-2.0 */
/* switch: falls through, some cases share a statement. */
__kernel void switch_fallthrough(__global int *a, int n)
{
	int i = get_global_id(0);

	switch (i % 6) {
	case 0:
		a[i] += 1;
		break;
	case 1:
		a[i] += 2;
		/* fall through */
	case 2:
	case 3:
		a[i] += 3;
		break;
	default:
		a[i] += n;
		break;
	}
	a[i]++;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The default stands first and falls through. */
__kernel void switch_default_first(__global int *a, int n)
{
	int i = get_global_id(0);

	switch (i & 3) {
	default:
		a[i] += 1;
	case 1:
		a[i] += n;
		break;
	case 2:
		a[i] -= n;
	}
}

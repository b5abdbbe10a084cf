/* SPDX-License-Identifier: Apache-2.0 */
/* switch without a default, with a case that nobody takes. */
__kernel void switch_without_default(__global int *a, int n)
{
	int i = get_global_id(0);

	switch (i) {
	case 3:
		a[i] = 1;
		break;
	case 5:
		a[i] = 2;
		break;
	case 1000:
		a[i] = 3;
		break;
	}
	a[i] += n;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* switch: falls through behind a call, and behind what nothing leads to. */
static int behind_call_twice(__global int *a, int i)
{
	return a[i] * 2;
}

__kernel void switch_behind_call(__global int *a, int n)
{
	int i = get_global_id(0);

	switch (i % 5) {
	case 0:
		behind_call_twice(a, i);
	case 1:
		a[i] += 1;
		break;
		if (n)
			a[i] = 9;
	case 2:
		a[i] += 2;
		behind_call_twice(a, i);
	default:
		a[i] += 3;
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* All of it at once. */
int nested_mixed_step(int x, int way)
{
	switch (way) {
	case 0:
		return x + 1;
	case 1:
		return x > 4 ? x - 4 : x;
	default:
		break;
	}
	while (x > 10 && x % 7)
		x--;
	return x;
}

__kernel void nested_mixed(__global int *a, int n)
{
	int i = get_global_id(0);
	int x = i;

	for (int k = 0; k < 4; k++) {
		do {
			x = nested_mixed_step(x + 1, (i + k) % 3);
			if (x == 5)
				goto next;
		} while (x < 3);
		if (i % 9 == 8)
			return;
next:
		a[i] += x;
	}
	a[i] += n;
}

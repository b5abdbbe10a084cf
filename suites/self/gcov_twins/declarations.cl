/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations with values and without, of several, of structures. */
struct declarations_pair {
	int first, second;
};

__kernel void declarations(__global int *a, int n)
{
	int i = get_global_id(0);
	int x, y = i;
	struct declarations_pair pair = { i, n };
	int list[3] = { 1, 2, 3 };
	const int two = 2;

	x = y + two;
	if (i % 2) {
		int inner = list[i % 3];
		int unused;

		x += inner;
	}
	a[i] = x + pair.first + pair.second;
}

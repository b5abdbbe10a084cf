/* SPDX-License-Identifier: Apache-2.0 */
/* A function with several returns, one of them in a loop. */
int function_loops_find(int of, int most)
{
	for (int k = 2; k < most; k++) {
		if (of % k == 0)
			return k;
	}
	if (of > 60)
		return -1;
	return 0;
}

__kernel void function_loops(__global int *a, int n)
{
	int i = get_global_id(0);

	a[i] += function_loops_find(i + 1, 6);
	if (function_loops_find(i, 3) == 0)
		a[i] += n;
}

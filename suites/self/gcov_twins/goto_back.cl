/* SPDX-License-Identifier: Apache-2.0 */
/* A loop made of a goto. */
__kernel void goto_back(__global int *a, int n)
{
	int i = get_global_id(0);
	int k = 0;

again:
	a[i] += k;
	k++;
	if (k < i % 5)
		goto again;
	a[i] += n;
}

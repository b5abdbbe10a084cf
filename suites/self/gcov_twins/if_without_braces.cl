/* SPDX-License-Identifier: Apache-2.0 */
/* Statements without braces, on the line of the condition and below it. */
__kernel void if_without_braces(__global int *a, int n)
{
	int i = get_global_id(0);

	if (i & 1)
		a[i] += n;
	else
		a[i] -= n;
	if (i > 40)
		if (i < 44)
			a[i] = 1;
		else
			a[i] = 2;
	if (i == 7)
		a[i] = 3;
}

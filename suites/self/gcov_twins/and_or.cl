/* SPDX-License-Identifier: Apache-2.0 */
/* && and || stop early, in conditions and in values. */
__kernel void and_or(__global int *a, int n)
{
	int i = get_global_id(0);

	if (i > 10 && i < 20)
		a[i] += 1;
	if (i < 5 || i > 50)
		a[i] += 2;
	if ((i & 1) && (i & 2) || !(i & 4) && i > n)
		a[i] += 3;
	a[i] += i > 30 && a[i] > 3;
	while (a[i] > 0 && a[i] != 77)
		a[i] -= 2;
}

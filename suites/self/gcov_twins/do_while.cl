/* SPDX-License-Identifier: Apache-2.0 */
/* do: the body runs before its condition. */
__kernel void do_while(__global int *a, int n)
{
	int i = get_global_id(0);
	int k = i % 6;

	do {
		a[i] += k;
		k -= 2;
	} while (k > 0);
	do
		k++;
	while (k < 2);
	a[i] += k + n;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Statements over several lines: each counts on its first. */
__kernel void over_lines(__global int *a,
			 int n)
{
	int i = get_global_id(0);
	int sum = i +
		n +
		3;

	if (i > 3
	    )
		sum = sum *
			2;
	a[i] =
		sum;
}

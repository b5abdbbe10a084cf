/* SPDX-License-Identifier: Apache-2.0 */
/* A chain that is written in one column, and blocks for their own sake. */
__kernel void else_on_a_line(__global int *a, int n)
{
	int i = get_global_id(0);

	if (i == 1)
		a[i] = 1;
	else if (i == 2)
		a[i] = 2;
	else if (i > 50)
		a[i] = n;
	{
		int x = i;

		{
			x++;
			a[i] += x;
		}
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* goto over statements, to a label that some fall into. */
__kernel void goto_forward(__global int *a, int n)
{
	int i = get_global_id(0);

	if (i % 4 == 0)
		goto out;
	a[i] += 1;
	if (i % 4 == 1)
		goto middle;
	a[i] += 2;
middle:
	a[i] += n;
out:
	a[i] += 3;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers between statements that all work-items run. */
__kernel void barriers(__global int *a, int n)
{
	int i = get_global_id(0);

	a[i] += 1;
	barrier(CLK_GLOBAL_MEM_FENCE);
	for (int k = 0; k < 3; k++) {
		a[i] += k;
		barrier(CLK_GLOBAL_MEM_FENCE);
	}
	if (i & 1)
		a[i] += n;
}

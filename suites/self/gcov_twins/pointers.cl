/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over pointers, constant memory, strings of characters. */
__constant int pointers_table[4] = { 3, 1, 4, 1 };

__kernel void pointers(__global int *a, int n)
{
	int i = get_global_id(0);
	__constant int *at = pointers_table;
	__global int *to = &a[i];

	while (at < pointers_table + 4 && *at != i % 5) {
		*to += *at++;
	}
	if (at == pointers_table + 4)
		*to += n;
}

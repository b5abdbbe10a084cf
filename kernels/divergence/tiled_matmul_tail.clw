/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: multiply
global_size: 4 4
local_size: 2 2

[test]
arg_in:  0 buffer int[9] 1 2 3 4 5 6 7 8 9
arg_in:  1 buffer int[9] 1 0 0 0 1 0 0 0 1
arg_out: 2 buffer int[9] 1 2 3 4 5 6 7 8 9
arg_in:  3 int 3
!*/
/* Twin of tiled_matmul_tail_bug: who is outside loads zeros and stays. */
#define TILE 2

kernel void multiply(global const int *a, global const int *b,
		     global int *c, int n)
{
	local int left[TILE][TILE], right[TILE][TILE];
	int column = get_global_id(0), row = get_global_id(1);
	int x = get_local_id(0), y = get_local_id(1), sum = 0;

	for (int tile = 0; tile < (n + TILE - 1) / TILE; tile++) {
		int i = tile * TILE + x, j = tile * TILE + y;

		left[y][x] = row < n && i < n ? a[row * n + i] : 0;
		right[y][x] = column < n && j < n ? b[j * n + column] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < TILE; k++)
			sum += left[y][k] * right[k][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (row < n && column < n)
		c[row * n + column] = sum;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: multiply
global_size: 4 4
local_size: 2 2
timeout: 20s
expect_finding: divergence 41
allow_finding: divergence
allow_finding: race
allow_finding: uninitialized-read
allow_finding: invalid-write global
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[9] 1 2 3 4 5 6 7 8 9
arg_in:  1 buffer int[9] 1 0 0 0 1 0 0 0 1
arg_out: 2 buffer int[9] 1 2 3 4 5 6 7 8 9
arg_in:  3 int 3
!*/
/*
 * The tail of a tiled matrix product: work-items outside of the matrix return
 * before the loop over the tiles, and are missing at its barriers.
 */
#define TILE 2

kernel void multiply(global const int *a, global const int *b,
		     global int *c, int n)
{
	local int left[TILE][TILE], right[TILE][TILE];
	int column = get_global_id(0), row = get_global_id(1);
	int x = get_local_id(0), y = get_local_id(1), sum = 0;

	if (row >= n || column >= n)
		return;
	for (int tile = 0; tile < (n + TILE - 1) / TILE; tile++) {
		int i = tile * TILE + x, j = tile * TILE + y;

		left[y][x] = i < n ? a[row * n + i] : 0;
		right[y][x] = j < n ? b[j * n + column] : 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < TILE; k++)
			sum += left[y][k] * right[k][x];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * n + column] = sum;
}

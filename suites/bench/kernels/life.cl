/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conway's game, with conditions for each neighbour.
 * bench: life global=512,512 local=64,1 z:262144 i:262144:2 =512
 */
int life_cell(__global const int *cells, int n, int x, int y)
{
	if (x < 0 || y < 0 || x >= n || y >= n)
		return 0;
	return cells[y * n + x] != 0;
}

__kernel void life(__global int *to, __global const int *from, int n)
{
	int x = get_global_id(0), y = get_global_id(1), count = 0;

	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			if (dx || dy)
				count += life_cell(from, n, x + dx, y + dy);
	if (count == 3)
		to[y * n + x] = 1;
	else if (count == 2)
		to[y * n + x] = life_cell(from, n, x, y);
	else
		to[y * n + x] = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: multiply
dimensions: 2
global_size: 4 4
local_size: 4 4
expect_finding: race local 37
allow_finding: wrong-result

[test]
arg_in:  0 buffer float[32] 1 2 3 4 5 6 7 8  8 7 6 5 4 3 2 1 \
                            1 0 1 0 1 0 1 0  0 1 0 1 0 1 0 1
arg_in:  1 buffer float[32] 1 0 0 2  0 1 0 2  0 0 1 2  1 1 1 2 \
                            2 0 0 1  0 2 0 1  0 0 2 1  1 1 1 1
arg_out: 2 buffer float[16] 23 26 29 46  22 19 16 62 \
                            3 0 3 6  2 5 2 6
arg_in:  3 int 8
!*/
/*
 * Matrix product by tiles. There is a barrier between loading a tile and using
 * it, none between using it and loading the next one: fast work-items
 * overwrite the tile that slow ones still multiply.
 */
kernel void multiply(global const float *a, global const float *b,
		     global float *c, int inner)
{
	local float tile_a[4][4], tile_b[4][4];
	int x = get_local_id(0), y = get_local_id(1);
	float sum = 0;

	for (int first = 0; first < inner; first += 4) {
		tile_a[y][x] = a[y * inner + first + x];
		tile_b[y][x] = b[(first + y) * 4 + x];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int i = 0; i < 4; i++)
			sum += tile_a[y][i] * tile_b[i][x];
	}
	c[y * 4 + x] = sum;
}

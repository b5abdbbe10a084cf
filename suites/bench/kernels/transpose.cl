/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A matrix turned over by way of local memory.
 * bench: transpose global=1024,1024 local=16,16 z:1048576 f:1048576 =1024
 */
__kernel void transpose(__global float *to, __global const float *from, int n)
{
	__local float tile[16][17];
	int lx = get_local_id(0), ly = get_local_id(1);
	int gx = get_group_id(0) * 16, gy = get_group_id(1) * 16;

	tile[ly][lx] = from[(gy + ly) * n + gx + lx];
	barrier(CLK_LOCAL_MEM_FENCE);
	to[(gx + ly) * n + gy + lx] = tile[lx][ly];
}

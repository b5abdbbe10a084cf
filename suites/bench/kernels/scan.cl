/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running sums of each work-group.
 * bench: scan global=524288 local=256 i:524288:16
 */
__kernel void scan(__global uint *values)
{
	__local uint part[2][256];
	uint lane = get_local_id(0), now = 0;

	part[0][lane] = values[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint apart = 1; apart < 256; apart *= 2) {
		part[1 - now][lane] = part[now][lane] +
			(lane >= apart ? part[now][lane - apart] : 0);
		now = 1 - now;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	values[get_global_id(0)] = part[now][lane];
}

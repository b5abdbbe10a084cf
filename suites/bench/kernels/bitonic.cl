/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each work-group sorts its 256 values in local memory.
 * bench: bitonic global=262144 local=256 i:262144
 */
__kernel void bitonic(__global uint *values)
{
	__local uint part[256];
	uint lane = get_local_id(0);

	part[lane] = values[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint size = 2; size <= 256; size *= 2) {
		for (uint apart = size / 2; apart > 0; apart /= 2) {
			uint other = lane ^ apart;

			if (other > lane) {
				uint a = part[lane], b = part[other];

				if ((a > b) == ((lane & size) == 0)) {
					part[lane] = b;
					part[other] = a;
				}
			}
			barrier(CLK_LOCAL_MEM_FENCE);
		}
	}
	values[get_global_id(0)] = part[lane];
}

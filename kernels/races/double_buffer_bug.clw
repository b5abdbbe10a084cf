/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: smooth
global_size: 8
local_size: 8
expect_finding: race local 32
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 0 0 0 256 0 0 0 0
arg_out: 1 buffer int[8] 0 16 64 96 64 16 0 0
arg_in:  2 int 2
!*/
/*
 * Two buffers, one read and one written, then exchanged. That needs a barrier
 * at every exchange; here it stands only before the loop and behind it, so the
 * second step reads what its neighbours have not yet written.
 */
kernel void smooth(global const int *input, global int *output, int steps)
{
	local int buffers[2][8];
	int lid = get_local_id(0), from = 0;

	buffers[0][lid] = input[lid];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int step = 0; step < steps; step++) {
		int left = lid > 0 ? buffers[from][lid - 1] : 0;
		int right = lid < 7 ? buffers[from][lid + 1] : 0;

		buffers[1 - from][lid] =
			(left + 2 * buffers[from][lid] + right) / 4;
		from = 1 - from;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	output[lid] = buffers[from][lid];
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sort
global_size: 8
local_size: 8
expect_finding: race local 34
expect_finding: race local 35
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 7 3 8 1 5 2 6 4
arg_out: 1 buffer int[8] 1 2 3 4 5 6 7 8
!*/
/*
 * Bitonic sort with a barrier for each phase, where each step needs one: the
 * steps of a phase exchange other pairs.
 */
kernel void sort(global const int *input, global int *output)
{
	local int data[8];
	int lid = get_local_id(0);

	data[lid] = input[lid];
	for (int phase = 2; phase <= 8; phase *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int step = phase / 2; step > 0; step /= 2) {
			int other = lid ^ step;
			int up = (lid & phase) == 0;

			if (other > lid && (data[lid] > data[other]) == up) {
				int value = data[lid];

				data[lid] = data[other];
				data[other] = value;
			}
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	output[lid] = data[lid];
}

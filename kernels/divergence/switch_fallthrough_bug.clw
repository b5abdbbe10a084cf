/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: by_role
global_size: 8
local_size: 8
timeout: 20s
expect_finding: divergence 29
allow_finding: race local
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 3 14 5 16 7 18 9 12
!*/
/* One case falls into the one with the barrier, the third does not. */
kernel void by_role(global const int *input, global int *output)
{
	local int values[8];
	int lid = get_local_id(0), add = 0;

	values[lid] = input[lid];
	switch (lid % 3) {
	case 1:
		add = 10;
		/* fall through */
	case 0:
		barrier(CLK_LOCAL_MEM_FENCE);
		break;
	case 2:
		add = 20;
		break;
	}
	output[lid] = values[(lid + 1) % 8] + add;
}

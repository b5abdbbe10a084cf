/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: smooth
global_size: 8
local_size: 8
timeout: 20s
expect_finding: divergence 20
allow_finding: race local
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 3 5 7 9 11 13 15 9
arg_in:  2 int 1
!*/
/* The barrier is two functions down from the condition. */
static void meet(void)
{
	barrier(CLK_LOCAL_MEM_FENCE);
}

static int next_of(local int *values, int lid)
{
	meet();
	return values[(lid + 1) % 8];
}

kernel void smooth(global const int *input, global int *output, int deep)
{
	local int values[8];
	int lid = get_local_id(0);

	values[lid] = input[lid];
	if (deep && lid < 7)
		output[lid] = values[lid] + next_of(values, lid);
	else
		output[lid] = values[lid] + input[0];
}

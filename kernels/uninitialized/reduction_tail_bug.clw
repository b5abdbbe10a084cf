/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sum_all
global_size: 8
local_size: 8
expect_finding: uninitialized-read 35
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[6] 1 2 3 4 5 6
arg_in:  1 int 6
arg_out: 2 buffer int[1] 21
arg_in:  3 local int[8]
!*/
/*
 * The work-items behind the end load nothing, and the reduction adds what they
 * did not load.
 */
kernel void sum_all(global const int *input, int count, global int *sum,
		    local int *partial)
{
	int lid = get_local_id(0);

	if (lid < count)
		partial[lid] = input[lid];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int half_size = 4; half_size > 0; half_size /= 2) {
		if (lid < half_size)
			partial[lid] += partial[lid + half_size];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (lid == 0)
		sum[0] = partial[0];	/* bug */
}

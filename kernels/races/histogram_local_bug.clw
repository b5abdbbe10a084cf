/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: histogram
global_size: 16
local_size: 8
expect_finding: race local 27
allow_finding: uninitialized-read
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 0 1 2 3 1 1 2 0 3 3 3 0 2 1 0 1
arg_in:  1 buffer int[4] repeat 0
arg_out: 1 buffer int[4] 4 5 3 4
!*/
/*
 * The increments are atomic, but the bins of the group are cleared without a
 * barrier behind: a slow work-item clears what a fast one has counted.
 */
kernel void histogram(global const int *input, global int *bins)
{
	local int own[4];
	size_t lid = get_local_id(0);

	if (lid < 4)
		own[lid] = 0;
	atomic_inc(&own[input[get_global_id(0)]]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 4)
		atomic_add(&bins[lid], own[lid]);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: histogram
global_size: 16
local_size: 8

[test]
arg_in:  0 buffer int[16] 0 1 2 3 1 1 2 0 3 3 3 0 2 1 0 1
arg_in:  1 buffer int[4] repeat 0
arg_out: 1 buffer int[4] 4 5 3 4
!*/
/* Twin of histogram_local_bug: a barrier between clearing and counting. */
kernel void histogram(global const int *input, global int *bins)
{
	local int own[4];
	size_t lid = get_local_id(0);

	if (lid < 4)
		own[lid] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_inc(&own[input[get_global_id(0)]]);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (lid < 4)
		atomic_add(&bins[lid], own[lid]);
}

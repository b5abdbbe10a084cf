/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fill_tile
global_size: 4
local_size: 4

[test]
arg_in:  0 buffer int[4] repeat 0
arg_out: 0 buffer int[4] 3 2 1 0
arg_in:  1 local int[4]
!*/
/* Twin of local_too_large_bug: as much as there are work-items. */
kernel void fill_tile(global int *output, local int *tile)
{
	size_t lid = get_local_id(0);

	tile[3 - lid] = lid;
	barrier(CLK_LOCAL_MEM_FENCE);
	output[lid] = tile[lid];
}

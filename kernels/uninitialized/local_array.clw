/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: add_to_tile
global_size: 8
local_size: 4

[test]
arg_in:  0 buffer int[8] 1 2 3 4 5 6 7 8
arg_out: 1 buffer int[8] 1 2 3 4 5 6 7 8
!*/
/* Twin of local_array_bug: the tile is set to 0 first. */
kernel void add_to_tile(global const int *input, global int *output)
{
	local int tile[4];
	size_t lid = get_local_id(0);

	tile[lid] = 0;
	tile[lid] += input[get_global_id(0)];
	output[get_global_id(0)] = tile[lid];
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: relax
global_size: 16
local_size: 4

[test]
arg_in:  0 buffer int[18] 0 8 0 8 0 8 0 8 0 8 0 8 0 8 0 8 0 0
arg_in:  1 buffer int[18] repeat 0
arg_out: 1 buffer int[18] 0 0 8 0 8 0 8 0 8 0 8 0 8 0 8 0 4 0
!*/
/* Twin of stencil_in_place_bug: the step writes to another buffer. */
kernel void relax(global const int *cells, global int *next)
{
	size_t i = get_global_id(0) + 1;

	next[i] = (cells[i - 1] + cells[i + 1]) / 2;
}

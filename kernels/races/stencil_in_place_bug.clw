/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: relax
global_size: 16
local_size: 4
expect_finding: race global 23
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[18] 0 8 0 8 0 8 0 8 0 8 0 8 0 8 0 8 0 0
arg_out: 0 buffer int[18] 0 0 8 0 8 0 8 0 8 0 8 0 8 0 8 0 4 0
!*/
/*
 * A step of a stencil that overwrites its own input: whether a neighbour is
 * the old value or the new one is a matter of luck, within a group and more so
 * across groups, which no barrier can order.
 */
kernel void relax(global int *cells)
{
	size_t i = get_global_id(0) + 1;

	cells[i] = (cells[i - 1] + cells[i + 1]) / 2;
}

/*!
[config]
name: baseline
kernel_name: baseline
dimensions: 1
global_size: 8 0 0
local_size: 4 0 0

[test]
arg_out: 0 buffer int[8] 10 11 12 13 24 25 26 27 tolerance 100
arg_in:  0 buffer int[8] 0 1 2 3 4 5 6 7
arg_in:  1 int 10
!*/
/*
 * SPDX-License-Identifier: Apache-2.0
 *
 * A clean program that does a little of everything: what Valgrind reports of
 * it is the driver's doing, not the program's (harness/tools/tool_valgrind.c). The
 * result is read back, but any will do.
 */
kernel void baseline(global int *data, int step)
{
	local int shared[4];
	size_t i = get_global_id(0);

	shared[get_local_id(0)] = step * (int)(get_group_id(0) + 1);
	barrier(CLK_LOCAL_MEM_FENCE);
	data[i] += shared[3 - get_local_id(0)];
}

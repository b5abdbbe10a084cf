/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: brighten
global_size: 4
local_size: 4
expect_finding: race global 24

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_in:  1 buffer int[4] undefined alias 0
arg_out: 1 buffer int[4] 3 5 7 4
!*/
/*
 * Input and output are one buffer, and both are restrict: the compiler may read
 * before or after it writes, and a neighbour may have written already.
 */
kernel void brighten(global const int *restrict input,
		     global int *restrict output)
{
	size_t gid = get_global_id(0);
	size_t next = gid + 1;

	output[gid] = input[gid] + (next < 4 ? input[next] : 0);	/* bug */
}

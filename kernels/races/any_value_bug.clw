/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: find
global_size: 16
local_size: 4
expect_finding: race global 24
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[16] 0 0 1 0 0 1 0 0 1 0 0 0 1 0 0 1
arg_in:  1 buffer int[1] -1
arg_out: 1 buffer int[1] 2
!*/
/*
 * Each work-item that has found something stores where. Several do: which
 * one is left is a matter of luck.
 */
kernel void find(global const int *input, global int *where)
{
	int gid = get_global_id(0);

	if (input[gid])
		*where = gid;
}

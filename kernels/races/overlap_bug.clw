/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: number_chunks
global_size: 4
local_size: 4
expect_finding: race global 23
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[17] repeat -1
arg_out: 0 buffer int[17] 0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3 -1
!*/
/*
 * Each work-item fills a chunk of four elements, and with "<=" one more: the
 * first of its neighbour's.
 */
kernel void number_chunks(global int *output)
{
	int gid = get_global_id(0);

	for (int i = 0; i <= 4; i++)
		output[gid * 4 + i] = gid;
}

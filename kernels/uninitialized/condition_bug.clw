/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: classify
global_size: 4
local_size: 4
expect_finding: uninitialized-read 21
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[4] 5 -5 7 -7
arg_out: 1 buffer int[4] 1 2 1 2
arg_in:  2 local int[1]
!*/
/* Which way the branch goes depends on a mode that nobody set. */
kernel void classify(global const int *input, global int *output,
		     local int *mode)
{
	size_t gid = get_global_id(0);

	if (mode[0] == 0)	/* bug */
		output[gid] = 0;
	else
		output[gid] = input[gid] > 0 ? 1 : 2;
}

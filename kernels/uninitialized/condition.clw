/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: classify
global_size: 4
local_size: 4

[test]
arg_in:  0 buffer int[4] 5 -5 7 -7
arg_out: 1 buffer int[4] 1 2 1 2
arg_in:  2 local int[1]
!*/
/* Twin of condition_bug: the mode is set. */
kernel void classify(global const int *input, global int *output,
		     local int *mode)
{
	size_t gid = get_global_id(0);

	if (get_local_id(0) == 0)
		mode[0] = 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (mode[0] == 0)
		output[gid] = 0;
	else
		output[gid] = input[gid] > 0 ? 1 : 2;
}

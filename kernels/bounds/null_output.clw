/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: minimum_of
global_size: 4

[test]
arg_in:  0 buffer int[4] 4 3 2 1
arg_in:  1 buffer int[4] 1 2 3 4
arg_in:  2 buffer int[4] null		# nobody wants to know which
arg_in:  3 buffer int[4] repeat -1
arg_out: 3 buffer int[4] 1 2 2 1
!*/
/* Twin of null_output_bug: it is written where there is one. */
kernel void minimum_of(global const int *a, global const int *b,
		       global int *which, global int *output)
{
	size_t gid = get_global_id(0);

	if (which)
		which[gid] = b[gid] < a[gid];
	output[gid] = min(a[gid], b[gid]);
}

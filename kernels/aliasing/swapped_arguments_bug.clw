/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: copy_positive
global_size: 4
expect_finding: wrong-result

[test]
arg_in:  1 buffer int[4] 1 -2 3 -4
arg_in:  0 buffer int[4] repeat 0
arg_out: 0 buffer int[4] 1 0 3 0
!*/
/*
 * Source and destination are of one type and the host swaps them: it compiles,
 * it runs, it stays inside; the result is where nobody looks.
 */
kernel void copy_positive(global int *source, global int *destination)
{
	size_t gid = get_global_id(0);

	destination[gid] = max(source[gid], 0);
}

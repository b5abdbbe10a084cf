/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: accumulate
global_size: 4
expect_finding: uninitialized-read 22
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[4] 1 2 3 4
arg_in:  1 buffer int[4] undefined
arg_out: 1 buffer int[4] 1 2 3 4
!*/
/*
 * The kernel adds to a buffer that the host made and never wrote: clCreateBuffer
 * promises no zeros.
 */
kernel void accumulate(global const int *input, global int *total)
{
	size_t gid = get_global_id(0);

	total[gid] += input[gid];	/* bug */
}

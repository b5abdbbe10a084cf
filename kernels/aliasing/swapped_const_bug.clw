/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: add
global_size: 4
expect_finding: invalid-read global 23 !asan
expect_finding: invalid-write global 23 !asan
allow_finding: host-uninitialized

[test]
arg_in:  1 buffer int[4] 1 2 3 4 read_only
arg_in:  0 buffer int[4] repeat 0 write_only
arg_out: 0 buffer int[4] 11 12 13 14
!*/
/*
 * The same, with buffers that say what may be done with them: one was made
 * CL_MEM_READ_ONLY, the other CL_MEM_WRITE_ONLY.
 */
kernel void add(global int *source, global int *destination)
{
	size_t gid = get_global_id(0);

	destination[gid] = source[gid] + 10;	/* bug */
}

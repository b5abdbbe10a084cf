/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: ramp
global_size: 8
local_size: 4
expect_finding: invalid-write global 22

[test]
arg_in:  0 buffer int[8] repeat -1
arg_out: 0 buffer int[8] -1 0 1 2 3 4 5 6
!*/
/*
 * Every element goes one place too far: the first stays unwritten, the last is
 * written past the end. On a device nothing shows until something else lies
 * there.
 */
kernel void ramp(global int *output)
{
	size_t gid = get_global_id(0);

	output[gid + 1] = gid;	/* bug */
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: negate
global_size: 16
local_size: 8
expect_finding: invalid-read global 24
expect_finding: invalid-write global 24
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[13] 0 1 2 3 4 5 6 7 8 9 10 11 12
arg_out: 0 buffer int[13] 0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12
arg_in:  1 int 13
!*/
/* There is a test, and it is off by one: work-item 13 passes. */
kernel void negate(global int *data, int count)
{
	int gid = get_global_id(0);

	if (gid > count)
		return;
	data[gid] = -data[gid];	/* bug */
}

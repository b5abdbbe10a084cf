/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: days_before
global_size: 4
expect_finding: invalid-read constant 26
expect_finding: array-index constant 26
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[4] 1 3 6 12		# months
arg_out: 1 buffer int[4] 0 59 151 334
!*/
/*
 * A table in constant memory, counted from 0, and
 * months, counted from 1: December is one past the end.
 */
constant int days[12] = {
	0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334
};

kernel void days_before(global const int *months, global int *result)
{
	size_t gid = get_global_id(0);

	result[gid] = days[months[gid]];	/* bug */
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: days_before
global_size: 4

[test]
arg_in:  0 buffer int[4] 1 3 6 12		# months
arg_out: 1 buffer int[4] 0 59 151 334
!*/
/* Twin of constant_table_bug: the month is counted from 0, too. */
constant int days[12] = {
	0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334
};

kernel void days_before(global const int *months, global int *result)
{
	size_t gid = get_global_id(0);

	result[gid] = days[months[gid] - 1];
}

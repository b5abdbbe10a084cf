/* SPDX-License-Identifier: Apache-2.0 */
/* What the suites about the host's code launch (suites/host_side.h). */

/* Running it twice is seen. */
__kernel void add_one(__global int *values)
{
	values[get_global_id(0)] += 1;
}

/* Reads nothing. */
__kernel void set_one(__global int *values)
{
	values[get_global_id(0)] = 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fill
global_size: 8
local_size: 8
expect_finding: race global 31
allow_finding: wrong-result

[test]
arg_in:  0 buffer int[8] repeat 0
arg_out: 0 buffer int[8] 1 2 1 2 1 2 1 2
!*/
/*
 * Two work-items share a struct, each with a member of its own, but both work
 * on a copy and store it whole.
 */
struct pair {
	int first, second;
};

kernel void fill(global struct pair *pairs)
{
	int gid = get_global_id(0);
	struct pair copy = pairs[gid / 2];

	if (gid % 2 == 0)
		copy.first = 1;
	else
		copy.second = 2;
	pairs[gid / 2] = copy;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: keep_positive
global_size: 8
local_size: 8
expect_finding: invalid-write global 29

[test]
arg_in:  0 buffer int[8] 5 -1 5 5 -3 5 5 -2
arg_in:  1 buffer int[1] 0
arg_out: 1 buffer int[1] 5
arg_out: 2 buffer int[4] repeat 5		# room for 4; 5 were found
arg_in:  2 buffer int[4] repeat 0
!*/
/*
 * Slots are handed out by an atomic counter and nobody asks whether there are any
 * left.
 */
kernel void keep_positive(global const int *input, global int *count,
			  global int *kept)
{
	int value = input[get_global_id(0)];
	int slot;

	if (value <= 0)
		return;
	slot = atomic_inc(count);
	kept[slot] = value;	/* bug */
}

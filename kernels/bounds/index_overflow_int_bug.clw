/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: mark_slots
global_size: 4
expect_finding: invalid-write global 23

[test]
arg_in:  0 buffer int[7] repeat 0
arg_out: 0 buffer int[7] 1 1 0 0 0 1 1
arg_in:  1 int 30000		# width
arg_in:  2 int 30000		# height
!*/
/*
 * width * height * 3 is 2,700,000,000 and does not fit an int: it becomes
 * negative, and so does what % makes of it. Small images work.
 */
kernel void mark_slots(global int *slots, int width, int height)
{
	int bytes = width * height * 3;
	int slot = (bytes + (int)get_global_id(0)) % 7;

	slots[slot] = 1;	/* bug */
}

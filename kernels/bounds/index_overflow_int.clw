/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: mark_slots
global_size: 4

[test]
arg_in:  0 buffer int[7] repeat 0
arg_out: 0 buffer int[7] 1 1 0 0 0 1 1
arg_in:  1 int 30000		# width
arg_in:  2 int 30000		# height
!*/
/* Twin of index_overflow_int_bug: the product is made of ulongs. */
kernel void mark_slots(global int *slots, int width, int height)
{
	ulong bytes = (ulong)width * height * 3;
	ulong slot = (bytes + get_global_id(0)) % 7;

	slots[slot] = 1;
}

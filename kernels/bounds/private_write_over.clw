/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: nibbles
global_size: 4

[test]
arg_in:  0 buffer uint[4] 0 0x7 0x123 0xffff
arg_out: 1 buffer uint[4] 0 7 6 60
!*/
/* Twin of private_write_over_bug: room for four digits. */
kernel void nibbles(global const uint *numbers, global uint *sums)
{
	uint digit[4];
	uint number = numbers[get_global_id(0)], sum = 0;
	int count = 0;

	for (; number > 0; number >>= 4)
		digit[count++] = number & 15;
	while (count > 0)
		sum += digit[--count];
	sums[get_global_id(0)] = sum;
}

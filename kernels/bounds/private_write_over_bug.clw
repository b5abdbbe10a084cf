/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: nibbles
global_size: 4
expect_finding: invalid-write private 28
expect_finding: array-index private 28
allow_finding: invalid-read private
allow_finding: array-index
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer uint[4] 0 0x7 0x123 0xffff
arg_out: 1 buffer uint[4] 0 7 6 60
!*/
/*
 * Room for three digits, and numbers of four: the fourth goes past the end of a
 * private array, over whatever the compiler put there.
 */
kernel void nibbles(global const uint *numbers, global uint *sums)
{
	uint digit[3];
	uint number = numbers[get_global_id(0)], sum = 0;
	int count = 0;

	for (; number > 0; number >>= 4)
		digit[count++] = number & 15;	/* bug */
	while (count > 0)
		sum += digit[--count];
	sums[get_global_id(0)] = sum;
}

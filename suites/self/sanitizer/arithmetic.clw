/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: divide_and_shift
global_size: 4

[test]
arg_in:  0 buffer int[4] 0 -1 3 40
arg_in:  1 buffer int[4] 10 -2147483648 7 9
arg_out: 2 buffer int[12] repeat 0
!*/
/*
 * Divisions by zero, the least number by -1, and a shift by more than there
 * are bits; what cannot go wrong is not looked at. Run by sanitizer_text.test:
 * what becomes of a division by zero is not the same everywhere.
 */
kernel void divide_and_shift(global const int *by, global const int *numbers,
			     global int *results)
{
	int i = get_global_id(0);

	results[i] = numbers[i] / by[i];		/* bug: 0 and 1 */
	results[i + 4] = (uint)numbers[i] % (uint)by[i];	/* bug: 0 */
	results[i + 8] = numbers[i] << (by[i] & 63);	/* bug: 1 and 3 */
	results[i] += numbers[i] / 3 + (numbers[i] >> 4) + (1 << 5);
}

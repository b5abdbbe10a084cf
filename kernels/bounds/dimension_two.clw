/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: label
dimensions: 2
global_size: 4 2

[test]
arg_in:  0 buffer int[8] repeat -1
arg_out: 0 buffer int[8] 0 1 2 3 4 5 6 7
!*/
/* Twin of dimension_two_bug: y times the size of x. */
kernel void label(global int *output)
{
	size_t x = get_global_id(0), y = get_global_id(1);
	size_t at = y * get_global_size(0) + x;

	output[at] = y * 4 + x;
}

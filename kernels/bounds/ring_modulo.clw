/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: moving_average
global_size: 5

[test]
arg_in:  0 buffer int[5] 1 3 5 7 9
arg_out: 1 buffer int[5] 5 2 4 6 8
!*/
/* Twin of ring_modulo_bug: n is added before the remainder is taken. */
kernel void moving_average(global const int *ring, global int *output)
{
	int at = get_global_id(0), n = get_global_size(0);
	int left = (at - 1 + n) % n;

	output[at] = (ring[left] + ring[at]) / 2;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: moving_average
global_size: 5
expect_finding: invalid-read global 20
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[5] 1 3 5 7 9
arg_out: 1 buffer int[5] 5 2 4 6 8
!*/
/* -1 % 5 is -1 in C, not 4: the ring has no way round to the left. */
kernel void moving_average(global const int *ring, global int *output)
{
	int at = get_global_id(0), n = get_global_size(0);
	int left = (at - 1) % n;

	output[at] = (ring[left] + ring[at]) / 2;	/* bug */
}

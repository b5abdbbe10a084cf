/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: lower_bound
global_size: 4
expect_finding: invalid-read global 28
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[5] 2 4 6 8 10
arg_in:  1 int 5
arg_in:  2 buffer int[4] 1 6 9 99
arg_out: 3 buffer int[4] 0 2 4 5
!*/
/*
 * The search is over [low, high], and high begins one past the last: a key that
 * is larger than all ends there.
 */
kernel void lower_bound(global const int *sorted, int count,
			global const int *keys, global int *found)
{
	int key = keys[get_global_id(0)], low = 0, high = count;

	while (low <= high) {
		int middle = (low + high) / 2;

		if (sorted[middle] < key)	/* bug */
			low = middle + 1;
		else
			high = middle - 1;
	}
	found[get_global_id(0)] = low;
}

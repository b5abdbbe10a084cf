/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: keep
global_size: 4
[test]
arg_in:  0 buffer int[8] 1 0 2 0 3 0 4 0
arg_out: 1 buffer int[4] 1 2 3 4
!*/
/*
 * Clean, and without a twin: half of a private struct is never set, is copied
 * with the struct, and is never used. Nothing depends on it.
 */
struct pair {
	int used, unused;
};

kernel void keep(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);
	struct pair pair, copy;

	pair.used = input[gid * 2];
	copy = pair;
	output[gid] = copy.used;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: depth_of
global_size: 1
expect_finding: invalid-write private 37
expect_finding: array-index private 37
allow_finding: invalid-read
allow_finding: invalid-read private
allow_finding: array-index
allow_finding: uninitialized-read
allow_finding: invalid-read global
allow_finding: host-uninitialized

[test]
name: a tree as left and right children, a chain of five to the right
arg_in:  0 buffer int[16] 1 2  -1 -1  3 4  -1 -1  5 6  -1 -1  7 -1  -1 -1
arg_out: 1 buffer int[1] 8
!*/
/*
 * OpenCL C has no recursion, so a tree is walked with a stack of one's own: two
 * places, and a tree that wants three.
 */
kernel void depth_of(global const int *children, global int *count)
{
	int stack[2], top = 0, seen = 0;

	stack[top++] = 0;
	while (top > 0 && seen < 8) {
		int node = stack[--top];

		seen++;
		for (int i = 0; i < 2; i++) {
			int child = children[node * 2 + i];

			if (child >= 0)
				stack[top++] = child;	/* bug */
		}
	}
	count[0] = seen;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: depth_of
global_size: 1

[test]
name: a tree as left and right children, a chain of five to the right
arg_in:  0 buffer int[16] 1 2  -1 -1  3 4  -1 -1  5 6  -1 -1  7 -1  -1 -1
arg_out: 1 buffer int[1] 8
!*/
/* Twin of depth_bug: a stack for the deepest tree, and a test for it. */
kernel void depth_of(global const int *children, global int *count)
{
	int stack[8], top = 0, seen = 0;

	stack[top++] = 0;
	while (top > 0 && seen < 8) {
		int node = stack[--top];

		seen++;
		for (int i = 0; i < 2; i++) {
			int child = children[node * 2 + i];

			if (child >= 0 && top < 8)
				stack[top++] = child;
		}
	}
	count[0] = seen;
}

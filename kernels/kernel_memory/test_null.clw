/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Says what a kernel sees of a NULL cl_mem argument: seen[i] is 1 where the
 * pointer compares equal to 0, else 2. The pointer is never dereferenced.
 *
 * expect: clean
 */
__kernel void test_null_argument(__global const int* argument,
				 __constant int* constant_argument,
				 __global int* seen)
{
	seen[0] = argument == 0 ? 1 : 2;
	seen[1] = constant_argument == 0 ? 1 : 2;
}

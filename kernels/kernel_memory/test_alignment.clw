/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the compiler and the runtime put vector types, and whether loads and
 * stores of them carry every element to its place.
 *
 * expect: clean
 */

/* OpenCL C, section 6.1.5: a type is aligned to its own size, and a vector
 * of three elements to that of four. Each misplaced pointer adds one. */
#define MISPLACED(pointer, bytes) \
	(((size_t)(pointer) & ((bytes) - 1)) != 0 ? 1 : 0)

#define PLACES(type, bytes)						\
__kernel void test_alignment_##type(__global const type* input,	\
				    __global type* output,		\
				    __local type* scratch,		\
				    __global int* misplaced)		\
{									\
	size_t gid = get_global_id(0);					\
	size_t lid = get_local_id(0);					\
	type own = input[gid];						\
									\
	misplaced[gid] = MISPLACED(&input[gid], bytes) +		\
			 MISPLACED(&output[gid], bytes) +		\
			 MISPLACED(&scratch[lid], bytes) +		\
			 MISPLACED(&own, bytes) +			\
			 (sizeof(type) != (bytes) ? 1 : 0);		\
	scratch[lid] = own;						\
	output[gid] = scratch[lid];					\
}

PLACES(char2, 2)
PLACES(short2, 4)
PLACES(int, 4)
PLACES(int2, 8)
PLACES(int3, 16)
PLACES(int4, 16)
PLACES(int8, 32)
PLACES(int16, 64)
PLACES(float4, 16)
PLACES(long2, 16)

/* vload and vstore need the alignment of an element only (section 6.12.7):
 * shift moves the vector off its own alignment. */
__kernel void test_alignment_vload(__global const int* input,
				   __global int* output, int shift)
{
	size_t gid = get_global_id(0);

	vstore4(vload4(gid, input + shift), gid, output + shift);
}

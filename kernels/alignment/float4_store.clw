/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: shift_by_one
global_size: 2

[test]
arg_in:  0 buffer float[8] 1 2 3 4 5 6 7 8
arg_in:  1 buffer float[12] repeat 0
arg_out: 1 buffer float[12] 0 1 2 3 4 5 6 7 8 0 0 0
!*/
/* Twin of float4_store_bug: vstore4. */
kernel void shift_by_one(global const float4 *input, global float *output)
{
	size_t gid = get_global_id(0);

	vstore4(input[gid], gid, output + 1);
}

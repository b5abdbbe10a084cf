/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: image_process
global_size: 8
local_size: 4

[test]
arg_in:  0 buffer uchar[8] 1 2 3 4 5 6 7 8
arg_in:  1 buffer uchar[8] repeat 0
arg_out: 1 buffer uchar[8] 4 3 2 1 8 7 6 5
arg_in:  2 local float[4]
arg_in:  3 int 8
!*/
/*
 * Twin of image_process_bug: the tile is in local memory, one element a work-item,
 * and the input's size is an argument. (The published mending names an input_size
 * that does not exist, lets every work-item load the same element get_local_size(0)
 * times over, and multiplies a global id by the group's size once more.)
 */
__kernel void image_process(
	__global uchar* input,
	__global uchar* output,
	__local float* shared_scratch,  // Use shared memory parameter
	int input_size) {

	int local_idx = get_local_id(0);
	int global_idx = get_global_id(0);
	int last = get_local_size(0) - 1;

	if (global_idx < input_size) {
		shared_scratch[local_idx] = (float)input[global_idx];
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (global_idx < input_size) {
		output[global_idx] = (uchar)shared_scratch[last - local_idx];
	}
}

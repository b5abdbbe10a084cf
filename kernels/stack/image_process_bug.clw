/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: image_process
global_size: 1
expect_finding: invalid-read global 25
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer uchar[8190] repeat 1 2 3 4 5 6
arg_in:  1 buffer uchar[4] repeat 0
arg_out: 1 buffer uchar[4] 4 3 2 1
!*/
/*
 * A published example before its mending: 8 KiB of scratch and 8 KiB of floats on
 * each work-item's stack, and a tile of 8192 bytes read whatever the input has (8190
 * here).
 */
__kernel void image_process(__global uchar* input, __global uchar* output) {
	// Stack allocation - causes overflow on many GPUs
	uchar local_scratch[8192];
	float intermediate[2048];

	for (int i = 0; i < 8192; i++) {
		local_scratch[i] = input[get_global_id(0) * 8192 + i];	/* bug */
	}
	for (int i = 0; i < 4; i++) {
		intermediate[i] = local_scratch[3 - i];
		output[get_global_id(0) * 4 + i] = intermediate[i];
	}
}

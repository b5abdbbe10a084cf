/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: number_voxels
dimensions: 3
global_size: 2 2 3		# width, height, depth
expect_finding: invalid-write global 23

[test]
arg_in:  0 buffer int[12] repeat -1
arg_out: 0 buffer int[12] 0 1 10 11 100 101 110 111 200 201 210 211
!*/
/*
 * A slice is width * height elements; here it is taken for width * depth. Right
 * for cubes only.
 */
kernel void number_voxels(global int *volume)
{
	size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
	size_t slice_pitch = get_global_size(0) * get_global_size(2);
	size_t at = z * slice_pitch + y * get_global_size(0) + x;

	volume[at] = z * 100 + y * 10 + x;	/* bug */
}

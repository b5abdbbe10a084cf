/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: crop
dimensions: 2
global_size: 4 2
global_offset: 0 200

[test]
arg_in:  0 buffer uchar[33000] repeat 0 1 2 3
arg_in:  1 int 164
arg_out: 2 buffer uchar[8] 0 1 2 3 0 1 2 3
!*/
/* Twin of index_wrap_short_bug: the number is an int. */
kernel void crop(global const uchar *image, int width, global uchar *output)
{
	size_t x = get_global_id(0), y = get_global_id(1);
	int pixel = y * width + x;

	output[(y - 200) * 4 + x] = image[pixel];
}

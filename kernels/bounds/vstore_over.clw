/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fill_by_eight
global_size: 2

[test]
arg_in:  0 buffer int[12] repeat 0
arg_out: 0 buffer int[12] repeat 3
arg_in:  1 uint 12
!*/
/* Twin of vstore_over_bug: the rest is written one by one. */
kernel void fill_by_eight(global int *output, uint count)
{
	size_t gid = get_global_id(0);

	if ((gid + 1) * 8 <= count)
		vstore8((int8)3, gid, output);
	else
		for (size_t i = gid * 8; i < count; i++)
			output[i] = 3;
}

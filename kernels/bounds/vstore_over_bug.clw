/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: fill_by_eight
global_size: 2
expect_finding: invalid-write global 18

[test]
arg_in:  0 buffer int[12] repeat 0
arg_out: 0 buffer int[12] repeat 3
arg_in:  1 uint 12
!*/
/* Twelve elements by eights: the second vstore8 writes four too many. */
kernel void fill_by_eight(global int *output, uint count)
{
	size_t gid = get_global_id(0);

	vstore8((int8)3, gid, output);	/* bug */
}

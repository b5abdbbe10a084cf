/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: set_part
global_size: 32
expect_finding: invalid-write global 22

[test]
arg_in:  0 buffer int[64] repeat 5
arg_in:  1 buffer int[32] undefined alias 0 offset 128
arg_in:  2 uint 32			# the part's first element in the whole
arg_out: 0 buffer int[64] \
	5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 \
	9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9
!*/
/*
 * The kernel counts from the start of the parent, though a sub-buffer already
 * begins at its origin: the offset is added twice.
 */
kernel void set_part(global const int *parent, global int *part, uint origin)
{
	part[origin + get_global_id(0)] = 9;	/* bug */
}

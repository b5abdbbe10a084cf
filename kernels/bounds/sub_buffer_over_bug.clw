/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: clear_part
global_size: 40
local_size: 8
expect_finding: wrong-result
allow_finding: invalid-write global 25

[test]
arg_in:  0 buffer int[96] repeat 5
arg_in:  1 buffer int[32] undefined alias 0 offset 128
arg_out: 0 buffer int[96] \
	5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 \
	0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \
	5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5
!*/
/*
 * Eight work-items too many: they write past the end of the sub-buffer, into the
 * rest of its parent. Oclgrind 21.10 sees nothing of it: the address is one of
 * the parent. The parent's contents tell.
 */
kernel void clear_part(global const int *parent, global int *part)
{
	part[get_global_id(0)] = 0;
}

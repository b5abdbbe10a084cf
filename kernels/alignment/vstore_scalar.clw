/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: store_pairs
global_size: 2
xfail: an assertion of its SPIR-V translator
xfail_driver: ^rusticl, driver (22[.]3|25[.]0)[.]

[test]
arg_in:  0 buffer int2[2] 1 2 3 4
arg_in:  1 buffer uchar[28] repeat 9
arg_out: 1 buffer uchar[28] 9 9 1 0 0 0 2 0 0 0 7 0 0 0 3 0 0 0 4 0 0 0 7 0 0 0 9 9
!*/
/* Twin of vstore_scalar_bug: stored as bytes. */
kernel void store_pairs(global const int2 *input, global uchar *stream)
{
	size_t gid = get_global_id(0);
	global uchar *at = stream + 2 + gid * 12;

	vstore8(as_uchar8(input[gid]), 0, at);
	vstore4(as_uchar4(7), 2, at);
}

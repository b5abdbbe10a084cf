/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: pack
global_size: 8
local_size: 8

[test]
arg_in:  0 buffer uint[2] repeat 0
arg_out: 0 buffer uchar[8] 16 17 18 19 20 21 22 23
!*/
/*
 * Twin of packed_bytes_bug: adjacent bytes, stored as bytes, are different
 * memory (OpenCL 1.2 has byte stores everywhere).
 */
kernel void pack(global volatile uint *words)
{
	uint gid = get_global_id(0);

	((global uchar *)words)[gid] = 16 + gid;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: pack
global_size: 8
local_size: 8
expect_finding: race global 23
allow_finding: wrong-result

[test]
arg_in:  0 buffer uint[2] repeat 0
arg_out: 0 buffer uchar[8] 16 17 18 19 20 21 22 23
!*/
/*
 * Bytes set by shift and mask in a word that four work-items share: each
 * stores the whole word.
 */
kernel void pack(global volatile uint *words)
{
	uint gid = get_global_id(0);
	uint shift = gid % 4 * 8;

	words[gid / 4] |= (16 + gid) << shift;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: limits
global_size: 2

[test]
arg_in:  0 buffer uchar[10] 0 10 0 0 0 0 20 0 0 0
arg_out: 1 buffer int[2] 10 20
!*/
/* Twin of constant_record_bug: put together from bytes. */
kernel void limits(constant uchar *table, global int *output)
{
	size_t gid = get_global_id(0);
	constant uchar *at = table + gid * 5 + 1;

	output[gid] = at[0] | at[1] << 8 | at[2] << 16 | at[3] << 24;
}

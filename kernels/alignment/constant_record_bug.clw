/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: limits
global_size: 2
expect_finding: misaligned constant 18

[test]
arg_in:  0 buffer uchar[10] 0 10 0 0 0 0 20 0 0 0
arg_out: 1 buffer int[2] 10 20
!*/
/* The same in constant memory: ints in records of five bytes. */
kernel void limits(constant uchar *table, global int *output)
{
	size_t gid = get_global_id(0);
	constant uchar *at = table + gid * 5 + 1;

	output[gid] = *(constant int *)at;	/* bug */
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count_all
global_size: 4
expect_finding: misaligned 16

[test]
name: a byte of version, then the counter
arg_in:  0 buffer uchar[8] 1 0 0 0 0 0 0 0
arg_out: 0 buffer uchar[8] 1 4 0 0 0 0 0 0
!*/
/* An atomic on a counter at offset 1: no device promises that it is one then. */
kernel void count_all(global uchar *block)
{
	atomic_inc((global int *)(block + 1));	/* bug */
}

/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: count_all
global_size: 4

[test]
name: a byte of version, then the counter
arg_in:  0 buffer uchar[8] 1 0 0 0 0 0 0 0
arg_out: 0 buffer uchar[8] 1 0 0 0 4 0 0 0
!*/
/* Twin of atomic_at_odd_bug: padded to offset 4. */
kernel void count_all(global uchar *block)
{
	atomic_inc((global int *)(block + 4));
}

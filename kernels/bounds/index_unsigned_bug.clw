/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: blur_row
global_size: 8
local_size: 8
expect_finding: invalid-read global 25
allow_finding: uninitialized-read
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer uchar[8] 0 8 16 24 32 40 48 56
arg_out: 1 buffer uchar[8] 2 8 16 24 32 40 48 53
!*/
/*
 * A 32-bit unsigned index below 0 is 4,294,967,295, not -1, as soon as it is
 * added to a 64-bit pointer. max() comes too late: after the wrap.
 */
kernel void blur_row(global const uchar *input, global uchar *output)
{
	uint at = get_global_id(0);
	uint sum = 0;

	for (uint i = at - 1; i != at + 2; i++)
		sum += input[max(i, 0u)];	/* bug */
	output[at] = sum / 3;
}

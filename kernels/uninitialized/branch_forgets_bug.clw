/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: sign_of
global_size: 4
expect_finding: uninitialized-read 30
allow_finding: host-uninitialized

[test]
arg_in:  0 buffer int[4] 5 -5 0 7
arg_out: 1 buffer int[4] 1 -1 0 1
!*/
/* Larger, smaller, and equal is forgotten. */
/* Not inline, or the compiler leaves out what nobody set before a tool sees it. */
__attribute__((noinline))
void set_sign(int value, int *sign)
{
	if (value > 0)
		*sign = 1;
	else if (value < 0)
		*sign = -1;
}

kernel void sign_of(global const int *input, global int *output)
{
	size_t gid = get_global_id(0);
	int sign;

	set_sign(input[gid], &sign);
	output[gid] = sign;	/* bug */
}

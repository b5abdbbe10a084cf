/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: divide
global_size: 4

[test]
arg_in:  0 buffer int[4] 10 20 30 40
arg_in:  1 buffer int[4] 2 0 5 0
arg_out: 2 buffer int[4] 5 0 6 0
!*/
/* Twin of out_parameter_bug: the caller asks. */
/* Not inline, or the compiler leaves out what nobody set before a tool sees it. */
__attribute__((noinline))
bool quotient(int a, int b, int *result)
{
	if (b == 0)
		return false;
	*result = a / b;
	return true;
}

kernel void divide(global const int *a, global const int *b,
		   global int *output)
{
	size_t gid = get_global_id(0);
	int result;

	output[gid] = quotient(a[gid], b[gid], &result) ? result : 0;
}

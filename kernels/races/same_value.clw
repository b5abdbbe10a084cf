/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: find_any
global_size: 16
local_size: 4

[test]
arg_in:  0 buffer int[16] 0 0 1 0 0 1 0 0 1 0 0 0 1 0 0 1
arg_in:  1 buffer int[1] 0
arg_out: 1 buffer int[1] 1
!*/
/*
 * The benign race: several work-items write, all the same value, and nobody
 * reads. Oclgrind is silent about it unless OCLGRIND_UNIFORM_WRITES is set,
 * and then reports a write-write race. See same_value_read_bug for what is
 * not benign.
 */
kernel void find_any(global const int *input, global int *found)
{
	if (input[get_global_id(0)])
		*found = 1;
}

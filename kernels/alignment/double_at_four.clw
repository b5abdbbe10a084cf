/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
require_device_extensions: cl_khr_fp64
kernel_name: read_values
global_size: 2

[test]
name: an int, then a double (1.5 and 2.0)
arg_in:  0 buffer uint[6] 1 0 0x3ff80000 2 0 0x40000000
arg_out: 1 buffer double[2] 1.5 2
!*/
/* Twin of double_at_four_bug: its bits are put together. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void read_values(global const uint *stream, global double *values)
{
	size_t gid = get_global_id(0);
	global const uint *at = stream + gid * 3 + 1;

	values[gid] = as_double(upsample(at[1], at[0]));
}

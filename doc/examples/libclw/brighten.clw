/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: brighten
local_size: null

[test]
name: four pixels
global_size: 4
arg_in:  0 buffer float[4] 0 0.25 0.5 1
arg_out: 1 buffer float[4] 0 0.5 1 1
arg_in:  2 float 2
!*/
/* Each pixel by a factor, at most white. */
kernel void brighten(global const float *in, global float *out, float factor)
{
	size_t i = get_global_id(0);

	out[i] = fmin(in[i] * factor, 1.0f);
}

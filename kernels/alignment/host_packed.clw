/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: scores
global_size: 2

[test]
name: the host's struct is packed, a byte and a float (1.0 and 2.0)
arg_in:  0 buffer uchar[16] 1 0 0 0x80 0x3f 2 0 0 0 0x40 0 0 0 0 0 0
arg_out: 1 buffer float[2] 2 4
!*/
/* Twin of host_packed_bug: packed on the device, too. */
struct __attribute__((packed)) sample {
	uchar channel;
	float value;
};

kernel void scores(global const struct sample *samples, global float *output)
{
	size_t gid = get_global_id(0);

	output[gid] = samples[gid].value * 2;
}

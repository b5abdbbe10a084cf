/* SPDX-License-Identifier: Apache-2.0 */
/*!
[config]
kernel_name: scores
global_size: 2
expect_finding: wrong-result

[test]
name: the host's struct is packed, a byte and a float (1.0 and 2.0)
arg_in:  0 buffer uchar[16] 1 0 0 0x80 0x3f 2 0 0 0 0x40 0 0 0 0 0 0
arg_out: 1 buffer float[2] 2 4
!*/
/*
 * Host and device lay one struct out differently: packed there (5 bytes), padded
 * here (8 bytes). Every access is aligned and inside, every value is nonsense.
 * Only the result tells.
 */
struct sample {
	uchar channel;
	float value;
};

kernel void scores(global const struct sample *samples, global float *output)
{
	size_t gid = get_global_id(0);

	output[gid] = samples[gid].value * 2;
}

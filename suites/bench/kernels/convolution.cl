/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Five by five weights of constant memory over a picture of bytes.
 * bench: convolution global=512,512 local=64,1 z:65536 i:65536 f:25 =512 =512
 */
__kernel void convolution(__global uchar *to, __global const uchar *from,
			  __constant float *weights, int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);
	float sum = 0.0f;

	for (int dy = -2; dy <= 2; dy++) {
		for (int dx = -2; dx <= 2; dx++) {
			int sx = clamp(x + dx, 0, width - 1);
			int sy = clamp(y + dy, 0, height - 1);

			sum += weights[(dy + 2) * 5 + dx + 2] *
			       from[sy * width + sx];
		}
	}
	to[y * width + x] = convert_uchar_sat(sum / 16.0f);
}

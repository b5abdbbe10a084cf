/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic and one store.
 * bench: mandelbrot global=512,512 local=64,1 z:262144 =512 =512 =128
 */
__kernel void mandelbrot(__global uint *steps, int width, int height, int most)
{
	int x = get_global_id(0), y = get_global_id(1);
	float re = 3.0f * x / width - 2.0f, im = 2.0f * y / height - 1.0f;
	float a = 0.0f, b = 0.0f;
	int k = 0;

	while (k < most && a * a + b * b < 4.0f) {
		float next = a * a - b * b + re;

		b = 2.0f * a * b + im;
		a = next;
		k++;
	}
	steps[y * width + x] = k;
}

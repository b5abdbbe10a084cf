/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rectangles of a buffer that has no byte to spare: written, read, copied and
 * with every pitch given and not.
 */
#include "guards.h"

enum { PITCH = 24, ROWS = 10, SLICES = 3, SIZE = PITCH * ROWS * SLICES };

int main(void)
{
	struct setup cl = open_device();
	const size_t none[3] = { 0, 0, 0 }, all[3] = { PITCH, ROWS, SLICES };
	const size_t from[3] = { 7, 6, 1 }, inner[3] = { 17, 4, 2 };
	cl_uchar model[SIZE], got[SIZE], small[17 * 4 * 2];
	cl_mem a, b;

	for (int i = 0; i < SIZE; i++)
		model[i] = (cl_uchar)(i * 13 + 1);
	a = buffer_of(&cl, CL_MEM_READ_WRITE, SIZE, NULL);
	b = buffer_of(&cl, CL_MEM_READ_WRITE, SIZE, NULL);
	must(clEnqueueWriteBufferRect(cl.queue, a, CL_TRUE, none, none, all, 0,
				      0, 0, 0, model, 0, NULL, NULL));
	must(clEnqueueCopyBufferRect(cl.queue, a, b, none, none, all, PITCH,
				     PITCH * ROWS, PITCH, 0, 0, NULL, NULL));
	must(clEnqueueReadBufferRect(cl.queue, b, CL_TRUE, from, none, inner,
				     PITCH, PITCH * ROWS, 0, 0, small, 0, NULL,
				     NULL));
	for (size_t z = 0; z < 2; z++)
		for (size_t y = 0; y < 4; y++)
			for (size_t x = 0; x < 17; x++)
				expect(small[(z * 4 + y) * 17 + x],
				       model[((z + 1) * ROWS + y + 6) * PITCH +
					     x + 7]);
	memset(small, 0xee, sizeof(small));
	must(clEnqueueWriteBufferRect(cl.queue, b, CL_FALSE, from, none, inner,
				      PITCH, PITCH * ROWS, 17, 68, small, 0,
				      NULL, NULL));
	read_all(cl.queue, b, SIZE, got);
	expect(got[SIZE - 1], 0xee);
	expect(got[0], model[0]);
	read_all(cl.queue, a, SIZE, got);
	holds(memcmp(got, model, SIZE) == 0);
	must(clReleaseMemObject(a));
	must(clReleaseMemObject(b));
	close_device(&cl);
	return 0;
}

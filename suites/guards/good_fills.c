/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fills with patterns of every size, and what is no pattern.
 */
#include "guards.h"

enum { SIZE = 1024 };

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = buffer_of(&cl, CL_MEM_READ_WRITE, SIZE, NULL);
	cl_uchar pattern[128], model[SIZE], got[SIZE];

	memset(model, 0, SIZE);
	write_all(cl.queue, mem, SIZE, model);
	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = (cl_uchar)(i + 1);
	for (size_t size = 1; size <= 128; size *= 2) {
		must(clEnqueueFillBuffer(cl.queue, mem, pattern, size,
					 SIZE - 3 * size, 3 * size, 0, NULL,
					 NULL));
		for (size_t i = SIZE - 3 * size; i < SIZE; i++)
			model[i] = pattern[(i - (SIZE - 3 * size)) % size];
		read_all(cl.queue, mem, SIZE, got);
		holds(memcmp(got, model, SIZE) == 0);
	}
	for (size_t size = 0; size <= 8; size++)
		printf("%zu at 4 of 24: %d\n", size,
		       clEnqueueFillBuffer(cl.queue, mem, pattern, size, 4, 24,
					   0, NULL, NULL));
	printf("at 6: %d\n", clEnqueueFillBuffer(cl.queue, mem, pattern, 4, 6,
						 8, 0, NULL, NULL));
	printf("of 7: %d\n", clEnqueueFillBuffer(cl.queue, mem, pattern, 4, 8,
						 7, 0, NULL, NULL));
	printf("nothing: %d\n", clEnqueueFillBuffer(cl.queue, mem, NULL, 4, 8,
						    8, 0, NULL, NULL));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}

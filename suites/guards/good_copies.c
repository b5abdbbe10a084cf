/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies between wholes and parts, and within one buffer up to the last byte.
 */
#include "guards.h"

enum { SIZE = 4096 };

int main(void)
{
	struct setup cl = open_device();
	cl_uchar model[SIZE], got[SIZE];
	cl_mem a, b, part_a, part_b;
	size_t step = alignment_of(&cl);

	need(step <= SIZE / 8, "parts of some KiB");
	for (int i = 0; i < SIZE; i++)
		model[i] = (cl_uchar)(i * 31 + i / 256);
	a = buffer_of(&cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, SIZE,
		      model);
	b = buffer_of(&cl, CL_MEM_READ_WRITE, SIZE, NULL);
	part_a = part_of(a, step, SIZE - step);
	part_b = part_of(b, 2 * step, SIZE - 2 * step);
	must(clEnqueueCopyBuffer(cl.queue, a, b, 0, 0, SIZE, 0, NULL, NULL));
	must(clEnqueueCopyBuffer(cl.queue, part_a, part_b, 5, 7, step, 0, NULL,
				 NULL));
	memcpy(got, model, SIZE);
	memcpy(got + 2 * step + 7, model + step + 5, step);
	memcpy(model, got, SIZE);
	must(clEnqueueCopyBuffer(cl.queue, b, b, 0, SIZE - 100, 100, 0, NULL,
				 NULL));
	memcpy(model + SIZE - 100, got, 100);
	read_all(cl.queue, b, SIZE, got);
	holds(memcmp(got, model, SIZE) == 0);
	read_all(cl.queue, part_b, SIZE - 2 * step, got);
	holds(memcmp(got, model + 2 * step, SIZE - 2 * step) == 0);
	must(clEnqueueCopyBuffer(cl.queue, part_b, a, SIZE - 2 * step - 1,
				 SIZE - 1, 1, 0, NULL, NULL));
	read_all(cl.queue, a, SIZE, got);
	expect(got[SIZE - 1], model[SIZE - 1]);
	/* Of one buffer in two ways; drivers answer as they like. */
	printf("part over whole: %d\n", clEnqueueCopyBuffer(cl.queue, part_a,
		a, 0, step + 1, 64, 0, NULL, NULL));
	must(clFinish(cl.queue));
	must(clReleaseMemObject(part_a));
	must(clReleaseMemObject(part_b));
	must(clReleaseMemObject(a));
	must(clReleaseMemObject(b));
	close_device(&cl);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel of 80 buffers, of which the first is too small.
 */
#include "guards.h"

enum { ARGUMENTS = 80 };

static const char *make_source(void)
{
	static char text[ARGUMENTS * 24 + 64];
	FILE *out = fmemopen(text, sizeof(text), "w");

	if (!out)
		exit(FAILED);
	fprintf(out, "kernel void many(global int *a0");
	for (int i = 1; i < ARGUMENTS; i++)
		fprintf(out, ", global int *a%d", i);
	fprintf(out, ") { a0[get_global_id(0)] = 7; }");
	fclose(out);
	return text;
}

int main(void)
{
	struct setup cl = open_device();
	cl_kernel kernel = kernel_of(&cl, make_source(), "many");
	const size_t items = ITEMS;
	cl_int ones[ITEMS];
	cl_mem mems[ARGUMENTS];
#ifdef PLANTED
	const size_t size = BYTES - 4;
#else
	const size_t size = BYTES;
#endif

	for (int i = 0; i < ITEMS; i++)
		ones[i] = 1;
	for (cl_uint i = 0; i < ARGUMENTS; i++) {
		mems[i] = buffer_of(&cl, CL_MEM_READ_WRITE |
				    CL_MEM_COPY_HOST_PTR,
				    i == 0 ? size : 64, ones);
		set_arg(kernel, i, mems[i]);
	}
	/* PLANTED: guard many 0 +0 0x07 */
	must(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
	read_all(cl.queue, mems[0], BYTES - 4, ones);
	expect(ones[9], 7);
	for (int i = 1; i < ARGUMENTS; i++)
		must(clReleaseMemObject(mems[i]));
	close_with(&cl, kernel, mems[0]);
	return 0;
}

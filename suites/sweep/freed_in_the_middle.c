/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pointer walks through the staging memory as its parts are uploaded; the
 * way out of an error frees it where it stands.
 * EXPECT: crash clEnqueueWriteBuffer oom
 */
#include "sweep.h"

enum { PARTS = 4, PART_ITEMS = ITEMS / PARTS };

static cl_int upload(const struct setup *cl, cl_mem mem)
{
	cl_int *staging = malloc(BYTES), *part = staging, err = CL_SUCCESS;

	need(staging != NULL, "memory");
	count_up(staging);
	for (size_t i = 0; i < PARTS && err == CL_SUCCESS; i++) {
		err = clEnqueueWriteBuffer(cl->queue, mem, CL_TRUE,
			i * PART_ITEMS * sizeof(*part),
			PART_ITEMS * sizeof(*part), part, 0, NULL, NULL);
		part += PART_ITEMS;
	}
#ifdef PLANTED
	if (err != CL_SUCCESS) {
		/* PLANTED: it is not where it was */
		free(part);
		return err;
	}
#endif
	free(staging);
	return err;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int back[ITEMS] = { 0 };
	cl_int err = upload(&cl, mem);

	if (err != CL_SUCCESS)
		return failed("the upload", err);
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three parts of one buffer; when the third cannot be made, the whole is read
 * instead, and the first two stay.
 * EXPECT: leak clCreateSubBuffer oom-host
 */
#include "sweep.h"

enum { HEAD, BODY, TAIL, PARTS };

/* NULL: it cannot be had. */
static cl_mem new_part(cl_mem whole, size_t index)
{
	cl_buffer_region region = { index * BYTES, BYTES };
	cl_int err;
	cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_ONLY,
					CL_BUFFER_CREATE_TYPE_REGION, &region,
					&err);

	return err == CL_SUCCESS ? part : NULL;
}

static bool read_parts(const struct setup *cl, cl_mem whole, cl_int *values)
{
	cl_mem parts[PARTS] = { NULL };
	bool done;

	parts[HEAD] = new_part(whole, HEAD);
	if (parts[HEAD])
		parts[BODY] = new_part(whole, BODY);
	if (parts[BODY])
		parts[TAIL] = new_part(whole, TAIL);
	done = parts[TAIL] != NULL;
	for (int i = 0; done && i < PARTS; i++)
		read_ints(cl, parts[i], values + i * ITEMS);
#ifdef PLANTED
	/* PLANTED: those that were made are forgotten when one was not */
	if (!done)
		return false;
#endif
	for (int i = 0; i < PARTS && parts[i]; i++)
		must(clReleaseMemObject(parts[i]));
	return done;
}

int main(void)
{
	static cl_int values[PARTS * ITEMS];
	struct setup cl = open_cl();
	cl_mem whole = make_buffer(&cl, sizeof(values));
	const cl_int three = 3;

	must(clEnqueueFillBuffer(cl.queue, whole, &three, sizeof(three), 0,
				 sizeof(values), 0, NULL, NULL));
	must(clFinish(cl.queue));
	if (!read_parts(&cl, whole, values))
		must(clEnqueueReadBuffer(cl.queue, whole, CL_TRUE, 0,
					 sizeof(values), values, 0, NULL,
					 NULL));
	print_result(sum_of(values, PARTS * ITEMS));
	must(clReleaseMemObject(whole));
	close_cl(&cl);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The function that fails cleans up after itself, and so does its caller.
 * EXPECT: crash|misuse clEnqueueWriteBuffer oom
 */
#include "sweep.h"

static cl_int upload(const struct setup *cl, cl_mem mem, const cl_int *values)
{
	cl_int err = try_write(cl, mem, values);

#ifdef PLANTED
	/* PLANTED: it is the caller's */
	if (err != CL_SUCCESS)
		must(clReleaseMemObject(mem));
#endif
	return err;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 }, err;

	count_up(values);
	err = upload(&cl, mem, values);
	if (err == CL_SUCCESS)
		err = try_read(&cl, mem, back);
	if (err == CL_SUCCESS)
		print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return err == CL_SUCCESS ? 0 : failed("the upload", err);
}

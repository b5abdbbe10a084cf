/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program asks the device how much it can take at once, and splits its
 * work. What it takes for an answer when there was none does no work at all.
 * EXPECT: swallowed clGetDeviceInfo oom-host
 */
#include "sweep.h"

static size_t items_at_once(const struct setup *cl)
{
	cl_ulong bytes = 0;
	cl_int err = clGetDeviceInfo(cl->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
				     sizeof(bytes), &bytes, NULL);

	/* PLANTED: 0 is not an answer */
#ifndef PLANTED
	must(err);
#endif
	(void)err;
	bytes /= sizeof(cl_int);
	return bytes > ITEMS / 2 ? ITEMS / 2 : bytes;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 };
	size_t step = items_at_once(&cl);

	count_up(values);
	write_ints(&cl, mem, values);
	for (size_t i = 0; step && i + step <= ITEMS; i += step)
		must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE,
					 i * sizeof(cl_int),
					 step * sizeof(cl_int), back + i, 0,
					 NULL, NULL));
	print_result(sum_of(back, ITEMS));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}

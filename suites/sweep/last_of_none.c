/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work is shared out among the device's compute units, and the last one gets
 * what is left over. There is always a last one.
 * EXPECT: crash clGetDeviceInfo oom-host
 */
#include "sweep.h"

static cl_uint compute_units(const struct setup *cl)
{
	cl_uint units = 0;
	cl_int err = clGetDeviceInfo(cl->device, CL_DEVICE_MAX_COMPUTE_UNITS,
				     sizeof(units), &units, NULL);

#ifndef PLANTED
	must(err);
#endif
	(void)err;
	return units;
}

static size_t *share_out(cl_uint units)
{
	size_t *shares = calloc(units, sizeof(*shares)), rest = ITEMS;

	need(shares != NULL, "memory");
	for (cl_uint i = 0; i < units; i++) {
		shares[i] = ITEMS / units;
		rest -= shares[i];
	}
	/* PLANTED: there may be none */
	shares[units - 1] += rest;
	return shares;
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int values[ITEMS], back[ITEMS] = { 0 };
	cl_uint units = compute_units(&cl);
	size_t *shares = share_out(units), first = 0;

	count_up(values);
	write_ints(&cl, mem, values);
	for (cl_uint i = 0; i < units; first += shares[i++])
		if (shares[i])
			must(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE,
				first * sizeof(cl_int),
				shares[i] * sizeof(cl_int), back + first, 0,
				NULL, NULL));
	print_result(sum_of(back, ITEMS));
	free(shares);
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}

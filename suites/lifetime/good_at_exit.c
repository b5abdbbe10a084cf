/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that are made once, at the first use, and released by a function
 * that atexit() runs, after main.
 */
#include "lifetime.h"

static struct setup cl;
static cl_kernel kernel;
static cl_mem mem;

static void clean_up(void)
{
	must(clReleaseMemObject(mem));
	must(clReleaseKernel(kernel));
	close_device(&cl);
}

int main(void)
{
	cl = open_device();
	kernel = add_one(&cl);
	mem = new_ints(&cl);
	atexit(clean_up);
	launch(cl.queue, kernel, mem, NULL);
	return 0;
}

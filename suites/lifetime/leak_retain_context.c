/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each session retains its context "for the log" and releases it once. After
 * some sessions the process holds as many contexts: on NVIDIA some hundred MiB
 * of the device's memory each, on pocl and oclgrind the host's.
 */
#include "lifetime.h"

enum { SESSIONS = 40 };	/* more contexts than a program keeps on purpose */

static void run_session(cl_device_id device)
{
	cl_int err;
	/* SECOND: made */
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL,
					     &err);
	cl_context logged = context;

	must(err);
	/* PLANTED: leak context retained */
	must(clRetainContext(logged));
	must(clReleaseContext(context));
#ifndef PLANTED
	must(clReleaseContext(logged));
#endif
}

int main(void)
{
	cl_device_id device = find_device();

	for (int i = 0; i < SESSIONS; i++)
		run_session(device);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A module is loaded and unloaded, each time with a context of its own that it
 * releases. The user event for "unload now" is forgotten and keeps the whole
 * context: on every driver memory grows by a context a time, and it looks like
 * a driver that does not give memory back.
 */
#include "lifetime.h"

static void load_and_unload(void)
{
	struct setup cl = open_device();
	cl_int err;
	/* PLANTED: leak event */
	cl_event unload = clCreateUserEvent(cl.context, &err);

	must(err);
	must(clSetUserEventStatus(unload, CL_COMPLETE));
	must(clWaitForEvents(1, &unload));
#ifndef PLANTED
	must(clReleaseEvent(unload));
#endif
	close_device(&cl);
}

int main(void)
{
	for (int i = 0; i < 3; i++)
		load_and_unload();
	return 0;
}

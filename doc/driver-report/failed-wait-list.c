/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command whose wait list has an event that failed before.
 * SPECIFICATION: clSetUserEventStatus: a negative status terminates what waits
 * for it; clWaitForEvents,
 * Errors: CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
 * DEVIATES: pocl 3.1: hangs
 */
#include "setup.h"

int main(void)
{
	cl_event user, event;
	char bytes[64] = "";

	setup();
	user = clCreateUserEvent(context, NULL);
	clSetUserEventStatus(user, CL_OUT_OF_RESOURCES);
	if (clEnqueueWriteBuffer(queue, new_buffer(64), CL_FALSE, 0, 64, bytes,
				 1, &user, &event) != CL_SUCCESS)
		return 0;	/* refused at once */
	return expect("clWaitForEvents", clWaitForEvents(1, &event),
		      CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

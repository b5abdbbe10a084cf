/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The callback of a command that waits for an event that fails.
 * SPECIFICATION: clSetEventCallback: called when the status changes to
 * CL_COMPLETE or to a negative value.
 * DEVIATES: pocl 3.1: never called
 * DEVIATES: rusticl 22.3.6: never called
 * DEVIATES: nvidia 580.159.04: called with 0
 */
#include "setup.h"

static volatile cl_int seen = 99;

static void CL_CALLBACK called(cl_event event, cl_int status, void *user)
{
	(void)event;
	(void)user;
	seen = status;
}

int main(void)
{
	cl_event user, event;
	char bytes[64] = "";

	setup();
	user = clCreateUserEvent(context, NULL);
	clEnqueueWriteBuffer(queue, new_buffer(64), CL_FALSE, 0, 64, bytes, 1,
			     &user, &event);
	clSetEventCallback(event, CL_COMPLETE, called, NULL);
	clSetUserEventStatus(user, CL_OUT_OF_RESOURCES);
	clFlush(queue);
	for (int i = 0; i < 30 && seen == 99; i++)
		usleep(100000);
	printf("status for the callback (99: not called): %d, expected a "
	       "negative one\n", (int)seen);
	fflush(stdout);
	_exit(seen >= 0);	/* a driver may wait for the command */
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clFlush with a command that waits for a user event.
 * SPECIFICATION: clFlush: "Issues all previously queued OpenCL commands", and
 * does not wait for them.
 * DEVIATES: oclgrind 21.10: hangs
 */
#include "setup.h"

int main(void)
{
	char bytes[64] = "";
	cl_event user;
	cl_int err;

	setup();
	user = clCreateUserEvent(context, NULL);
	clEnqueueWriteBuffer(queue, new_buffer(64), CL_FALSE, 0, 64, bytes, 1,
			     &user, NULL);
	err = clFlush(queue);
	clSetUserEventStatus(user, CL_COMPLETE);
	clFinish(queue);
	return expect("clFlush", err, CL_SUCCESS);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL program that does not end; the first argument says where it stands
 * still. For the tests of what a timeout is said to be.
 */
#include "config.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stuck.h"

static void CL_CALLBACK sleep_in_build(cl_program program, void *user)
{
	(void)program;
	(void)user;
	for (;;)
		pause();
}

/* Ask for ever for the status of what does not end. */
static void poll_status(cl_event event)
{
	cl_int status = CL_QUEUED;

	while (status != CL_COMPLETE)
		clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
			       sizeof(status), &status, NULL);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "sleep";
	struct stuck stuck;

	stuck_open(&stuck);
	if (strcmp(mode, "build") == 0) {
		/* The tests' driver calls back before it returns. */
		clBuildProgram(stuck.program, 0, NULL, NULL, sleep_in_build,
			       NULL);
	} else if (strcmp(mode, "enqueue") == 0) {
		/* It also runs kernels in the launching call. */
		stuck_launch(&stuck, "hang", NULL);
	} else if (strcmp(mode, "launch") == 0) {
		stuck_launch(&stuck, "k", &stuck.gate);
		clFinish(stuck.queue);
	} else if (strcmp(mode, "poll") == 0) {
		poll_status(stuck_launch(&stuck, "k", &stuck.gate));
	} else if (strcmp(mode, "after") == 0) {
		stuck_launch(&stuck, "k", NULL);
		clFinish(stuck.queue);
		clWaitForEvents(1, &stuck.gate);
	} else if (strcmp(mode, "crash") == 0) {
		stuck_launch(&stuck, "k", NULL);
		raise(SIGSEGV);
	}
	for (;;)
		pause();
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Triggers of device_faults that are no faults: a user event that ends with an
 * error, a fork.
 */
#include "config.h"

#include "device_faults.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SECONDS = 30, NOBODY = 77 };

void more_user_event(struct objects *o, const char *first)
{
	static const size_t items = ITEMS;
	cl_int err = CL_SUCCESS;
	cl_event gate = clCreateUserEvent(o->context, &err);

	say("clCreateUserEvent", err);
	if (err)
		return;
	err = clEnqueueNDRangeKernel(o->queue, o->kernel, 1, NULL, &items,
				     NULL, 1, &gate, &o->event);
	say("clEnqueueNDRangeKernel(gated)", err);
	if (err)
		o->event = NULL;
	say("clSetUserEventStatus",
	    clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES));
	step_run(first, o, o->buffer);
	steps_run_all(o, o->buffer);
}

void more_fork(struct objects *o, const char *first, bool in_child)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child > 0) {
		waitpid(child, &status, 0);
		if (in_child)
			_exit(WIFEXITED(status) ? WEXITSTATUS(status) : NOBODY);
	} else if (child == 0) {
		alarm(CHILD_SECONDS);
		if (!in_child) {
			step_run("clCreateContext", o, o->buffer);
			_exit(0);
		}
	} else {
		perror("fork");
		_exit(NOBODY);
	}
	step_run(first, o, o->buffer);
	steps_run_all(o, o->buffer);
}

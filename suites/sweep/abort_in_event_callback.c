/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The callback of a finished command asks what kind it was, and has no
 * other answer to a failure than the end.
 * EXPECT: crash clGetEventInfo oom-host
 */
#include <semaphore.h>

#include "sweep.h"

struct told {
	sem_t sem;
	cl_command_type type;
};

static void CL_CALLBACK tell(cl_event event, cl_int status, void *user)
{
	struct told *told = user;
	cl_int err = clGetEventInfo(event, CL_EVENT_COMMAND_TYPE,
				    sizeof(told->type), &told->type, NULL);

	(void)status;
#ifdef PLANTED
	/* PLANTED: in a thread of the driver's */
	if (err != CL_SUCCESS)
		abort();
#else
	if (err != CL_SUCCESS)
		told->type = 0;
#endif
	sem_post(&told->sem);
}

/* The fill does not begin before its callback is set: a gate holds it. While
 * that is shut there is no orderly end. */
static void behind_gate(cl_int err)
{
	if (err != CL_SUCCESS)
		_Exit(failed("what is behind the gate", err));
}

int main(void)
{
	struct setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int back[ITEMS] = { 0 };
	const cl_int three = 3;
	struct told told = { .type = 0 };
	cl_event done;
	cl_int err;
	cl_event gate = clCreateUserEvent(cl.context, &err);

	have(gate, err);
	sem_init(&told.sem, 0, 0);
	behind_gate(clEnqueueFillBuffer(cl.queue, mem, &three, sizeof(three),
					0, BYTES, 1, &gate, &done));
	behind_gate(clSetEventCallback(done, CL_COMPLETE, tell, &told));
	behind_gate(clFlush(cl.queue));
	behind_gate(clSetUserEventStatus(gate, CL_COMPLETE));
	sem_wait(&told.sem);
	if (told.type != CL_COMMAND_FILL_BUFFER)
		return failed("the event's type", CL_INVALID_EVENT);
	read_ints(&cl, mem, back);
	print_result(sum_of(back, ITEMS));
	must(clReleaseEvent(done));
	must(clReleaseEvent(gate));
	must(clReleaseMemObject(mem));
	close_cl(&cl);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An exception is this program's way to say that something failed; a callback
 * has no caller who would know what to do with one.
 * EXPECT: crash clGetEventInfo oom-host
 */
#include <semaphore.h>

#include <stdexcept>

#include "sweep.h"

struct Told {
	sem_t sem;
	cl_command_type type;
};

static cl_command_type type_of(cl_event event)
{
	cl_command_type type = 0;

	if (clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type,
			   nullptr) != CL_SUCCESS)
		throw std::runtime_error("an event without a type");
	return type;
}

static void CL_CALLBACK tell(cl_event event, cl_int, void *user)
{
	auto told = static_cast<Told *>(user);

#ifdef PLANTED
	/* PLANTED: it throws into the driver */
	told->type = type_of(event);
#else
	try {
		told->type = type_of(event);
	} catch (const std::exception &) {
		told->type = 0;
	}
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

int main()
{
	setup cl = open_cl();
	cl_mem mem = make_buffer(&cl, BYTES);
	cl_int back[ITEMS] = {};
	const cl_int three = 3;
	Told told = {};
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

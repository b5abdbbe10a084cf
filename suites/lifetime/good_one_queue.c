/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that orders commands of one queue that is out of order, each way
 * once, and what needs no order: reads of the same bytes, parts that do not
 * overlap.
 *
 * Needs: queues that are out of order
 */
#include "lifetime.h"

enum { MANY = 200 };

static cl_event fill(cl_command_queue queue, cl_mem mem, cl_int value,
		     cl_event behind)
{
	cl_event done;

	must(clEnqueueFillBuffer(queue, mem, &value, sizeof(value), 0, BYTES,
				 behind ? 1 : 0, behind ? &behind : NULL,
				 &done));
	return done;
}

static cl_int value_of(cl_command_queue queue, cl_mem mem, cl_event behind)
{
	cl_int got = 0;

	must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(got), &got,
				 behind ? 1 : 0, behind ? &behind : NULL,
				 NULL));
	return got;
}

/* The last of a chain of events is behind all of them. */
static void by_events(cl_command_queue queue, cl_mem mem, cl_mem other)
{
	cl_event first = fill(queue, mem, 1, NULL);
	cl_event then = fill(queue, other, 2, first);
	cl_event marker;

	must(clEnqueueMarkerWithWaitList(queue, 1, &then, &marker));
	expect(value_of(queue, mem, marker), 1);
	expect(value_of(queue, other, NULL), 2);
	must(clReleaseEvent(first));
	must(clReleaseEvent(then));
	must(clReleaseEvent(marker));
}

static void by_waits(cl_command_queue queue, cl_mem mem)
{
	cl_event done = fill(queue, mem, 3, NULL);
	cl_int status = CL_QUEUED;

	must(clWaitForEvents(1, &done));
	must(clReleaseEvent(done));
	expect(value_of(queue, mem, NULL), 3);
	done = fill(queue, mem, 4, NULL);
	must(clFlush(queue));
	while (status != CL_COMPLETE)
		must(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS,
				    sizeof(status), &status, NULL));
	must(clReleaseEvent(done));
	expect(value_of(queue, mem, NULL), 4);
	must(clReleaseEvent(fill(queue, mem, 5, NULL)));
	must(clFinish(queue));
	expect(value_of(queue, mem, NULL), 5);
}

static void by_barriers(cl_command_queue queue, cl_mem mem, cl_mem other)
{
	cl_event done = fill(queue, mem, 6, NULL);

	must(clEnqueueBarrierWithWaitList(queue, 1, &done, NULL));
	expect(value_of(queue, mem, NULL), 6);
	must(clReleaseEvent(done));
	must(clReleaseEvent(fill(queue, mem, 7, NULL)));
	must(clReleaseEvent(fill(queue, other, 8, NULL)));
	must(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
	expect(value_of(queue, mem, NULL), 7);
	expect(value_of(queue, other, NULL), 8);
}

/* The queue's commands are behind what another queue's event says. */
static void by_another(const struct setup *cl, cl_command_queue queue,
		       cl_mem mem)
{
	cl_event first = fill(queue, mem, 9, NULL), then;

	must(clEnqueueBarrierWithWaitList(cl->queue, 1, &first, NULL));
	then = fill(cl->queue, mem, 10, NULL);
	expect(value_of(queue, mem, then), 10);
	must(clReleaseEvent(first));
	must(clReleaseEvent(then));
}

static void without(cl_command_queue queue, cl_mem mem)
{
	static cl_int got[2];
	const cl_int value = 11;

	must(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, sizeof(*got), &got[0],
				 0, NULL, NULL));
	must(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, sizeof(*got), &got[1],
				 0, NULL, NULL));
	must(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
	for (size_t i = 0; i < MANY; i++)
		must(clEnqueueFillBuffer(queue, mem, &value, sizeof(value),
					 i * sizeof(value), sizeof(value), 0,
					 NULL, NULL));
	must(clEnqueueReadBuffer(queue, mem, CL_TRUE, MANY * sizeof(value),
				 sizeof(*got), &got[0], 0, NULL, NULL));
	must(clFinish(queue));
	expect(value_of(queue, mem, NULL), value);
}

int main(void)
{
	struct setup cl = open_device();
	cl_command_queue queue = new_out_of_order(&cl);
	cl_mem mem = new_ints(&cl), other = new_ints(&cl);

	by_events(queue, mem, other);
	by_waits(queue, mem);
	by_barriers(queue, mem, other);
	by_another(&cl, queue, mem);
	without(queue, mem);
	must(clReleaseMemObject(mem));
	must(clReleaseMemObject(other));
	must(clReleaseCommandQueue(queue));
	close_device(&cl);
	return 0;
}

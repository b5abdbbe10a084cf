/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands in for commands that the driver is not to execute. The same
 * kernel with a global size of 0 has the right type, queue, order and times;
 * a marker needs its type mended. Each event is kept by a reference of ours,
 * so that no other has its address meanwhile.
 */
#include "config.h"

#include "stand_in.h"

#include <pthread.h>
#include <string.h>

enum { MAX_EVENTS = 1024, MAX_WAITED = 64 };

static struct stand_in {
	cl_event event;
	cl_command_type type;
} events[MAX_EVENTS];
static unsigned int event_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void claw_stand_in_reset(void)
{
	pthread_mutex_init(&lock, NULL);
	event_count = 0;
}

static bool is_ours_alone(cl_event event)
{
	cl_uint references = 0;

	return !claw_next.clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT,
					 sizeof(references), &references,
					 NULL) && references == 1;
}

/* Under the lock. */
static struct stand_in *find(cl_event event)
{
	for (unsigned int i = 0; event && i < event_count; i++)
		if (events[i].event == event)
			return &events[i];
	return NULL;
}

/* One that does not fit keeps its marker's type, which is all. */
static void keep(cl_event event, cl_command_type type)
{
	struct stand_in *place = NULL;

	pthread_mutex_lock(&lock);
	if (event_count < MAX_EVENTS)
		place = &events[event_count++];
	for (unsigned int i = 0; !place && i < MAX_EVENTS; i++)
		if (is_ours_alone(events[i].event)) {
			place = &events[i];
			claw_next.clReleaseEvent(place->event);
		}
	if (place) {
		claw_next.clRetainEvent(event);
		*place = (struct stand_in){ event, type };
	}
	pthread_mutex_unlock(&lock);
}

bool claw_stand_in_is(cl_event event)
{
	bool found;

	pthread_mutex_lock(&lock);
	found = find(event) != NULL;
	pthread_mutex_unlock(&lock);
	return found;
}

/* Events of ours that have failed, or never end, are nothing to wait for:
 * pocl 3.1 would do so for ever. The others are, as many as there is room for
 * beside such. */
static cl_uint usable_list(const struct claw_call *call, cl_event *room,
			   cl_event const **ret_list)
{
	void *const *all;
	uint32_t count = claw_arg_list(call, CLAW_P_WAIT_LIST, &all);
	cl_uint kept = 0;
	bool is_whole = true;

	for (uint32_t i = 0; i < count; i++) {
		if (claw_device_is_hung_event(all[i]))
			is_whole = false;
		else if (kept < MAX_WAITED)
			room[kept++] = all[i];
	}
	if (is_whole)
		kept = count;
	*ret_list = !kept ? NULL : is_whole ? (cl_event const *)all : room;
	return kept;
}

static cl_int launch_nothing(const struct claw_call *call,
			     cl_command_queue queue, cl_uint count,
			     const cl_event *list, cl_event *event)
{
	static const size_t nothing[3];
	cl_kernel kernel = claw_arg_pointer(call, CLAW_P_KERNEL);
	cl_uint dimensions = 1;

	if (!kernel || !claw_next.clEnqueueNDRangeKernel)
		return CL_INVALID_OPERATION;
	if (call->api == CLAW_API_clEnqueueNDRangeKernel)
		dimensions = CLAW_ARG(call, clEnqueueNDRangeKernel, work_dim);
	if (dimensions > 3)
		return CL_INVALID_WORK_DIMENSION;
	return claw_next.clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL,
						nothing, NULL, count, list,
						event);
}

static cl_int mark(cl_command_queue queue, cl_uint count, const cl_event *list,
		   cl_event *event)
{
	if (claw_next.clEnqueueMarkerWithWaitList)
		return claw_next.clEnqueueMarkerWithWaitList(queue, count, list,
							     event);
	return claw_next.clEnqueueMarker ?
		claw_next.clEnqueueMarker(queue, event) : CL_OUT_OF_RESOURCES;
}

static cl_int make_event(const struct claw_call *call, cl_event *event)
{
	cl_command_queue queue = claw_device_queue_of(call);
	cl_event room[MAX_WAITED];
	const cl_event *list;
	cl_uint count = usable_list(call, room, &list);
	cl_int err = launch_nothing(call, queue, count, list, event);

	if (err)
		err = mark(queue, count, list, event);
	if (!err)
		keep(*event, claw_command_type(call->api));
	return err;
}

void claw_stand_in_take(struct claw_call *call)
{
	cl_event *event_out = claw_arg_pointer(call, CLAW_P_EVENT_OUT);
	cl_event event = NULL;
	cl_int err = CL_SUCCESS;

	if (event_out) {
		claw_ours_begin();
		err = make_event(call, &event);
		claw_ours_end();
	}
	if (event) {
		*event_out = event;
		claw_journal_live_add(call->thread, CLAW_OBJ_EVENT, 1);
	}
	claw_fail(call, err ? CL_OUT_OF_RESOURCES : CL_SUCCESS);
	call->flags |= CLAW_REC_SWALLOWED;
}

void claw_stand_in_patch(struct claw_call *call)
{
	cl_event_info name = CLAW_ARG(call, clGetEventInfo, param_name);
	void *value = CLAW_ARG(call, clGetEventInfo, param_value);
	struct stand_in found = { .event = NULL }, *place;
	cl_uint references;

	if (call->err || !event_count)
		return;
	pthread_mutex_lock(&lock);
	place = find(claw_arg_pointer(call, CLAW_P_EVENT));
	if (place)
		found = *place;
	pthread_mutex_unlock(&lock);
	if (!found.event)
		return;
	if (name == CL_EVENT_COMMAND_TYPE) {
		claw_device_answer(call, 2, &found.type, sizeof(found.type));
	} else if (name == CL_EVENT_REFERENCE_COUNT && value) {
		memcpy(&references, value, sizeof(references));
		references--;		/* one is ours */
		claw_device_answer(call, 2, &references, sizeof(references));
	}
}

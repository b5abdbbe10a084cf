/* SPDX-License-Identifier: Apache-2.0 */
/* Which devices, queue and context a call is about. */
#include "config.h"

#include "guest.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { MAX_DEVICES = 256 };

static struct {
	pthread_mutex_t lock;
	cl_device_id devices[MAX_DEVICES];
	_Atomic unsigned int device_count;
	_Atomic bool devices_known;
} listed = { .lock = PTHREAD_MUTEX_INITIALIZER };

static cl_command_queue (*told_queue)(cl_event event);

void claw_device_queue_tell(cl_command_queue (*teller)(cl_event event))
{
	told_queue = teller;
}

static void list_devices(void)
{
	cl_device_id found[MAX_DEVICES];
	cl_platform_id platforms[32];
	cl_uint platform_count = 0;
	unsigned int known = 0;

	claw_ours_begin();
	if (claw_next.clGetPlatformIDs(32, platforms, &platform_count))
		platform_count = 0;
	if (platform_count > 32)
		platform_count = 32;
	for (cl_uint i = 0; i < platform_count && known < MAX_DEVICES; i++) {
		cl_uint count = 0;

		if (claw_next.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL,
					     MAX_DEVICES - known,
					     found + known, &count))
			continue;
		if (count > MAX_DEVICES - known)
			count = MAX_DEVICES - known;
		known += count;
	}
	claw_ours_end();
	pthread_mutex_lock(&listed.lock);
	if (!listed.devices_known)
		memcpy(listed.devices, found, known * sizeof(*found));
	atomic_store(&listed.device_count, known);
	atomic_store(&listed.devices_known, true);
	pthread_mutex_unlock(&listed.lock);
}

int claw_device_index(cl_device_id device)
{
	if (!listed.devices_known)
		list_devices();
	for (unsigned int i = 0; i < listed.device_count; i++)
		if (listed.devices[i] == device)
			return (int)i;
	return -1;
}

unsigned int claw_device_count(void)
{
	if (!listed.devices_known)
		list_devices();
	return listed.device_count;
}

cl_device_id claw_device_at(unsigned int index)
{
	return index < claw_device_count() ? listed.devices[index] : NULL;
}

static unsigned int devices_of_context(cl_context context,
				       cl_device_id *devices, unsigned int max)
{
	size_t size = 0;

	if (!context || claw_next.clGetContextInfo(context, CL_CONTEXT_DEVICES,
			max * sizeof(*devices), devices, &size))
		return 0;
	return (unsigned int)(size / sizeof(*devices));
}

static cl_context context_of_event(cl_event event)
{
	cl_context context = NULL;

	claw_next.clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof(context),
				 &context, NULL);
	return context;
}

static cl_command_queue queue_of_event(cl_event event)
{
	cl_command_queue queue = told_queue ? told_queue(event) : NULL;

	if (queue)
		return queue;
	claw_next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue),
				 &queue, NULL);
	return queue;
}

/* The queue that the call goes into, also one that its event belongs to. */
cl_command_queue claw_device_queue_of(const struct claw_call *call)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	void *const *events;
	cl_event event;

	if (!queue)
		queue = claw_arg_pointer(call, CLAW_P_OPTIONAL_QUEUE);
	if (queue)
		return queue;
	event = claw_arg_pointer(call, CLAW_P_EVENT);
	if (!event && claw_arg_list(call, CLAW_P_EVENTS, &events))
		event = events[0];
	return event ? queue_of_event(event) : NULL;
}

cl_context claw_device_context_of(const struct claw_call *call)
{
	cl_context context = claw_arg_pointer(call, CLAW_P_CONTEXT);
	cl_command_queue queue;
	void *object;
	void *const *events;

	if (context)
		return context;
	queue = claw_device_queue_of(call);
	if (queue) {
		claw_next.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT,
						sizeof(context), &context, NULL);
	} else if ((object = claw_arg_pointer(call, CLAW_P_MEM))) {
		claw_next.clGetMemObjectInfo(object, CL_MEM_CONTEXT,
					     sizeof(context), &context, NULL);
	} else if ((object = claw_arg_pointer(call, CLAW_P_KERNEL))) {
		claw_next.clGetKernelInfo(object, CL_KERNEL_CONTEXT,
					  sizeof(context), &context, NULL);
	} else if ((object = claw_arg_pointer(call, CLAW_P_PROGRAM))) {
		claw_next.clGetProgramInfo(object, CL_PROGRAM_CONTEXT,
					   sizeof(context), &context, NULL);
	} else if ((object = claw_arg_pointer(call, CLAW_P_SAMPLER))) {
		claw_next.clGetSamplerInfo(object, CL_SAMPLER_CONTEXT,
					   sizeof(context), &context, NULL);
	} else if ((object = claw_arg_pointer(call, CLAW_P_EVENT))) {
		context = context_of_event(object);
	} else if (claw_arg_list(call, CLAW_P_EVENTS, &events)) {
		context = context_of_event(events[0]);
	}
	return context;
}

/* clCreateContextFromType names a platform and a type. */
static unsigned int devices_of_type(const struct claw_call *call,
				    cl_device_id *devices, unsigned int max)
{
	const cl_context_properties *property =
		CLAW_ARG(call, clCreateContextFromType, properties);
	cl_device_type type =
		CLAW_ARG(call, clCreateContextFromType, device_type);
	cl_platform_id platform = NULL;
	cl_uint count = 0;

	for (; property && *property; property += 2)
		if (*property == CL_CONTEXT_PLATFORM)
			platform = (cl_platform_id)property[1];
	if (!platform && claw_next.clGetPlatformIDs(1, &platform, NULL))
		return 0;
	if (claw_next.clGetDeviceIDs(platform, type, max, devices, &count))
		return 0;
	return count > max ? max : count;
}

static unsigned int find_devices(const struct claw_call *call,
				 cl_device_id *devices, unsigned int max)
{
	cl_device_id device = claw_arg_pointer(call, CLAW_P_DEVICE);
	cl_command_queue queue;
	void *const *list;
	uint32_t count;

	if (!device)
		device = claw_arg_pointer(call, CLAW_P_OPTIONAL_DEVICE);
	queue = device ? NULL : claw_device_queue_of(call);
	if (queue)
		claw_next.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE,
						sizeof(device), &device, NULL);
	if (device) {
		*devices = device;
		return 1;
	}
	count = claw_arg_list(call, CLAW_P_DEVICES, &list);
	if (count) {
		if (count > max)
			count = max;
		memcpy(devices, list, count * sizeof(*devices));
		return count;
	}
	if (call->api == CLAW_API_clCreateContextFromType)
		return devices_of_type(call, devices, max);
	return devices_of_context(claw_device_context_of(call), devices, max);
}

cl_device_id claw_device_whole(cl_device_id device)
{
	cl_device_id parent = NULL;

	claw_ours_begin();
	while (!claw_next.clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE,
					  sizeof(parent), &parent, NULL) &&
	       parent && parent != device)
		device = parent;
	claw_ours_end();
	return device;
}

unsigned int claw_device_of_call(const struct claw_call *call,
				 cl_device_id *devices, unsigned int max)
{
	claw_ours_begin();
	unsigned int count = find_devices(call, devices, max);

	if (count > max)
		count = max;
	for (unsigned int i = 0; i < count; i++)
		devices[i] = claw_device_whole(devices[i]);
	claw_ours_end();
	return count;
}

bool claw_device_needs_each(const struct claw_call *call)
{
	void *const *list;
	bool named = claw_api_makes_context(call->api) ||
		     claw_api_table[call->api].groups & CLAW_G_ALLOC ||
		     claw_arg_pointer(call, CLAW_P_DEVICE) ||
		     claw_arg_pointer(call, CLAW_P_OPTIONAL_DEVICE) ||
		     claw_arg_list(call, CLAW_P_DEVICES, &list);

	claw_ours_begin();
	named = named || claw_device_queue_of(call);
	claw_ours_end();
	return named;
}

cl_command_queue_properties
claw_queue_properties(cl_command_queue queue)
{
	cl_command_queue_properties properties = 0;

	claw_ours_begin();
	claw_next.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES,
					sizeof(properties), &properties, NULL);
	claw_ours_end();
	return properties;
}

bool claw_device_is_out_of_order(cl_command_queue queue)
{
	return claw_queue_properties(queue) &
	       CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
}

void claw_whose_reset(void)
{
	pthread_mutex_init(&listed.lock, NULL);
}

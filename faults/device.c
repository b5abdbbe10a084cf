/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stays wrong after a fault has fired: devices that are lost, queues
 * that hang, programs that could not be built. Everything here follows the
 * specification's text; device models come on top of it.
 */
#include "config.h"

#include "guest.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum {
	MAX_LOST = 64, MAX_GOOD_CONTEXTS = 64, MAX_HUNG_QUEUES = 256,
	MAX_HUNG_EVENTS = 1024, MAX_FAILED_PROGRAMS = 256, MAX_DEVICES = 256,
	MAX_CALLBACKS = 4,
};

static const char build_log[] =
	"<kernel>:1:1: error: build failed (INJECTED by openclaw)\n";

struct lost_device {
	cl_device_id device;
	unsigned int rule;
	uint64_t until_ns;	/* CLOCK_MONOTONIC; UINT64_MAX: for ever */
	bool by_context;	/* contexts made from now on work */
	cl_context good[MAX_GOOD_CONTEXTS];
	unsigned int good_count;
};

struct hung_queue {
	cl_command_queue queue;
	unsigned int rule;
	uint64_t until_ns;
	bool out_of_order;
};

/* A command that will not complete: the event that stands in for it. */
struct hung_event {
	cl_event event;		/* a user event, one reference is ours */
	cl_command_queue queue;
	cl_command_type type;
	unsigned int rule;
	uint64_t until_ns;
	bool ended;		/* its watchdog has struck */
	struct {
		void (CL_CALLBACK *notify)(cl_event, cl_int, void *);
		void *user;
	} callbacks[MAX_CALLBACKS];
	unsigned int callback_count;
};

struct failed_program {
	cl_program program;
	unsigned int rule;
	bool log;
};

static struct {
	pthread_mutex_t lock;
	struct lost_device lost[MAX_LOST];
	struct hung_queue queues[MAX_HUNG_QUEUES];
	struct hung_event events[MAX_HUNG_EVENTS];
	struct failed_program programs[MAX_FAILED_PROGRAMS];
	cl_device_id devices[MAX_DEVICES];
	_Atomic unsigned int lost_count, queue_count, event_count,
			     program_count, device_count;
	bool devices_known;
} state = { .lock = PTHREAD_MUTEX_INITIALIZER };

static uint64_t deadline_ns(uint64_t span_ns)
{
	return span_ns ? claw_now_ns() + span_ns : UINT64_MAX;
}

/* ------------------------------------------------------ what is whose */

static void list_devices(void)
{
	cl_platform_id platforms[32];
	cl_uint platform_count = 0;
	unsigned int known = 0;

	claw_ours_begin();
	if (claw_next.clGetPlatformIDs(32, platforms, &platform_count))
		platform_count = 0;
	if (platform_count > 32)
		platform_count = 32;
	for (cl_uint i = 0; i < platform_count; i++) {
		cl_uint count = 0;

		if (claw_next.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL,
					     MAX_DEVICES - known,
					     state.devices + known, &count))
			continue;
		if (count > MAX_DEVICES - known)
			count = MAX_DEVICES - known;
		known += count;
	}
	claw_ours_end();
	atomic_store(&state.device_count, known);
	state.devices_known = true;
}

int claw_device_index(cl_device_id device)
{
	if (!state.devices_known)
		list_devices();
	for (unsigned int i = 0; i < state.device_count; i++)
		if (state.devices[i] == device)
			return (int)i;
	return -1;
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
	cl_command_queue queue = NULL;

	for (unsigned int i = 0; i < state.event_count; i++)
		if (state.events[i].event == event)
			return state.events[i].queue;
	claw_next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue),
				 &queue, NULL);
	return queue;
}

/* The queue that the call goes into, also one that its event belongs to. */
static cl_command_queue queue_of_call(const struct claw_call *call)
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

static cl_context context_of_call(const struct claw_call *call)
{
	cl_context context = claw_arg_pointer(call, CLAW_P_CONTEXT);
	cl_command_queue queue;
	void *object;
	void *const *events;

	if (context)
		return context;
	queue = queue_of_call(call);
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
		*(const cl_context_properties *const *)call->args[0];
	cl_device_type type = *(const cl_device_type *)call->args[1];
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
	queue = device ? NULL : queue_of_call(call);
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
	return devices_of_context(context_of_call(call), devices, max);
}

unsigned int claw_device_of_call(const struct claw_call *call,
				 cl_device_id *devices, unsigned int max)
{
	claw_ours_begin();
	unsigned int count = find_devices(call, devices, max);
	claw_ours_end();
	return count > max ? max : count;
}

/* -------------------------------------------------------- device loss */

static bool is_context_creation(const struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	return info->effect == CLAW_CREATES && info->object == CLAW_OBJ_CONTEXT;
}

void claw_device_lose(struct claw_call *call, unsigned int rule_index)
{
	const struct claw_rule *rule = claw_rules_get(rule_index);
	cl_device_id devices[16];
	unsigned int count = claw_device_of_call(call, devices, 16);
	cl_int code = claw_rule_code(rule, call->api);

	pthread_mutex_lock(&state.lock);
	for (unsigned int i = 0; i < count; i++) {
		unsigned int n = state.lost_count;

		if (n == MAX_LOST)
			break;
		memset(&state.lost[n], 0, sizeof(state.lost[n]));
		state.lost[n].device = devices[i];
		state.lost[n].rule = rule_index;
		state.lost[n].until_ns = deadline_ns(rule->recover_ns);
		state.lost[n].by_context = rule->recover_context;
		atomic_store(&state.lost_count, n + 1);
	}
	pthread_mutex_unlock(&state.lock);
	claw_watch_all();
	claw_fail(call, code);
}

static bool is_good_context(const struct lost_device *lost, cl_context context)
{
	for (unsigned int i = 0; i < lost->good_count; i++)
		if (lost->good[i] == context)
			return true;
	return false;
}

/* The loss that this call meets, or NULL. */
static struct lost_device *find_loss(const struct claw_call *call)
{
	cl_device_id devices[16];
	unsigned int count = claw_device_of_call(call, devices, 16);
	uint64_t now = claw_now_ns();

	for (unsigned int i = 0; i < state.lost_count; i++) {
		struct lost_device *lost = &state.lost[i];

		if (now >= lost->until_ns)
			continue;
		for (unsigned int j = 0; j < count; j++) {
			cl_context context;

			if (devices[j] != lost->device)
				continue;
			if (!lost->by_context)
				return lost;
			if (is_context_creation(call))
				continue;
			claw_ours_begin();
			context = context_of_call(call);
			claw_ours_end();
			if (!is_good_context(lost, context))
				return lost;
		}
	}
	return NULL;
}

static void record_consequence(struct claw_call *call, unsigned int rule)
{
	call->rule = (uint16_t)(rule + 1);
	call->fault = (uint16_t)claw_rules_get(rule)->fault;
	call->flags |= CLAW_REC_CONSEQUENCE;
	claw_journal_rule_consequence(claw_journal_rule_at((int)rule));
}

static bool check_loss(struct claw_call *call)
{
	struct claw_rule probe = { .fault = CLAW_FAULT_DEVICE_LOST };
	cl_int code = claw_rule_code(&probe, call->api);
	struct lost_device *lost = code ? find_loss(call) : NULL;

	if (!lost)
		return false;
	claw_fail(call, code);
	record_consequence(call, lost->rule);
	claw_write_event(call, 0);
	return true;
}

/* ---------------------------------------------------------------- hang */

/* The command type that the enqueue's event should show, by its name. */
static cl_command_type command_type(enum claw_api api)
{
	static const struct { enum claw_api api; cl_command_type type; } types[] = {
		{ CLAW_API_clEnqueueNDRangeKernel, CL_COMMAND_NDRANGE_KERNEL },
		{ CLAW_API_clEnqueueTask, CL_COMMAND_TASK },
		{ CLAW_API_clEnqueueNativeKernel, CL_COMMAND_NATIVE_KERNEL },
		{ CLAW_API_clEnqueueReadBuffer, CL_COMMAND_READ_BUFFER },
		{ CLAW_API_clEnqueueWriteBuffer, CL_COMMAND_WRITE_BUFFER },
		{ CLAW_API_clEnqueueCopyBuffer, CL_COMMAND_COPY_BUFFER },
		{ CLAW_API_clEnqueueReadImage, CL_COMMAND_READ_IMAGE },
		{ CLAW_API_clEnqueueWriteImage, CL_COMMAND_WRITE_IMAGE },
		{ CLAW_API_clEnqueueCopyImage, CL_COMMAND_COPY_IMAGE },
		{ CLAW_API_clEnqueueCopyImageToBuffer, CL_COMMAND_COPY_IMAGE_TO_BUFFER },
		{ CLAW_API_clEnqueueCopyBufferToImage, CL_COMMAND_COPY_BUFFER_TO_IMAGE },
		{ CLAW_API_clEnqueueMapBuffer, CL_COMMAND_MAP_BUFFER },
		{ CLAW_API_clEnqueueMapImage, CL_COMMAND_MAP_IMAGE },
		{ CLAW_API_clEnqueueUnmapMemObject, CL_COMMAND_UNMAP_MEM_OBJECT },
		{ CLAW_API_clEnqueueMarker, CL_COMMAND_MARKER },
		{ CLAW_API_clEnqueueMarkerWithWaitList, CL_COMMAND_MARKER },
		{ CLAW_API_clEnqueueBarrierWithWaitList, CL_COMMAND_BARRIER },
		{ CLAW_API_clEnqueueReadBufferRect, CL_COMMAND_READ_BUFFER_RECT },
		{ CLAW_API_clEnqueueWriteBufferRect, CL_COMMAND_WRITE_BUFFER_RECT },
		{ CLAW_API_clEnqueueCopyBufferRect, CL_COMMAND_COPY_BUFFER_RECT },
		{ CLAW_API_clEnqueueFillBuffer, CL_COMMAND_FILL_BUFFER },
		{ CLAW_API_clEnqueueFillImage, CL_COMMAND_FILL_IMAGE },
		{ CLAW_API_clEnqueueMigrateMemObjects, CL_COMMAND_MIGRATE_MEM_OBJECTS },
		{ CLAW_API_clEnqueueSVMFree, CL_COMMAND_SVM_FREE },
		{ CLAW_API_clEnqueueSVMMemcpy, CL_COMMAND_SVM_MEMCPY },
		{ CLAW_API_clEnqueueSVMMemFill, CL_COMMAND_SVM_MEMFILL },
		{ CLAW_API_clEnqueueSVMMap, CL_COMMAND_SVM_MAP },
		{ CLAW_API_clEnqueueSVMUnmap, CL_COMMAND_SVM_UNMAP },
		{ CLAW_API_clEnqueueSVMMigrateMem, CL_COMMAND_SVM_MIGRATE_MEM },
		{ CLAW_API_clEnqueueAcquireGLObjects, CL_COMMAND_ACQUIRE_GL_OBJECTS },
		{ CLAW_API_clEnqueueReleaseGLObjects, CL_COMMAND_RELEASE_GL_OBJECTS },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].api == api)
			return types[i].type;
	return CL_COMMAND_USER;
}

static bool is_blocking(const struct claw_call *call)
{
	const cl_bool *blocking = claw_arg_address(call, CLAW_P_BLOCKING);

	if (blocking)
		return *blocking;
	return !(claw_api_table[call->api].groups & CLAW_G_ENQUEUE);
}

static void end_event(struct hung_event *hung)
{
	claw_next.clSetUserEventStatus(hung->event, CL_OUT_OF_RESOURCES);
	for (unsigned int i = 0; i < hung->callback_count; i++)
		hung->callbacks[i].notify(hung->event, CL_OUT_OF_RESOURCES,
					  hung->callbacks[i].user);
}

/*
 * The watchdog: events whose time is over end with an error. The program's
 * own callbacks run inside, so neither the lock nor the mark is held.
 */
static void end_overdue_events(void)
{
	uint64_t now = claw_now_ns();

	for (unsigned int i = 0; i < state.event_count; i++) {
		struct hung_event *hung = &state.events[i];
		bool mine = false;

		pthread_mutex_lock(&state.lock);
		if (!hung->ended && now >= hung->until_ns)
			mine = hung->ended = true;
		pthread_mutex_unlock(&state.lock);
		if (mine)
			end_event(hung);
	}
}

/* Stay in the call until the watchdog strikes. */
static void block(struct claw_call *call, uint64_t until_ns)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	call->flags |= CLAW_REC_BLOCKS;
	claw_write_event(call, 0);
	for (;;) {
		uint64_t now = claw_now_ns();

		if (now >= until_ns)
			break;
		uint64_t left = until_ns - now;
		claw_sleep_ns(left < 1000000000 ? left : 1000000000);
	}
	end_overdue_events();
	call->flags &= (uint16_t)~CLAW_REC_BLOCKS;
	claw_fail(call, claw_api_allows(call->api, CL_OUT_OF_RESOURCES) ||
		  !info->code_count ? CL_OUT_OF_RESOURCES : info->codes[0]);
}

/* Give the program the event of a command that never completes. */
static cl_int make_hung_event(struct claw_call *call, cl_command_queue queue,
			      unsigned int rule, uint64_t until_ns)
{
	cl_event *event_out = claw_arg_pointer(call, CLAW_P_EVENT_OUT);
	cl_context context = NULL;
	cl_int err = CL_SUCCESS;
	cl_event event;
	unsigned int n;

	if (!event_out)
		return CL_SUCCESS;
	claw_ours_begin();
	claw_next.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT,
					sizeof(context), &context, NULL);
	event = claw_next.clCreateUserEvent ?
		claw_next.clCreateUserEvent(context, &err) : NULL;
	if (event)
		claw_next.clRetainEvent(event);
	claw_ours_end();
	if (!event)
		return err ? err : CL_OUT_OF_RESOURCES;
	pthread_mutex_lock(&state.lock);
	n = state.event_count;
	if (n < MAX_HUNG_EVENTS) {
		state.events[n] = (struct hung_event){
			.event = event, .queue = queue, .rule = rule,
			.type = command_type(call->api), .until_ns = until_ns,
		};
		atomic_store(&state.event_count, n + 1);
	}
	pthread_mutex_unlock(&state.lock);
	*event_out = event;
	claw_journal_live_add(call->thread, CLAW_OBJ_EVENT, 1);
	return CL_SUCCESS;
}

/* Take an enqueue in without giving it to the driver. */
static void swallow(struct claw_call *call, cl_command_queue queue,
		    unsigned int rule, uint64_t until_ns)
{
	cl_int err = make_hung_event(call, queue, rule, until_ns);
	cl_int *errcode = claw_arg_pointer(call, CLAW_P_ERRCODE);

	call->injected = true;
	call->err = err;
	call->ret = NULL;
	if (errcode)
		*errcode = err;
	call->flags |= CLAW_REC_INJECTED | CLAW_REC_SWALLOWED;
}

static bool is_out_of_order(cl_command_queue queue)
{
	cl_command_queue_properties properties = 0;

	claw_ours_begin();
	claw_next.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES,
					sizeof(properties), &properties, NULL);
	claw_ours_end();
	return properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
}

static struct hung_queue *find_hung_queue(cl_command_queue queue)
{
	for (unsigned int i = 0; queue && i < state.queue_count; i++)
		if (state.queues[i].queue == queue &&
		    claw_now_ns() < state.queues[i].until_ns)
			return &state.queues[i];
	return NULL;
}

static struct hung_event *find_hung_event(cl_event event)
{
	for (unsigned int i = 0; event && i < state.event_count; i++)
		if (state.events[i].event == event)
			return &state.events[i];
	return NULL;
}

/* A map that hangs without blocking would have to give a pointer. */
static bool hangs_in_call(const struct claw_call *call)
{
	return is_blocking(call) || !claw_arg_pointer(call, CLAW_P_QUEUE) ||
	       claw_api_table[call->api].fails_as != CLAW_STATUS;
}

void claw_device_hang(struct claw_call *call, unsigned int rule_index)
{
	uint64_t until_ns = deadline_ns(claw_rules_get(rule_index)->hang_ns);
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	unsigned int n;

	if (hangs_in_call(call)) {
		block(call, until_ns);
		return;
	}
	pthread_mutex_lock(&state.lock);
	n = state.queue_count;
	if (n < MAX_HUNG_QUEUES) {
		state.queues[n] = (struct hung_queue){
			.queue = queue, .rule = rule_index,
			.until_ns = until_ns,
			.out_of_order = is_out_of_order(queue),
		};
		atomic_store(&state.queue_count, n + 1);
	}
	pthread_mutex_unlock(&state.lock);
	claw_watch_all();
	swallow(call, queue, rule_index, until_ns);
}

/* The first event in the list that will not complete, or NULL. */
static struct hung_event *hung_in_list(const struct claw_call *call,
				       enum claw_role role)
{
	void *const *list;
	uint32_t count = claw_arg_list(call, role, &list);

	for (uint32_t i = 0; i < count; i++) {
		struct hung_event *hung = find_hung_event(list[i]);

		if (hung && !hung->ended)
			return hung;
	}
	return NULL;
}

/* Does this command have to wait for the one that hangs in its queue? */
static bool waits_for_queue(const struct claw_call *call,
			    const struct hung_queue *hung)
{
	if (call->api == CLAW_API_clFlush)
		return false;
	if (!hung->out_of_order || call->api == CLAW_API_clFinish)
		return true;
	return claw_api_table[call->api].groups & CLAW_G_SYNC &&
	       !claw_arg_pointer(call, CLAW_P_WAIT_LIST);
}

static bool check_hang(struct claw_call *call)
{
	uint32_t groups = claw_api_table[call->api].groups;
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	struct hung_event *event = NULL;
	struct hung_queue *hung;
	unsigned int rule;
	uint64_t until_ns;

	if (!(groups & (CLAW_G_ENQUEUE | CLAW_G_SYNC)))
		return false;
	hung = find_hung_queue(queue);
	if (hung && !waits_for_queue(call, hung))
		hung = NULL;
	if (!hung) {
		event = hung_in_list(call, CLAW_P_WAIT_LIST);
		if (!event)
			event = hung_in_list(call, CLAW_P_EVENTS);
	}
	if (!hung && !event)
		return false;
	rule = hung ? hung->rule : event->rule;
	until_ns = hung ? hung->until_ns : event->until_ns;
	record_consequence(call, rule);
	if (hangs_in_call(call)) {
		block(call, until_ns);
		return true;
	}
	swallow(call, queue, rule, until_ns);
	claw_write_event(call, 0);
	return true;
}

/* Drivers differ about callbacks of failed user events (never, -5, 0): the
 * guest keeps those of its own and calls them itself. */
static bool keep_callback(struct claw_call *call)
{
	struct hung_event *hung;
	unsigned int n;

	if (call->api != CLAW_API_clSetEventCallback)
		return false;
	hung = find_hung_event(claw_arg_pointer(call, CLAW_P_EVENT));
	if (!hung || hung->ended)
		return false;
	pthread_mutex_lock(&state.lock);
	n = hung->callback_count;
	if (n < MAX_CALLBACKS) {
		memcpy(&hung->callbacks[n].notify, call->args[2], sizeof(void *));
		hung->callbacks[n].user = *(void *const *)call->args[3];
		hung->callback_count = n + 1;
	}
	pthread_mutex_unlock(&state.lock);
	claw_fail(call, n < MAX_CALLBACKS ? CL_SUCCESS : CL_OUT_OF_RESOURCES);
	return true;
}

/* -------------------------------------------------------------- builds */

static struct failed_program *find_failed(cl_program program)
{
	for (unsigned int i = 0; program && i < state.program_count; i++)
		if (state.programs[i].program == program)
			return &state.programs[i];
	return NULL;
}

static void forget_program(cl_program program)
{
	struct failed_program *failed;

	pthread_mutex_lock(&state.lock);
	failed = find_failed(program);
	if (failed)
		failed->program = NULL;
	pthread_mutex_unlock(&state.lock);
}

void claw_device_fail_build(struct claw_call *call, unsigned int rule_index)
{
	const struct claw_rule *rule = claw_rules_get(rule_index);
	cl_program program = claw_arg_pointer(call, CLAW_P_PROGRAM);
	void (CL_CALLBACK *const *notify)(cl_program, void *) =
		claw_arg_address(call, CLAW_P_NOTIFY);
	void *user = claw_arg_pointer(call, CLAW_P_USER_DATA);
	unsigned int n;

	pthread_mutex_lock(&state.lock);
	n = state.program_count;
	for (unsigned int i = 0; i < state.program_count; i++)
		if (!state.programs[i].program ||
		    state.programs[i].program == program)
			n = i;
	if (program && n < MAX_FAILED_PROGRAMS) {
		state.programs[n] = (struct failed_program){
			program, rule_index, rule->build_log,
		};
		if (n == state.program_count)
			atomic_store(&state.program_count, n + 1);
	}
	pthread_mutex_unlock(&state.lock);
	claw_watch_all();
	claw_fail(call, claw_rule_code(rule, call->api));
	/* "called when the program executable has been built (successfully
	 * or unsuccessfully)", OpenCL 3.0, clBuildProgram. */
	if (notify && *notify && program)
		(*notify)(program, user);
}

static bool check_build(struct claw_call *call)
{
	struct failed_program *failed;

	if (call->api != CLAW_API_clCreateKernel &&
	    call->api != CLAW_API_clCreateKernelsInProgram)
		return false;
	failed = find_failed(claw_arg_pointer(call, CLAW_P_PROGRAM));
	if (!failed)
		return false;
	claw_fail(call, CL_INVALID_PROGRAM_EXECUTABLE);
	record_consequence(call, failed->rule);
	claw_write_event(call, 0);
	return true;
}

/* ------------------------------------------------------------- queries */

/* Answer a query as the specification describes it (value, size, size_ret). */
static void answer(struct claw_call *call, unsigned int first_param,
		   const void *value, size_t size)
{
	size_t room = *(const size_t *)call->args[first_param];
	void *out = *(void *const *)call->args[first_param + 1];
	size_t *size_out = *(size_t *const *)call->args[first_param + 2];

	if (out && room < size) {
		call->err = CL_INVALID_VALUE;
		return;
	}
	if (out)
		memcpy(out, value, size);
	if (size_out)
		*size_out = size;
	call->err = CL_SUCCESS;
	call->flags |= CLAW_REC_INJECTED;
}

static void patch_device_info(struct claw_call *call)
{
	cl_device_info name = *(const cl_device_info *)call->args[1];
	cl_bool available = CL_FALSE;

	if (name == CL_DEVICE_AVAILABLE && !call->err) {
		struct lost_device *lost = find_loss(call);

		if (lost && !lost->by_context)
			answer(call, 2, &available, sizeof(available));
	}
}

static void patch_event_info(struct claw_call *call)
{
	struct hung_event *hung =
		find_hung_event(claw_arg_pointer(call, CLAW_P_EVENT));
	cl_event_info name = *(const cl_event_info *)call->args[1];

	if (!hung)
		return;
	if (name == CL_EVENT_COMMAND_TYPE)
		answer(call, 2, &hung->type, sizeof(hung->type));
	else if (name == CL_EVENT_COMMAND_QUEUE)
		answer(call, 2, &hung->queue, sizeof(hung->queue));
}

static void patch_build_info(struct claw_call *call)
{
	struct failed_program *failed =
		find_failed(claw_arg_pointer(call, CLAW_P_PROGRAM));
	cl_program_build_info name = *(const cl_program_build_info *)call->args[2];
	cl_build_status status = CL_BUILD_ERROR;

	if (!failed)
		return;
	if (name == CL_PROGRAM_BUILD_STATUS)
		answer(call, 3, &status, sizeof(status));
	else if (name == CL_PROGRAM_BUILD_LOG && failed->log)
		answer(call, 3, build_log, sizeof(build_log));
	else if (name == CL_PROGRAM_BUILD_LOG)
		answer(call, 3, "", 1);
}

void claw_device_patch(struct claw_call *call)
{
	switch (call->api) {
	case CLAW_API_clGetDeviceInfo:
		if (state.lost_count)
			patch_device_info(call);
		break;
	case CLAW_API_clGetEventInfo:
		if (state.event_count)
			patch_event_info(call);
		break;
	case CLAW_API_clGetProgramBuildInfo:
		if (state.program_count)
			patch_build_info(call);
		break;
	case CLAW_API_clBuildProgram:
	case CLAW_API_clCompileProgram:
		/* The driver built it after all. */
		if (state.program_count && !call->err)
			forget_program(claw_arg_pointer(call, CLAW_P_PROGRAM));
		break;
	default:
		break;
	}
}

bool claw_device_check(struct claw_call *call)
{
	if (state.event_count)
		end_overdue_events();
	if (state.event_count && keep_callback(call))
		return true;
	if (state.lost_count && check_loss(call))
		return true;
	if ((state.queue_count || state.event_count) && check_hang(call))
		return true;
	return state.program_count && check_build(call);
}

static void adopt_context(cl_context context)
{
	cl_device_id devices[16];
	unsigned int count = devices_of_context(context, devices, 16);

	for (unsigned int i = 0; i < state.lost_count; i++) {
		struct lost_device *lost = &state.lost[i];

		for (unsigned int j = 0; j < count && j < 16; j++)
			if (lost->by_context && lost->device == devices[j] &&
			    lost->good_count < MAX_GOOD_CONTEXTS)
				lost->good[lost->good_count++] = context;
	}
}

void claw_device_created(const struct claw_call *call)
{
	switch (claw_api_table[call->api].object) {
	case CLAW_OBJ_CONTEXT:
		if (!state.lost_count)
			break;
		claw_ours_begin();
		pthread_mutex_lock(&state.lock);
		adopt_context(call->ret);
		pthread_mutex_unlock(&state.lock);
		claw_ours_end();
		break;
	case CLAW_OBJ_PROGRAM:
		if (state.program_count)
			forget_program(call->ret);
		break;
	case CLAW_OBJ_QUEUE:
		pthread_mutex_lock(&state.lock);
		for (unsigned int i = 0; i < state.queue_count; i++)
			if (state.queues[i].queue == call->ret)
				state.queues[i].queue = NULL;
		pthread_mutex_unlock(&state.lock);
		break;
	default:
		break;
	}
}

void claw_device_reset(void)
{
	pthread_mutex_init(&state.lock, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL driver for the tests: every slot of the dispatch table and every
 * extension function of api.def, on a device that is this process. Objects
 * are counted, buffers hold bytes, handles are checked, and two kernels run:
 *
 *	copy(source, destination)	bytes, four a work-item
 *	fill(destination, value)	cl_uint, one a work-item
 *	crash()				writes to address 0
 *	hang()				never returns
 *
 * A kernel of any other name does nothing. A program's kernels are those that
 * its source declares (kernel void NAME); "#error" in it fails the build.
 * Commands are carried out when they are enqueued; only their events wait, for
 * user events in their wait list.
 *
 * Functions that are not by hand here (DO) come from the table: arguments are
 * checked by role, a STATUS succeeds, a HANDLE makes an object of its kind.
 *
 * STUB_SLOW in the environment makes functions take time (be_slow()), and with
 * STUB_CRASH_ONCE=FILE "crash" crashes only where it can make that file.
 *
 * stub_api.h says how a test asks how often the driver was really called.
 *
 * Build with faults/shared/api.c. -D variants:
 *	STUB_DEVICES=N		that many devices instead of one
 *	STUB_NULL_SLOTS		no EGL, no device fission, nothing since 2.0
 *	STUB_SHORT		says OpenCL 1.2, its table ends there, and what
 *				lies behind it cannot be read
 *	STUB_CONST		its table is read-only memory
 */
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "stub_api.h"
#include "stub_info.h"
#include "stub_object.h"

/* Every entry point has the parameters that the specification gives it. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#ifndef STUB_DEVICES
#define STUB_DEVICES 1
#endif

#define EXPORT __attribute__((visibility("default")))
#define LENGTH(array_) (sizeof(array_) / sizeof((array_)[0]))
#define OBJECT(handle_) ((struct stub_object *)(handle_))
#define FAIL(code_) do { *errcode_ret = (code_); return NULL; } while (0)

typedef void (*stub_function)(void);

struct stub_counter {
	atomic_ullong calls;
	atomic_ullong args[CLAW_MAX_PARAMS];
};

struct stub_allocation {
	struct stub_allocation *next;
	void *base;
	size_t size;
	cl_uint type;			/* CL_MEM_TYPE_*_INTEL; 0 for SVM */
	cl_device_id device;
};

static const struct _cl_icd_dispatch *dispatch;
static struct stub_object the_platform, root_devices[STUB_DEVICES];
static struct stub_counter counters[CLAW_API_COUNT];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t settled = PTHREAD_COND_INITIALIZER;
static struct stub_object *pending;	/* events that wait for others */
static struct stub_allocation *allocations;
static struct stub_object *dead_first, **dead_last = &dead_first;
static unsigned int dead_count;

enum { DEAD_KEPT = 256 };

/* --- objects --- */

static cl_ulong now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (cl_ulong)now.tv_sec * 1000000000u + (cl_ulong)now.tv_nsec;
}

static struct stub_object *use(struct stub_object *object)
{
	if (object)
		atomic_fetch_add(&object->uses, 1);
	return object;
}

static struct stub_object *object_new(int kind, struct stub_object *context,
				      struct stub_object *parent)
{
	struct stub_object *object = calloc(1, sizeof(*object));

	if (!object)
		return NULL;
	object->dispatch = dispatch;
	object->magic = STUB_MAGIC;
	object->kind = kind;
	atomic_init(&object->refs, 1);
	object->context = use(context);
	object->parent = use(parent);
	return object;
}

static void object_free(struct stub_object *object)
{
	free(object->text);
	free(object->options);
	free(object->properties);
	free(object->waits_for);
	if (object->owns_bytes)
		free(object->bytes);
	object->text = object->options = NULL;
	object->properties = NULL;
	object->waits_for = NULL;
	object->bytes = NULL;
}

static void run_destructors(struct stub_object *object)
{
	struct stub_callback *next;

	for (struct stub_callback *callback = object->callbacks; callback;
	     callback = next) {
		next = callback->next;
		if (object->kind != CLAW_OBJ_EVENT)
			((void (CL_CALLBACK *)(void *, void *))
			 callback->function)(object, callback->user_data);
		free(callback);
	}
	object->callbacks = NULL;
}

static void destroy_when_unused(struct stub_object *object);

static void unuse(struct stub_object *object)
{
	if (!object)
		return;
	atomic_fetch_sub(&object->uses, 1);
	destroy_when_unused(object);
}

static void bury(struct stub_object *object)
{
	struct stub_object *oldest = NULL;

	object->magic = STUB_DEAD;
	pthread_mutex_lock(&lock);
	*dead_last = object;
	dead_last = &object->next_dead;
	if (++dead_count > DEAD_KEPT) {
		oldest = dead_first;
		dead_first = oldest->next_dead;
		dead_count--;
	}
	pthread_mutex_unlock(&lock);
	free(oldest);
}

static void destroy_when_unused(struct stub_object *object)
{
	if (atomic_load(&object->refs) > 0 || atomic_load(&object->uses) > 0 ||
	    object->magic != STUB_MAGIC)
		return;
	run_destructors(object);
	for (cl_uint i = 0; i < object->wait_count; i++)
		unuse(object->waits_for[i]);
	object_free(object);
	unuse(object->queue);
	unuse(object->parent);
	unuse(object->context);
	bury(object);
}

static bool is_kind(const void *handle, int kind)
{
	const struct stub_object *object = handle;

	return object && object->magic == STUB_MAGIC && object->kind == kind;
}

static bool is_root_device(const struct stub_object *object)
{
	return object >= root_devices && object < root_devices + STUB_DEVICES;
}

static int add_callback(struct stub_object *object, cl_int trigger,
			stub_function function, void *user_data)
{
	struct stub_callback *callback = calloc(1, sizeof(*callback));

	if (!callback)
		return -1;
	callback->trigger = trigger;
	callback->function = function;
	callback->user_data = user_data;
	callback->next = object->callbacks;
	object->callbacks = callback;
	return 0;
}

/* Keep a zero-terminated list of property pairs for the query of it. */
static void keep_properties(struct stub_object *object, const void *list)
{
	const cl_ulong *pairs = list;
	size_t count = 0;

	if (!pairs)
		return;
	while (pairs[count])
		count += 2;
	object->properties = calloc(count + 1, sizeof(*pairs));
	if (!object->properties)
		return;
	memcpy(object->properties, pairs, (count + 1) * sizeof(*pairs));
	object->property_count = count + 1;
}

/* --- events --- */

static bool event_is_ready(struct stub_object *event, cl_int *ret_status)
{
	cl_int status = CL_COMPLETE;

	for (cl_uint i = 0; i < event->wait_count; i++) {
		cl_int other = event->waits_for[i]->status;

		if (other > CL_COMPLETE)
			return false;
		if (other < 0)
			status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	}
	*ret_status = status;
	return true;
}

static void run_event_callbacks(struct stub_object *event)
{
	struct stub_callback *callbacks, *next;

	pthread_mutex_lock(&lock);
	callbacks = event->callbacks;
	event->callbacks = NULL;
	pthread_mutex_unlock(&lock);
	for (; callbacks; callbacks = next) {
		cl_int status = event->status < 0 ? event->status :
				callbacks->trigger;

		next = callbacks->next;
		((void (CL_CALLBACK *)(cl_event, cl_int, void *))
		 callbacks->function)((cl_event)event, status,
				      callbacks->user_data);
		free(callbacks);
	}
}

/* Give an event its final status, and those that it was the last to hold up
 * theirs, then run their callbacks. */
static void event_finish(struct stub_object *event, cl_int status)
{
	struct stub_object *ready, *last, *next;
	bool again = true;

	pthread_mutex_lock(&lock);
	event->status = status;
	ready = last = use(event);
	ready->next_pending = NULL;
	while (again) {
		again = false;
		for (struct stub_object **link = &pending; *link;) {
			struct stub_object *waiting = *link;

			if (!event_is_ready(waiting, &status)) {
				link = &waiting->next_pending;
				continue;
			}
			*link = waiting->next_pending;
			waiting->status = status;
			waiting->next_pending = NULL;
			last->next_pending = waiting;
			last = waiting;
			again = true;
		}
	}
	pthread_cond_broadcast(&settled);
	pthread_mutex_unlock(&lock);
	for (; ready; ready = next) {
		next = ready->next_pending;
		run_event_callbacks(ready);
		unuse(ready);
	}
}

static struct stub_object *event_new(struct stub_object *queue,
				     cl_command_type command,
				     const cl_event *list, cl_uint count)
{
	struct stub_object *event;

	event = object_new(CLAW_OBJ_EVENT, queue ? queue->context : NULL, NULL);
	if (!event)
		return NULL;
	event->queue = use(queue);
	event->command = command;
	event->time_ns = now_ns();
	event->flags = queue ? queue->flags : 0;
	if (count) {
		event->waits_for = calloc(count, sizeof(struct stub_object *));
		if (!event->waits_for) {
			destroy_when_unused(event);
			return NULL;
		}
		for (cl_uint i = 0; i < count; i++)
			event->waits_for[i] = use(OBJECT(list[i]));
		event->wait_count = count;
	}
	pthread_mutex_lock(&lock);
	if (!event_is_ready(event, &event->status)) {
		event->status = CL_SUBMITTED;
		event->next_pending = pending;
		pending = use(event);
	}
	pthread_mutex_unlock(&lock);
	return event;
}

/* The worst status of the events, once none of them is under way. */
static cl_int wait_for(const cl_event *list, cl_uint count)
{
	cl_int worst = CL_COMPLETE;

	pthread_mutex_lock(&lock);
	for (cl_uint i = 0; i < count; i++) {
		while (OBJECT(list[i])->status > CL_COMPLETE)
			pthread_cond_wait(&settled, &lock);
		if (OBJECT(list[i])->status < worst)
			worst = OBJECT(list[i])->status;
	}
	pthread_mutex_unlock(&lock);
	return worst < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST :
	       CL_SUCCESS;
}

static bool queue_has_pending(const struct stub_object *queue)
{
	for (struct stub_object *event = pending; event;
	     event = event->next_pending)
		if (event->queue == queue)
			return true;
	return false;
}

/* --- what every call goes through --- */

static const struct {
	int kind;
	cl_int invalid;
	bool optional;
	bool list;
} roles[CLAW_P_ROLE_COUNT] = {
#define ONE(role_, kind_, code_) \
	[CLAW_P_##role_] = { CLAW_OBJ_##kind_, code_, false, false }
#define MAYBE(role_, kind_, code_) \
	[CLAW_P_##role_] = { CLAW_OBJ_##kind_, code_, true, false }
#define LIST(role_, kind_, code_) \
	[CLAW_P_##role_] = { CLAW_OBJ_##kind_, code_, false, true }
	MAYBE(PLATFORM, PLATFORM, CL_INVALID_PLATFORM),
	ONE(DEVICE, DEVICE, CL_INVALID_DEVICE),
	ONE(CONTEXT, CONTEXT, CL_INVALID_CONTEXT),
	ONE(QUEUE, QUEUE, CL_INVALID_COMMAND_QUEUE),
	ONE(MEM, MEM, CL_INVALID_MEM_OBJECT),
	ONE(SAMPLER, SAMPLER, CL_INVALID_SAMPLER),
	ONE(PROGRAM, PROGRAM, CL_INVALID_PROGRAM),
	ONE(KERNEL, KERNEL, CL_INVALID_KERNEL),
	ONE(EVENT, EVENT, CL_INVALID_EVENT),
	ONE(SEMAPHORE, SEMAPHORE, CL_INVALID_SEMAPHORE_KHR),
	ONE(COMMAND_BUFFER, COMMAND_BUFFER, CL_INVALID_COMMAND_BUFFER_KHR),
	MAYBE(OPTIONAL_DEVICE, DEVICE, CL_INVALID_DEVICE),
	MAYBE(OPTIONAL_QUEUE, QUEUE, CL_INVALID_COMMAND_QUEUE),
	LIST(DEVICES, DEVICE, CL_INVALID_DEVICE),
	LIST(QUEUES, QUEUE, CL_INVALID_COMMAND_QUEUE),
	LIST(MEMS, MEM, CL_INVALID_MEM_OBJECT),
	LIST(PROGRAMS, PROGRAM, CL_INVALID_PROGRAM),
	LIST(SEMAPHORES, SEMAPHORE, CL_INVALID_SEMAPHORE_KHR),
	LIST(COMMAND_BUFFERS, COMMAND_BUFFER, CL_INVALID_COMMAND_BUFFER_KHR),
	LIST(EVENTS, EVENT, CL_INVALID_EVENT),
	LIST(WAIT_LIST, EVENT, CL_INVALID_EVENT_WAIT_LIST),
#undef ONE
#undef MAYBE
#undef LIST
};

static cl_int check_list(enum claw_role role, cl_uint count,
			 void *const *items)
{
	if ((count == 0) != (items == NULL))
		return role == CLAW_P_WAIT_LIST ? CL_INVALID_EVENT_WAIT_LIST :
		       CL_INVALID_VALUE;
	for (cl_uint i = 0; i < count; i++)
		if (!is_kind(items[i], roles[role].kind))
			return roles[role].invalid;
	return CL_SUCCESS;
}

static cl_int check_param(const struct claw_api_info *info, unsigned int i,
			  void *const *args)
{
	enum claw_role role = (enum claw_role)info->roles[i];
	void *value;

	if (roles[role].kind == CLAW_OBJ_NONE)
		return CL_SUCCESS;
	value = *(void **)args[i];
	if (roles[role].list)
		return check_list(role, *(cl_uint *)args[i - 1], value);
	if (!value && roles[role].optional)
		return CL_SUCCESS;
	return is_kind(value, roles[role].kind) ? CL_SUCCESS :
	       roles[role].invalid;
}

static void *arg_of(enum claw_api api, void *const *args, enum claw_role role)
{
	int i = claw_api_find_param(api, role);

	return i < 0 ? NULL : args[i];
}

static cl_event *wait_list_of(enum claw_api api, void *const *args,
			      cl_uint *ret_count)
{
	int i = claw_api_find_param(api, CLAW_P_WAIT_LIST);

	*ret_count = i < 0 ? 0 : *(cl_uint *)args[i - 1];
	return i < 0 ? NULL : *(cl_event **)args[i];
}

/* The file whose name ends at a comma. */
static bool is_there(const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%.*s", (int)strcspn(name, ","), name);
	return access(path, F_OK) == 0;
}

/* STUB_SLOW="FUNCTION=MS[,FUNCTION=MS...]": its calls take that long;
 * "FUNCTION=/FILE": until that file is there; "FUNCTION=crash": they end the
 * process, "FUNCTION=abort" with words, as pocl without /sys. */
static void be_slow(const char *function)
{
	const char *at = getenv("STUB_SLOW");
	size_t length = strlen(function);

	for (; at && *at; at += strcspn(at, ","), at += *at == ',') {
		unsigned long ms;

		if (strncmp(at, function, length) != 0 || at[length] != '=')
			continue;
		if (!strncmp(at + length + 1, "crash", 5))
			raise(SIGSEGV);
		if (!strncmp(at + length + 1, "abort", 5)) {
			fputs("looking for memory\n"
			      "Not enough memory to run on this device.\n",
			      stderr);
			abort();
		}
		while (at[length + 1] == '/' && !is_there(at + length + 1))
			usleep(1000);
		ms = strtoul(at + length + 1, NULL, 10);
		usleep((useconds_t)ms * 1000);
	}
}

/* Count the call, check its handles, wait when it blocks. */
static cl_int begin(enum claw_api api, void *const *args, const size_t *sizes)
{
	const struct claw_api_info *info = &claw_api_table[api];
	const cl_bool *blocking;
	cl_int err = CL_SUCCESS;

	atomic_fetch_add_explicit(&counters[api].calls, 1,
				  memory_order_relaxed);
	for (unsigned int i = 0; i < info->param_count; i++) {
		unsigned long long bits = 0;

		memcpy(&bits, args[i], sizes[i]);
		atomic_store_explicit(&counters[api].args[i], bits,
				      memory_order_relaxed);
		if (err == CL_SUCCESS)
			err = check_param(info, i, args);
	}
	blocking = arg_of(api, args, CLAW_P_BLOCKING);
	if (err == CL_SUCCESS && blocking && *blocking) {
		cl_uint count;
		const cl_event *list = wait_list_of(api, args, &count);

		err = wait_for(list, count);
	}
	be_slow(info->name);
	return err;
}

static cl_command_type command_type(enum claw_api api);

static struct stub_object *queue_of(enum claw_api api, void *const *args)
{
	cl_command_queue *queue = arg_of(api, args, CLAW_P_QUEUE);
	cl_command_buffer_khr *buffer;

	if (queue)
		return OBJECT(*queue);
	buffer = arg_of(api, args, CLAW_P_COMMAND_BUFFER);
	return buffer ? OBJECT(*buffer)->queue : NULL;
}

/* After a command: its event. */
static cl_int end(enum claw_api api, void *const *args, cl_int err)
{
	cl_event **event = arg_of(api, args, CLAW_P_EVENT_OUT);
	const cl_event *list;
	cl_uint count;

	if (err != CL_SUCCESS || !event || !*event)
		return err;
	list = wait_list_of(api, args, &count);
	**event = (cl_event)event_new(queue_of(api, args), command_type(api),
				      list, count);
	return **event ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/* RETAINS and RELEASES on the first handle; other functions just succeed. */
static cl_int auto_status(enum claw_api api, void *const *args)
{
	const struct claw_api_info *info = &claw_api_table[api];
	struct stub_object *object;

	if (info->effect != CLAW_RETAINS && info->effect != CLAW_RELEASES)
		return CL_SUCCESS;
	object = *(struct stub_object **)args[0];
	if (is_root_device(object))
		return CL_SUCCESS;
	if (atomic_load(&object->refs) <= 0)
		return roles[info->roles[0]].invalid;
	if (info->effect == CLAW_RETAINS) {
		atomic_fetch_add(&object->refs, 1);
	} else {
		atomic_fetch_sub(&object->refs, 1);
		destroy_when_unused(object);
	}
	return CL_SUCCESS;
}

/* An object of the function's kind, in its context, with nothing in it. */
static void *auto_handle(enum claw_api api, void *const *args)
{
	const struct claw_api_info *info = &claw_api_table[api];
	cl_context *context = arg_of(api, args, CLAW_P_CONTEXT);

	return object_new((int)info->object,
			  context ? OBJECT(*context) : NULL, NULL);
}

cl_int stub_answer(const void *answer, size_t bytes, size_t param_value_size,
		   void *param_value, size_t *param_value_size_ret)
{
	if (param_value) {
		if (param_value_size < bytes)
			return CL_INVALID_VALUE;
		if (bytes)
			memcpy(param_value, answer, bytes);
	}
	if (param_value_size_ret)
		*param_value_size_ret = bytes;
	return CL_SUCCESS;
}

/* In a clGet*Info body: */
#define ANSWER(pointer_, bytes_) \
	return stub_answer(pointer_, bytes_, param_value_size, param_value, \
			   param_value_size_ret)
#define ANSWER_AS(type_, value_) \
	do { type_ answer_ = (type_)(value_); \
	     ANSWER(&answer_, sizeof(answer_)); } while (0)
#define ANSWER_TEXT(text_) \
	do { const char *text__ = (text_); \
	     if (!text__) text__ = ""; \
	     ANSWER(text__, strlen(text__) + 1); } while (0)
#define ANSWER_NOTHING	ANSWER("", 0)
#define ANSWER_PROPERTIES(object_) \
	ANSWER((object_)->properties, \
	       (object_)->property_count * sizeof(cl_ulong))

/* A body by hand: named do_clX, listed with HAND_clX at the end. */
#define DO(name_) \
	static CLAW_RET_##name_ CL_API_CALL do_##name_ CLAW_PARAMS(name_)

#include "stub_calls.h"

/* --- wrappers, tables, doors --- */

#define SIZE_OF(role_, param_, ...)	sizeof(param_),

#define SECOND_OF(first_, second_, ...)	second_
#define BODY_OF(...)	SECOND_OF(__VA_ARGS__, 0)
#define BODY(name_)	BODY_OF(HAND_##name_, auto_##name_)

#define AUTO_STATUS(name_)						\
	__attribute__((unused))						\
	static CLAW_RET_##name_ auto_##name_ CLAW_PARAMS(name_)	\
	{								\
		void *const args_[] = { CLAW_ADDRS(name_) };		\
		return auto_status(CLAW_API_##name_, args_);		\
	}
#define AUTO_HANDLE(name_)						\
	__attribute__((unused))						\
	static CLAW_RET_##name_ auto_##name_ CLAW_PARAMS(name_)	\
	{								\
		void *const args_[] = { CLAW_ADDRS(name_) };		\
		*errcode_ret = CL_SUCCESS;				\
		return auto_handle(CLAW_API_##name_, args_);		\
	}
#define AUTO_POINTER(name_)
#define AUTO_VOID(name_)

#define WRAP_STATUS(name_)						\
	static CLAW_RET_##name_ CL_API_CALL				\
	stub_##name_ CLAW_PARAMS(name_)				\
	{								\
		void *const args_[] = { CLAW_ADDRS(name_) };		\
		static const size_t sizes_[] =				\
			{ CLAW_SIG(name_, SIZE_OF) 0 };		\
		cl_int err_ = begin(CLAW_API_##name_, args_, sizes_);	\
		if (err_ == CL_SUCCESS)					\
			err_ = BODY(name_) CLAW_ARGS(name_);		\
		return end(CLAW_API_##name_, args_, err_);		\
	}
#define WRAP_HANDLE(name_)						\
	static CLAW_RET_##name_ CL_API_CALL				\
	stub_##name_ CLAW_PARAMS(name_)				\
	{								\
		void *const args_[] = { CLAW_ADDRS(name_) };		\
		static const size_t sizes_[] =				\
			{ CLAW_SIG(name_, SIZE_OF) 0 };		\
		cl_int err_ = begin(CLAW_API_##name_, args_, sizes_);	\
		cl_int **code_ = arg_of(CLAW_API_##name_, args_,	\
				       CLAW_P_ERRCODE);			\
		cl_int *errcode_ = code_ ? *code_ : NULL;		\
		CLAW_RET_##name_ made_ = NULL;				\
		if (code_)						\
			*code_ = &err_;					\
		if (err_ == CL_SUCCESS)					\
			made_ = BODY(name_) CLAW_ARGS(name_);		\
		if (made_)						\
			err_ = end(CLAW_API_##name_, args_, err_);	\
		else if (err_ == CL_SUCCESS)				\
			err_ = CL_OUT_OF_HOST_MEMORY;			\
		if (errcode_)						\
			*errcode_ = err_;				\
		return err_ == CL_SUCCESS ? made_ : NULL;		\
	}
#define WRAP_POINTER WRAP_HANDLE
#define WRAP_VOID(name_)						\
	static CLAW_RET_##name_ CL_API_CALL				\
	stub_##name_ CLAW_PARAMS(name_)				\
	{								\
		void *const args_[] = { CLAW_ADDRS(name_) };		\
		static const size_t sizes_[] =				\
			{ CLAW_SIG(name_, SIZE_OF) 0 };		\
		if (begin(CLAW_API_##name_, args_, sizes_) == CL_SUCCESS) \
			BODY(name_) CLAW_ARGS(name_);			\
	}

#define API(name_, fails_, ...)	AUTO_##fails_(name_) WRAP_##fails_(name_)
#define EXT API
#include "faults/shared/api.def"
#undef EXT
#undef API

#ifdef STUB_CONST
static const struct _cl_icd_dispatch table = {
#else
static struct _cl_icd_dispatch table = {
#endif
#define API(name_, ...) .name_ = stub_##name_,
#define EXT(...)
#include "faults/shared/api.def"
#undef EXT
#undef API
};

static const stub_function functions[CLAW_API_COUNT] = {
#define API(name_, ...) [CLAW_API_##name_] = (stub_function)stub_##name_,
#define EXT API
#include "faults/shared/api.def"
#undef EXT
#undef API
};

EXPORT cl_ulong CL_API_CALL clStubCallsOPENCLAW(const char *function)
{
	int api = claw_api_find(function);

	return api < 0 ? 0 : atomic_load(&counters[api].calls);
}

EXPORT cl_ulong CL_API_CALL clStubArgOPENCLAW(const char *function,
						cl_uint index)
{
	int api = claw_api_find(function);

	if (api < 0 || index >= CLAW_MAX_PARAMS)
		return 0;
	return atomic_load(&counters[api].args[index]);
}

static void *find_extension(const char *name)
{
	int api = claw_api_find(name);

	if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
		return (void *)(uintptr_t)clIcdGetPlatformIDsKHR;
	if (strcmp(name, "clStubCallsOPENCLAW") == 0)
		return (void *)(uintptr_t)clStubCallsOPENCLAW;
	if (strcmp(name, "clStubArgOPENCLAW") == 0)
		return (void *)(uintptr_t)clStubArgOPENCLAW;
	if (api < 0)
		return NULL;
	if (!claw_api_table[api].extension && !strstr(name, "KHR") &&
	    !strstr(name, "EXT") && !strstr(name, "GL"))
		return NULL;
	return (void *)(uintptr_t)functions[api];
}

static cl_command_type command_type(enum claw_api api)
{
	switch (api) {
	case CLAW_API_clEnqueueReadBuffer: return CL_COMMAND_READ_BUFFER;
	case CLAW_API_clEnqueueWriteBuffer: return CL_COMMAND_WRITE_BUFFER;
	case CLAW_API_clEnqueueCopyBuffer: return CL_COMMAND_COPY_BUFFER;
	case CLAW_API_clEnqueueFillBuffer: return CL_COMMAND_FILL_BUFFER;
	case CLAW_API_clEnqueueReadBufferRect:
		return CL_COMMAND_READ_BUFFER_RECT;
	case CLAW_API_clEnqueueWriteBufferRect:
		return CL_COMMAND_WRITE_BUFFER_RECT;
	case CLAW_API_clEnqueueCopyBufferRect:
		return CL_COMMAND_COPY_BUFFER_RECT;
	case CLAW_API_clEnqueueReadImage: return CL_COMMAND_READ_IMAGE;
	case CLAW_API_clEnqueueWriteImage: return CL_COMMAND_WRITE_IMAGE;
	case CLAW_API_clEnqueueCopyImage: return CL_COMMAND_COPY_IMAGE;
	case CLAW_API_clEnqueueFillImage: return CL_COMMAND_FILL_IMAGE;
	case CLAW_API_clEnqueueCopyImageToBuffer:
		return CL_COMMAND_COPY_IMAGE_TO_BUFFER;
	case CLAW_API_clEnqueueCopyBufferToImage:
		return CL_COMMAND_COPY_BUFFER_TO_IMAGE;
	case CLAW_API_clEnqueueMapBuffer: return CL_COMMAND_MAP_BUFFER;
	case CLAW_API_clEnqueueMapImage: return CL_COMMAND_MAP_IMAGE;
	case CLAW_API_clEnqueueUnmapMemObject:
		return CL_COMMAND_UNMAP_MEM_OBJECT;
	case CLAW_API_clEnqueueNDRangeKernel: return CL_COMMAND_NDRANGE_KERNEL;
	case CLAW_API_clEnqueueTask: return CL_COMMAND_TASK;
	case CLAW_API_clEnqueueNativeKernel: return CL_COMMAND_NATIVE_KERNEL;
	case CLAW_API_clEnqueueMarker:
	case CLAW_API_clEnqueueMarkerWithWaitList: return CL_COMMAND_MARKER;
	case CLAW_API_clEnqueueBarrierWithWaitList: return CL_COMMAND_BARRIER;
	case CLAW_API_clEnqueueMigrateMemObjects:
		return CL_COMMAND_MIGRATE_MEM_OBJECTS;
	case CLAW_API_clEnqueueAcquireGLObjects:
		return CL_COMMAND_ACQUIRE_GL_OBJECTS;
	case CLAW_API_clEnqueueReleaseGLObjects:
		return CL_COMMAND_RELEASE_GL_OBJECTS;
	case CLAW_API_clEnqueueSVMFree: return CL_COMMAND_SVM_FREE;
	case CLAW_API_clEnqueueSVMMemcpy: return CL_COMMAND_SVM_MEMCPY;
	case CLAW_API_clEnqueueSVMMemFill: return CL_COMMAND_SVM_MEMFILL;
	case CLAW_API_clEnqueueSVMMap: return CL_COMMAND_SVM_MAP;
	case CLAW_API_clEnqueueSVMUnmap: return CL_COMMAND_SVM_UNMAP;
	case CLAW_API_clEnqueueSVMMigrateMem:
		return CL_COMMAND_SVM_MIGRATE_MEM;
	default: return CL_COMMAND_USER + 0x100 + (cl_command_type)api;
	}
}

#ifdef STUB_SHORT
/* A table that ends with OpenCL 1.2, and a page behind it that faults. */
static const struct _cl_icd_dispatch *short_table(void)
{
	size_t bytes = offsetof(struct _cl_icd_dispatch,
				clCreateCommandQueueWithProperties);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || bytes > page)
		return &table;
	mprotect(pages + page, page, PROT_NONE);
	memcpy(pages + page - bytes, &table, bytes);
	return (const void *)(pages + page - bytes);
}
#endif

__attribute__((constructor))
static void set_up(void)
{
#ifdef STUB_NULL_SLOTS
	size_t first = offsetof(struct _cl_icd_dispatch,
				clCreateCommandQueueWithProperties);

	memset((char *)&table + first, 0, sizeof(table) - first);
	table.clCreateSubDevicesEXT = NULL;
	table.clRetainDeviceEXT = NULL;
	table.clReleaseDeviceEXT = NULL;
	table.clCreateFromEGLImageKHR = NULL;
	table.clEnqueueAcquireEGLObjectsKHR = NULL;
	table.clEnqueueReleaseEGLObjectsKHR = NULL;
	table.clCreateEventFromEGLSyncKHR = NULL;
#endif
#ifdef STUB_SHORT
	dispatch = short_table();
#else
	dispatch = &table;
#endif
	the_platform.dispatch = dispatch;
	the_platform.magic = STUB_MAGIC;
	the_platform.kind = CLAW_OBJ_PLATFORM;
	for (int i = 0; i < STUB_DEVICES; i++) {
		root_devices[i].dispatch = dispatch;
		root_devices[i].magic = STUB_MAGIC;
		root_devices[i].kind = CLAW_OBJ_DEVICE;
		atomic_init(&root_devices[i].refs, 1);
	}
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL
clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
		       cl_uint *num_platforms)
{
	return stub_clGetPlatformIDs(num_entries, platforms, num_platforms);
}

EXPORT CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddress(const char *function_name)
{
	return stub_clGetExtensionFunctionAddress(function_name);
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL
clGetPlatformInfo(cl_platform_id platform_id, cl_platform_info param_name,
		  size_t param_value_size, void *param_value,
		  size_t *param_value_size_ret)
{
	return stub_clGetPlatformInfo(platform_id, param_name, param_value_size,
				      param_value, param_value_size_ret);
}

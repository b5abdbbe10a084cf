/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All policy about a call: which rules look at it, which of them fires, what
 * the program is told, what is written down.
 *
 * Rules whose conditions are the same (but for when, p and times) share a
 * matcher: one counter, however many rules stand on it, and one number below
 * which none of them can fire.
 */
#include "config.h"

#include "guest.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "commands.h"
#include "compat.h"
#include "crash_log.h"
#include "early.h"
#include "ecc.h"
#include "failure.h"
#include "guards.h"
#include "image_bytes.h"
#include "instrument.h"
#include "ledger.h"
#include "life.h"
#include "memory_use.h"
#include "meter.h"
#include "slow.h"
#include "throttle.h"
#include "trace.h"
#include "model.h"

enum { MAX_RULES = CLAW_JOURNAL_MAX_RULES };

struct armed_rule {
	struct claw_rule rule;
	struct claw_journal_rule *slot;
	int slot_index;
	int next;		/* next rule of the same matcher, or -1 */
	_Atomic bool active;
	uint64_t match_base;	/* matches before it was armed */
	uint64_t fired_base;
};

struct matcher {
	const struct claw_rule *conditions;
	struct claw_journal_rule *slot;	/* its matched is the counter */
	int first;			/* index of its first rule */
	_Atomic uint64_t next_when;	/* no rule can fire below this match */
	bool plain;			/* no condition at all */
};

static struct armed_rule rules[MAX_RULES];
static struct matcher matchers[MAX_RULES];
static _Atomic unsigned int rule_count, matcher_count;
static uint16_t lists[CLAW_API_COUNT][MAX_RULES];
static _Atomic uint16_t list_lengths[CLAW_API_COUNT];
static pthread_mutex_t rules_lock = PTHREAD_MUTEX_INITIALIZER;
/* Whoever sets the ways sets them from all that is armed by then. */
static pthread_mutex_t flags_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool watch_all;
static uint64_t seed_of_run;

static __thread unsigned int ours_depth
	__attribute__((tls_model("initial-exec")));

/* Functions of the program's that were called back and have not returned. */
static __thread unsigned int callback_depth
	__attribute__((tls_model("initial-exec")));

/* What a driver does to errno in a call that is not the program's is nothing
 * that the program may see. */
static __thread int errno_before_ours
	__attribute__((tls_model("initial-exec")));

/* The match that claw_is_quiet() counted before it sent a call the long
 * way; 0: none. */
static __thread uint64_t counted_match
	__attribute__((tls_model("initial-exec")));

/* What the long way asks of the API table each time, looked up once. -1: no
 * such parameter. */
static struct shape {
	int8_t errcode, event_out, size, blocking;
	bool is_status, releases_mem;
	_Atomic uint64_t threads;	/* THREADS: bits of the numbers that rules name */
} shapes[CLAW_API_COUNT];
static bool shapes_known;

void claw_ours_begin(void)
{
	if (!ours_depth++)
		errno_before_ours = errno;
}

void claw_ours_end(void)
{
	if (!--ours_depth)
		errno = errno_before_ours;
}

bool claw_ours_is_on(void)
{
	return ours_depth;
}

unsigned int claw_ours_leave(void)
{
	unsigned int depth = ours_depth;

	ours_depth = 0;
	callback_depth++;
	return depth;
}

void claw_ours_return(unsigned int depth)
{
	ours_depth = depth;
	callback_depth--;
}

bool claw_is_called_back(void)
{
	return callback_depth;
}

uint64_t claw_now_ns(void)
{
	return claw_clock_mono_ns();
}

static uint64_t coarse_now_ns(void)
{
	struct timespec now;

#ifdef CLOCK_MONOTONIC_COARSE
	if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now) == 0)
		return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
	(void)now;
	return claw_now_ns();
}

void claw_sleep_ns(uint64_t ns)
{
	uint64_t end = claw_now_ns() + ns;
	struct timespec until = {
		.tv_sec = (time_t)(end / 1000000000u),
		.tv_nsec = (long)(end % 1000000000u),
	};
	int saved = errno;

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) ==
	       EINTR)
		;
	errno = saved;
}

/* ---------------------------------------------------------- parameters */

const void *claw_arg_address(const struct claw_call *call, enum claw_role role)
{
	int i = claw_api_find_param(call->api, role);

	return i < 0 ? NULL : call->args[i];
}

void *claw_arg_pointer(const struct claw_call *call, enum claw_role role)
{
	void *const *address = claw_arg_address(call, role);

	return address ? *address : NULL;
}

uint32_t claw_arg_list(const struct claw_call *call, enum claw_role role,
		       void *const **ret_list)
{
	int i = claw_api_find_param(call->api, role);

	*ret_list = NULL;
	if (i < 1)
		return 0;
	*ret_list = *(void *const *const *)call->args[i];
	return *ret_list ? *(const cl_uint *)call->args[i - 1] : 0;
}

static uint64_t region_bytes(const struct claw_call *call, unsigned int param)
{
	const size_t *region = *(const size_t *const *)call->args[param];

	return region ? (uint64_t)region[0] * region[1] * region[2] : 0;
}

static uint64_t image_bytes(const cl_image_format *format,
			    const cl_image_desc *desc)
{
	uint64_t height, depth, layers;

	if (!desc)
		return 0;
	height = desc->image_height ? desc->image_height : 1;
	depth = desc->image_depth ? desc->image_depth : 1;
	layers = desc->image_array_size ? desc->image_array_size : 1;
	return claw_image_element_bytes(format) * desc->image_width * height * depth * layers;
}

uint64_t claw_call_bytes(const struct claw_call *call)
{
	const size_t *size = claw_arg_address(call, CLAW_P_SIZE);
	const void *const *args = call->args;
#define ARG(type_, i_) (*(const type_ *)args[i_])

	if (size)
		return *size;
	switch (call->api) {
	case CLAW_API_clCreateImage:
		return image_bytes(ARG(cl_image_format *const, 2),
				   ARG(cl_image_desc *const, 3));
	case CLAW_API_clCreateImageWithProperties:
		return image_bytes(ARG(cl_image_format *const, 3),
				   ARG(cl_image_desc *const, 4));
	case CLAW_API_clCreateImage2D:
		return claw_image_element_bytes(ARG(cl_image_format *const, 2)) *
		       ARG(size_t, 3) * ARG(size_t, 4);
	case CLAW_API_clCreateImage3D:
		return claw_image_element_bytes(ARG(cl_image_format *const, 2)) *
		       ARG(size_t, 3) * ARG(size_t, 4) * ARG(size_t, 5);
	case CLAW_API_clCreateSubBuffer:
		return ARG(cl_buffer_region *const, 3) ?
			ARG(cl_buffer_region *const, 3)->size : 0;
	case CLAW_API_clEnqueueReadBufferRect:
	case CLAW_API_clEnqueueWriteBufferRect:
	case CLAW_API_clEnqueueCopyBufferRect:
		return region_bytes(call, 5);
	default:
		return 0;
	}
#undef ARG
}

uint64_t claw_call_handle(const struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	if (info->effect == CLAW_CREATES && call->ret)
		return (uintptr_t)call->ret;
	for (unsigned int i = 0; i < info->param_count; i++)
		if (info->roles[i] >= CLAW_P_PLATFORM &&
		    info->roles[i] <= CLAW_P_OPTIONAL_QUEUE)
			return (uintptr_t)*(void *const *)call->args[i];
	return 0;
}

/* ------------------------------------------------------------- outcome */

void claw_fail(struct claw_call *call, cl_int code)
{
	cl_int *errcode = claw_arg_pointer(call, CLAW_P_ERRCODE);

	call->injected = true;
	call->flags |= CLAW_REC_INJECTED;
	call->ret = NULL;
	call->err = code;
	if (errcode)
		*errcode = code;
	/* A program that goes on with the NULL of a failed creation is not to
	 * crash in a driver before it is told so. */
	if (code && claw_api_table[call->api].fails_as == CLAW_HANDLE)
		claw_handles_gave_null();
}

static bool is_null_argument(const struct claw_call *call)
{
	static const char zeros[sizeof(void *)];
	size_t size = *(const size_t *)call->args[2];
	const void *value = *(const void *const *)call->args[3];

	return value && size == sizeof(zeros) &&
	       !memcmp(value, zeros, sizeof(zeros));
}

/* Which kernel was launched, by its name, and which of its arguments are NULL,
 * is what a crash is asked for later (doc/journal.md). */
static uint64_t record_value(const struct claw_call *call)
{
	const char *name;

	if (claw_api_is_launch(call->api))
		return (uintptr_t)claw_arg_pointer(call, CLAW_P_KERNEL);
	switch (call->api) {
	case CLAW_API_clCreateKernel:
		name = *(const char *const *)call->args[1];
		return call->ret && name ?
			claw_journal_string(name, strlen(name)) : 0;
	case CLAW_API_clSetKernelArg:
		return 2 * (uint64_t)*(const cl_uint *)call->args[1] +
		       (!call->err && is_null_argument(call));
	default:
		return claw_call_bytes(call);
	}
}

static void fill_record(struct claw_journal_record *record,
			const struct claw_call *call, uint16_t flags)
{
	uint64_t start = call->start_ticks;

	memset(record, 0, sizeof(*record));
	record->ticks = start ? start : claw_journal_ticks();
	record->duration_ticks = start ?
		claw_journal_span(start, claw_journal_ticks()) : 0;
	record->ordinal = call->ordinal;
	record->handle = claw_call_handle(call);
	record->value = record_value(call);
	record->result = call->err;
	record->thread = claw_journal_thread_number();
	record->site = call->site;
	record->api = (uint16_t)call->api;
	record->flags = flags;
	record->rule = call->rule;
	record->fault = call->fault;
}

static void take_site(struct claw_call *call)
{
	struct claw_site site;

	if (call->site)
		return;
	claw_site_capture(&site);
	call->site = claw_site_record(&site);
}

uint64_t claw_write_event(struct claw_call *call, uint16_t extra_flags)
{
	struct claw_journal_record record;

	take_site(call);
	fill_record(&record, call, call->flags | extra_flags);
	if (record.flags & CLAW_REC_MISUSE)
		claw_journal_add_misuse();
	if (claw_trace_is_on())
		claw_trace_fired(call, record.flags);
	return claw_journal_event(&record);
}

void claw_write_slow(const struct claw_call *call, uint16_t flags,
		     uint32_t string)
{
	struct claw_journal_record record;
	struct claw_call plain;

	claw_call_begin(&plain, call->api, call->args);
	plain.ret = call->ret;
	plain.err = call->err;
	take_site(&plain);
	fill_record(&record, &plain, flags);
	record.handle = string;
	claw_journal_event(&record);
}

/* A handle of the driver that the call goes to, for its dispatch table. */
static const void *driver_handle(const struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	for (unsigned int i = 0; i < info->param_count; i++) {
		void *const *list;
		enum claw_role role = (enum claw_role)info->roles[i];

		if (role >= CLAW_P_PLATFORM && role <= CLAW_P_OPTIONAL_QUEUE &&
		    *(void *const *)call->args[i])
			return *(void *const *)call->args[i];
		if (role >= CLAW_P_DEVICES && role <= CLAW_P_WAIT_LIST &&
		    claw_arg_list(call, role, &list))
			return list[0];
	}
	return NULL;
}

/* clCreateContextFromType may name no object: the platform's, then. */
static const void *any_driver_handle(const struct claw_call *call)
{
	const void *handle = driver_handle(call);
	cl_platform_id platform = NULL;

	if (handle)
		return handle;
	claw_ours_begin();
	claw_next.clGetPlatformIDs(1, &platform, NULL);
	claw_ours_end();
	return platform;
}

static void give_null(struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	if (call->api == CLAW_API_clSetKernelArg) {
		static const void *const null_handle;

		/* The driver sets a NULL buffer: legal, and what the kernel
		 * then sees is 0. The parameter is the wrapper's own copy. */
		*(const void **)call->args[3] = &null_handle;
		call->flags |= CLAW_REC_INJECTED;
	} else if (info->groups & CLAW_G_TRANSFER) {
		call->flags |= CLAW_REC_INJECTED;
		call->post = true;	/* the driver maps, we hide it */
	} else {
		claw_fail(call, CL_SUCCESS);
		if (info->fails_as == CLAW_HANDLE)
			claw_handles_gave_null();
	}
}

/* Nothing came of it. */
static void take_back(struct claw_call *call, unsigned int index)
{
	__atomic_sub_fetch(&rules[index].slot->fired, 1, __ATOMIC_RELAXED);
	call->rule = 0;
	call->fault = CLAW_FAULT_NONE;
}

static void give_invalid(struct claw_call *call, unsigned int index)
{
	void *handle = claw_handles_make_invalid(any_driver_handle(call));

	if (!handle) {		/* which has been said */
		take_back(call, index);
		return;
	}
	claw_fail(call, CL_SUCCESS);
	call->ret = handle;
	claw_write_event(call, 0);
}

static void crash(void)
{
	volatile int *volatile nowhere = (volatile int *)8;

	*nowhere = 0;
}

/* The driver does it in the end, and the call takes longer. */
static void stall(struct claw_call *call, unsigned int index)
{
	uint64_t ns = rules[index].rule.stall_ns;

	call->flags |= CLAW_REC_DELAYED;
	claw_write_event(call, CLAW_REC_INJECTED);
	claw_sleep_ns(ns);
	claw_journal_rule_delayed(rules[index].slot, ns);
}

static void fail_transfer(struct claw_call *call, unsigned int index)
{
	if (rules[index].rule.stall_ns) {
		stall(call, index);
		return;
	}
	claw_failure_transfer(call, index);
	claw_write_event(call, 0);
}

static void crash_launch(struct claw_call *call, unsigned int index)
{
	if (rules[index].rule.fault == CLAW_FAULT_PARTIAL &&
	    !claw_failure_run_part(call, index)) {
		take_back(call, index);	/* the driver says what is wrong */
		return;
	}
	claw_failure_crash(call, index);
	claw_write_event(call, 0);
	claw_crash_log_injected(call, rules[index].rule.crash);
}

/* Whether it happens is known when the driver has taken the command, which
 * then has an event; see end_waiting(). */
static void wait_for_driver(struct claw_call *call, unsigned int index)
{
	const struct claw_rule *rule = &rules[index].rule;
	cl_event **event = (cl_event **)(uintptr_t)
		claw_arg_address(call, CLAW_P_EVENT_OUT);

	if (rule->fault == CLAW_FAULT_ECC && !rule->correctable &&
	    !claw_ecc_before(call, index)) {
		take_back(call, index);
		return;
	}
	call->waiting_rule = call->rule;
	call->rule = 0;		/* whoever refuses it is not the rule */
	call->fault = CLAW_FAULT_NONE;
	if (*event)
		return;
	*event = &call->fault_event;	/* the parameter is our copy */
	call->fault_lent = true;
}

/* A launch is slow for whoever waits for it, and for nobody if nobody does. */
static void fire_later(struct claw_call *call, unsigned int index)
{
	struct claw_journal_record record;

	take_site(call);
	fill_record(&record, call, call->flags | CLAW_REC_INJECTED);
	record.rule = (uint16_t)(index + 1);
	record.fault = (uint16_t)rules[index].rule.fault;
	claw_throttle_launched(call, index, &record);
}

static void end_waiting(struct claw_call *call)
{
	bool taken = (!call->injected || call->guarded) && !call->err;
	unsigned int index = call->waiting_rule - 1u;
	enum claw_fault fault = rules[index].rule.fault;
	bool is_later = taken && fault == CLAW_FAULT_THROTTLE;

	if (call->spoilt)
		claw_ecc_made(call, taken);
	if (is_later)
		fire_later(call, index);
	if (is_later || !taken) {
		__atomic_sub_fetch(&rules[index].slot->fired, 1,
				   __ATOMIC_RELAXED);
		return;
	}
	call->rule = call->waiting_rule;
	call->fault = (uint16_t)fault;
	claw_write_event(call, CLAW_REC_INJECTED);
	if (call->spoilt)
		claw_failure_begin(call, index, claw_now_ns());
}

/* Nobody is to take the event for the program's. */
static void end_lending(struct claw_call *call)
{
	cl_event **event = (cl_event **)(uintptr_t)
		claw_arg_address(call, CLAW_P_EVENT_OUT);

	*event = NULL;
	if (!call->fault_event || call->err)
		return;
	claw_ours_begin();
	claw_next.clReleaseEvent(call->fault_event);
	claw_ours_end();
}

/* Faults of a device that goes on working. */
static void apply_to_device(struct claw_call *call, unsigned int index)
{
	const struct claw_rule *rule = &rules[index].rule;

	switch (rule->fault) {
	case CLAW_FAULT_BUILD_DELAY:
		stall(call, index);
		break;
	case CLAW_FAULT_PCIE:
		fail_transfer(call, index);
		break;
	default:
		wait_for_driver(call, index);
		break;
	}
}

/*
 * Do what the rule says. The event is on disk before anything that may not
 * come back.
 */
static void apply(struct claw_call *call, unsigned int index)
{
	const struct claw_rule *rule = &rules[index].rule;

	switch (rule->fault) {
	case CLAW_FAULT_ERROR:
	case CLAW_FAULT_OOM:
	case CLAW_FAULT_OOM_HOST:
		claw_fail(call, claw_rule_code(rule, call->api));
		claw_write_event(call, 0);
		break;
	case CLAW_FAULT_NULL:
		give_null(call);
		claw_write_event(call, 0);
		break;
	case CLAW_FAULT_INVALID_HANDLE:
		give_invalid(call, index);
		break;
	case CLAW_FAULT_DEVICE_LOST:
		claw_device_lose(call, index);
		claw_write_event(call, 0);
		break;
	case CLAW_FAULT_HANG:
		claw_device_hang(call, index);
		if (call->flags & CLAW_REC_SWALLOWED)
			claw_write_event(call, 0);
		break;
	case CLAW_FAULT_GPU_CRASH:
	case CLAW_FAULT_PARTIAL:
		crash_launch(call, index);
		break;
	case CLAW_FAULT_BUILD_DELAY:
	case CLAW_FAULT_ECC:
	case CLAW_FAULT_PCIE:
	case CLAW_FAULT_THROTTLE:
		apply_to_device(call, index);
		break;
	case CLAW_FAULT_BUILD_FAIL:
		claw_write_event(call, CLAW_REC_INJECTED);
		claw_device_fail_build(call, index);
		break;
	case CLAW_FAULT_DRIVER_CRASH:
		claw_write_event(call, CLAW_REC_INJECTED | CLAW_REC_BLOCKS);
		crash();
		break;
	case CLAW_FAULT_BREAK:
		claw_write_event(call, CLAW_REC_INJECTED);
		raise(SIGTRAP);
		break;
	case CLAW_FAULT_NONE:
	case CLAW_FAULT_COUNT:
		claw_write_event(call, 0);
		break;
	}
}

/* ------------------------------------------------------------ matching */

/* What conditions need, found out once a call at most. */
struct evidence {
	struct claw_call *call;
	uint64_t bytes, now_ns;
	bool has_bytes, has_now, has_site, has_devices;
	bool has_kernel;
	struct claw_site site;
	char kernel[CLAW_RULE_WORD_MAX];
	cl_device_id devices[16];
	unsigned int device_count;
};

static const char *kernel_name(struct evidence *e)
{
	cl_kernel kernel;

	if (e->has_kernel)
		return e->kernel;
	e->has_kernel = true;
	e->kernel[0] = '\0';
	if (e->call->api == CLAW_API_clCreateKernel) {
		const char *name = *(const char *const *)e->call->args[1];
		size_t length = name ? strlen(name) : 0;

		if (length >= sizeof(e->kernel))
			length = sizeof(e->kernel) - 1;
		if (name)
			memcpy(e->kernel, name, length);
		e->kernel[length] = '\0';
		return e->kernel;
	}
	kernel = claw_arg_pointer(e->call, CLAW_P_KERNEL);
	claw_ours_begin();
	if (!kernel || claw_next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME,
			sizeof(e->kernel), e->kernel, NULL))
		e->kernel[0] = '\0';
	claw_ours_end();
	return e->kernel;
}

static bool device_matches(struct evidence *e, int device)
{
	if (!e->has_devices) {
		e->has_devices = true;
		e->device_count = claw_device_of_call(e->call, e->devices, 16);
	}
	for (unsigned int i = 0; i < e->device_count; i++)
		if (claw_device_index(e->devices[i]) == device)
			return true;
	return false;
}

/* A number that looks like a handle is one by value, if the driver knows
 * (it needs not: -cl-kernel-arg-info). */
static bool arg_is_value(const struct claw_call *call)
{
	cl_kernel_arg_address_qualifier where = 0;
	cl_int err = CL_INVALID_VALUE;

	claw_ours_begin();
	if (claw_next.clGetKernelArgInfo)
		err = claw_next.clGetKernelArgInfo(
			*(const cl_kernel *)call->args[0],
			*(const cl_uint *)call->args[1],
			CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(where), &where,
			NULL);
	claw_ours_end();
	return !err && where == CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

/* null=arg looks only at eight bytes that are a live memory object. */
static bool arg_is_live_mem(const struct claw_call *call)
{
	size_t size = *(const size_t *)call->args[2];
	const void *value = *(const void *const *)call->args[3];
	void *handle;

	if (size != sizeof(handle) || !value)
		return false;
	memcpy(&handle, value, sizeof(handle));
	return claw_handles_is_live_mem(handle) && !arg_is_value(call);
}

static bool rare_conditions_met(struct evidence *e, const struct claw_rule *rule)
{
	if (rule->has_after) {
		if (!e->has_now)
			e->now_ns = coarse_now_ns();
		e->has_now = true;
		if (e->now_ns < claw_guest.first_call_ns + rule->after_ns)
			return false;
	}
	if (rule->fault == CLAW_FAULT_NULL &&
	    e->call->api == CLAW_API_clSetKernelArg && !arg_is_live_mem(e->call))
		return false;
	if (*rule->kernel && !claw_glob_match(rule->kernel, kernel_name(e)))
		return false;
	if (rule->device >= 0 && !device_matches(e, rule->device))
		return false;
	if (rule->site || *rule->at || rule->pc_count) {
		if (!e->has_site)
			claw_site_capture(&e->site);
		e->has_site = true;
		if (!claw_site_matches(&e->site, rule))
			return false;
	}
	return true;
}

static bool conditions_met(struct evidence *e, const struct claw_rule *rule)
{
	if (rule->thread && rule->thread != claw_journal_thread_number())
		return false;
	if (rule->has_above) {
		if (!e->has_bytes)
			e->bytes = claw_call_bytes(e->call);
		e->has_bytes = true;
		if (e->bytes <= rule->above_bytes)
			return false;
	}
	return rare_conditions_met(e, rule);
}

static bool take_a_firing(struct armed_rule *armed)
{
	uint64_t fired = __atomic_load_n(&armed->slot->fired, __ATOMIC_RELAXED);
	uint64_t limit = armed->rule.times;

	do {
		if (limit && fired - armed->fired_base >= limit)
			return false;
	} while (!__atomic_compare_exchange_n(&armed->slot->fired, &fired,
			fired + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return true;
}

bool claw_rules_fire_late(unsigned int index,
			  const struct claw_journal_record *record)
{
	if (!take_a_firing(&rules[index]))
		return false;
	claw_journal_event(record);
	return true;
}

static bool fires(unsigned int index, uint64_t n)
{
	const struct claw_rule *rule = &rules[index].rule;

	if (!atomic_load_explicit(&rules[index].active, memory_order_relaxed))
		return false;
	n -= rules[index].match_base;
	if (rule->has_when &&
	    (n < rule->when_first || n > rule->when_last ||
	     (n - rule->when_first) % rule->when_step))
		return false;
	return rule->percent < 0 ||
	       claw_random(seed_of_run, index, n, 0) * 100 < rule->percent;
}

/* What the matchers of one call have decided. */
struct decision {
	unsigned int count;
	struct {
		unsigned int rule;
		uint64_t ordinal;	/* of its match */
	} chosen[64];			/* in no order */
};

static void consider(struct decision *d, const struct matcher *m, uint64_t n)
{
	for (int i = m->first; i >= 0; i = rules[i].next) {
		if (!fires((unsigned int)i, n))
			continue;
		if (d->count == sizeof(d->chosen) / sizeof(*d->chosen)) {
			claw_journal_add_damaged();
			return;
		}
		d->chosen[d->count].rule = (unsigned int)i;
		d->chosen[d->count++].ordinal = n;
	}
}

static uint64_t delay_of(unsigned int index, uint64_t n)
{
	const struct claw_rule *rule = &rules[index].rule;
	uint64_t span = rule->delay_high_ns - rule->delay_low_ns;

	return rule->delay_low_ns + (span == 0 ? 0 :
		(uint64_t)(claw_random(seed_of_run, index, n, 1) *
			   (double)span));
}

static void do_delay(struct claw_call *call, unsigned int index, uint64_t n)
{
	static const struct claw_rule no_memory = { .fault = CLAW_FAULT_OOM };
	uint64_t ns = delay_of(index, n);
	bool is_timeout = claw_slow_is_timeout(call->api, ns);

	call->flags |= CLAW_REC_DELAYED;
	call->rule = (uint16_t)(index + 1);
	/* Given up when the limit is over, as it fails without memory. */
	if (is_timeout) {
		ns = claw_guest.mem_timeout_ns;
		claw_fail(call, claw_rule_code(&no_memory, call->api));
	}
	if (call->injected || !rules[index].rule.fault) {
		call->fault = 0;
		claw_write_event(call, 0);
	}
	claw_sleep_ns(ns);
	claw_journal_rule_delayed(rules[index].slot, ns);
	if (is_timeout)
		claw_slow_given_up(call);
}

/* Of the rules that have a fault, the first that is not done; its place, or
 * -1. */
static int first_fault(const struct decision *d, unsigned int from)
{
	int best = -1;

	for (unsigned int i = 0; i < d->count; i++) {
		unsigned int rule = d->chosen[i].rule;

		if (rules[rule].rule.fault && rule >= from &&
		    (best < 0 || rule < d->chosen[best].rule))
			best = (int)i;
	}
	return best;
}

/* Two rules may want the same call: delays add up until one times out, the
 * first fault that may still fire wins, and only what happens counts as
 * fired. */
static void carry_out(struct claw_call *call, const struct decision *d)
{
	unsigned int index;
	int i;

	for (unsigned int j = 0; j < d->count && !call->injected; j++) {
		index = d->chosen[j].rule;
		if (!rules[index].rule.fault && take_a_firing(&rules[index]))
			do_delay(call, index, d->chosen[j].ordinal);
	}
	if (call->injected)
		return;
	i = first_fault(d, 0);
	while (i >= 0 && !take_a_firing(&rules[d->chosen[i].rule]))
		i = first_fault(d, d->chosen[i].rule + 1);
	if (i < 0)
		return;
	index = d->chosen[i].rule;
	call->rule = (uint16_t)(index + 1);
	call->fault = (uint16_t)rules[index].rule.fault;
	if (rules[index].rule.has_delay)
		do_delay(call, index, d->chosen[i].ordinal);
	if (!call->injected)
		apply(call, index);
}

static void decide(struct claw_call *call, unsigned int length)
{
	struct decision d;
	struct evidence e;

	d.count = 0;
	e.call = call;
	e.has_bytes = e.has_now = e.has_site = e.has_devices = false;
	e.has_kernel = false;
	for (unsigned int i = 0; i < length; i++) {
		const struct matcher *m = &matchers[lists[call->api][i]];
		uint64_t n = counted_match;

		if (!m->plain && !conditions_met(&e, m->conditions))
			continue;
		counted_match = 0;
		if (!n)
			n = claw_journal_rule_matched(m->slot);
		if (n >= atomic_load_explicit(&m->next_when,
					      memory_order_relaxed))
			consider(&d, m, n);
	}
	if (!d.count)
		return;
	if (e.has_site)
		call->site = claw_site_record(&e.site);
	carry_out(call, &d);
}

static inline void match(struct claw_call *call)
{
	unsigned int length = atomic_load_explicit(&list_lengths[call->api],
						   memory_order_acquire);

	if (length)
		decide(call, length);
}

bool claw_is_quiet(enum claw_api api, enum claw_way way)
{
	const struct matcher *m;
	uint32_t thread;
	uint64_t n;

	if (way == CLAW_LONG || ours_depth)
		return false;
	if (way == CLAW_THREADS) {
		thread = claw_journal_thread_number();
		return thread < 64 &&
		       !(atomic_load_explicit(&shapes[api].threads,
					      memory_order_relaxed) >>
			 thread & 1);
	}
	m = &matchers[lists[api][0]];
	n = claw_journal_rule_matched(m->slot);
	if (n < atomic_load_explicit(&m->next_when, memory_order_relaxed))
		return true;
	counted_match = n;
	return false;
}

void claw_record_short(enum claw_api api, const void *handle, uint64_t bytes,
		       cl_int result)
{
	struct claw_journal_record record = {
		.ticks = claw_journal_ticks(),
		.ordinal = claw_journal_ordinal(api),
		.handle = (uintptr_t)handle,
		.value = bytes,
		.result = result,
		.thread = claw_journal_thread_number(),
		.api = (uint16_t)api,
	};

	if (!ours_depth)
		claw_journal_call(&record);
}

/* ------------------------------------------------------- enter and leave */

/* Does this function wait for something besides its own work? */
static bool is_waiting_function(enum claw_api api)
{
	uint32_t groups = claw_api_table[api].groups;

	return groups & (CLAW_G_SYNC | CLAW_G_BUILD) && !(groups & CLAW_G_ENQUEUE);
}

static bool may_block(const struct claw_call *call)
{
	int i = shapes[call->api].blocking;

	if (i >= 0)
		return *(const cl_bool *)call->args[i];
	/* A driver's own thread may crash in the kernel meanwhile. */
	return is_waiting_function(call->api) || claw_api_is_launch(call->api);
}

static inline bool is_watching(void)
{
	return atomic_load_explicit(&watch_all, memory_order_relaxed);
}

static bool is_recorded(enum claw_api api)
{
	return claw_guest.record != CLAW_RECORD_NONE &&
	       (claw_guest.record_queries ||
		!(claw_api_table[api].groups & CLAW_G_QUERY));
}

/* A pointer of ours where the program gave none, so that the code is known. */
static void lend_errcode(struct claw_call *call)
{
	int i = shapes[call->api].errcode;
	cl_int **errcode;

	if (i < 0)
		return;
	errcode = (cl_int **)call->args[i];
	if (!*errcode) {
		*errcode = &call->err;
		call->replaced_errcode = true;
	}
}

/* Does the program take it that the driver did this? */
static inline bool is_real(const struct claw_call *call)
{
	return !call->injected || call->held || call->guarded;
}

/* Those who only look, and those who make the call a little different. */
static void look_before(struct claw_call *call, bool is_checked)
{
	if (claw_life_is_on() && !is_checked)
		claw_life_before(call);
	if (claw_commands_are_on() && is_real(call))
		claw_commands_before(call);
	if (claw_ledger_is_on() && is_real(call))
		claw_ledger_before(call);
	if (claw_life_is_on() && !call->injected)
		claw_life_releasing(call);
	if (claw_early_is_on() && !call->injected)
		claw_early_before(call);
	if (claw_guards_are_on() && !call->injected)
		claw_guards_before(call);
}

static void look_after(struct claw_call *call)
{
	if (claw_ledger_is_on())
		claw_ledger_after(call);
	if (claw_life_is_on())
		claw_life_after(call);
	if (claw_commands_are_on())
		claw_commands_after(call);
}

/* What is last before the driver. A creation may be made in there, another
 * call waits for what is done for its sake. */
static void begin_driver(struct claw_call *call, bool is_checked)
{
	bool is_alloc = claw_api_table[call->api].groups & CLAW_G_ALLOC;
	bool is_timed = claw_slow_watches(call->api);

	if (claw_crash_log_watches(call->api))
		claw_crash_log_before(call);
	if (is_timed && is_alloc)
		claw_slow_begin(call);
	look_before(call, is_checked);
	if (is_timed && !is_alloc && is_real(call))
		claw_slow_begin(call);
	else if (claw_api_table[call->api].groups & CLAW_G_ENQUEUE &&
		 is_real(call))
		claw_slow_enqueues();
	if (claw_throttle_is_on())
		claw_throttle_before(call);
	if (claw_instrument_is_on() && is_real(call))
		claw_instrument_before(call);
}

/* What stays wrong answers the call. *ret_checked: a handle that the program
 * has no more has been found, before anybody asks the driver about it. */
static bool is_answered(struct claw_call *call, bool *ret_checked)
{
	bool answered = false;

	if (is_watching()) {
		call->post = true;
		answered = claw_handles_check(call);
	}
	/* An answer is a finding, too. */
	*ret_checked = claw_life_is_on() &&
		       (is_watching() || claw_models_are_on());
	if (*ret_checked)
		claw_life_before(call);
	return answered || call->injected ||
	       (is_watching() && claw_device_check(call));
}

__thread const struct claw_call *claw_call_under_way;

void claw_enter(struct claw_call *call)
{
	bool recorded, is_checked;

	if (__builtin_expect(ours_depth, 0)) {
		call->ours = true;
		return;
	}
	if (__builtin_expect(!__atomic_load_n(&claw_page.alive,
					      __ATOMIC_ACQUIRE), 0))
		claw_guest_begin(true);
	call->outer = claw_call_under_way;
	claw_call_under_way = call;
	claw_journal_count(call->api);
	call->thread = claw_journal_thread_get();
	if (claw_meters_are_on())
		claw_meter_enter(call);
	recorded = is_recorded(call->api);
	if (recorded)
		call->start_ticks = claw_journal_ticks();
	call->ordinal = claw_journal_ordinal(call->api);
	if (claw_trace_is_on())
		claw_trace_before(call);
	lend_errcode(call);
	if (shapes[call->api].releases_mem)
		call->released = claw_handles_releasing_mem(
			claw_arg_pointer(call, CLAW_P_MEM));
	if (is_answered(call, &is_checked)) {
		counted_match = 0;
		return;
	}
	if (claw_memory_watches(call->api))
		claw_memory_before(call);
	if (!call->injected)
		match(call);
	if (claw_models_are_on() && !call->injected)
		claw_model_before(call);
	else if (claw_device_choice_interest(call->api) && !call->injected)
		claw_model_ask_devices(call);
	if (is_real(call))
		begin_driver(call, is_checked);
	if (recorded && claw_guest.all_sites)
		take_site(call);
	if (recorded && !call->injected && may_block(call)) {
		struct claw_journal_record record;

		fill_record(&record, call, CLAW_REC_BLOCKS);
		record.duration_ticks = 0;
		call->blocked_record = claw_journal_call(&record);
	}
}

/* The driver mapped; the program is told NULL, and the mapping goes. */
static void hide_mapping(struct claw_call *call)
{
	cl_command_queue queue = claw_arg_pointer(call, CLAW_P_QUEUE);
	cl_mem mem = claw_arg_pointer(call, CLAW_P_MEM);
	cl_event *event = claw_arg_pointer(call, CLAW_P_EVENT_OUT);

	if (!call->ret)
		return;
	claw_ours_begin();
	claw_next.clEnqueueUnmapMemObject(queue, mem, call->ret,
					  event && *event ? 1 : 0,
					  event && *event ? event : NULL, NULL);
	claw_ours_end();
	call->ret = NULL;
	call->err = CL_SUCCESS;
}

/* Shared memory is freed by a pointer, the last parameter; NULL is legal
 * there and frees nothing. */
static bool frees_null(const struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	return info->object == CLAW_OBJ_SVM &&
	       !*(void *const *)call->args[info->param_count - 1];
}

static void count_objects(struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	const struct shape *shape = &shapes[call->api];
	const cl_event *event = shape->event_out < 0 ? NULL :
		*(const cl_event *const *)call->args[shape->event_out];

	switch (info->effect) {
	case CLAW_CREATES:
		if (!call->ret)
			break;
		claw_journal_live_add(call->thread, info->object, 1);
		if (shape->size >= 0)
			claw_journal_bytes_add(call->thread,
				*(const size_t *)call->args[shape->size]);
		if (info->object == CLAW_OBJ_MEM)
			claw_handles_created_mem(call->ret);
		if (is_watching())
			claw_device_created(call);
		break;
	case CLAW_RETAINS:
		claw_journal_live_add(call->thread, info->object, 1);
		if (info->object == CLAW_OBJ_MEM)
			claw_handles_retained_mem(claw_arg_pointer(call,
								   CLAW_P_MEM));
		break;
	case CLAW_RELEASES:
		if (frees_null(call))
			break;
		claw_journal_live_add(call->thread, info->object, -1);
		break;
	case CLAW_NOTHING:
		break;
	}
	if (event && *event)
		claw_journal_live_add(call->thread, CLAW_OBJ_EVENT, 1);
}

/* The code of a handle or pointer that the driver did or did not give. */
static void read_errcode(struct claw_call *call)
{
	const struct shape *shape = &shapes[call->api];

	if (shape->is_status)
		return;
	if (call->ret)
		call->err = CL_SUCCESS;
	else if (shape->errcode >= 0)
		call->err = **(cl_int *const *)call->args[shape->errcode];
}

bool claw_call_again(struct claw_call *call)
{
	if (call->ours || !claw_life_is_on())
		return false;
	read_errcode(call);
	return claw_life_again(call);
}

static void write_call(struct claw_call *call)
{
	struct claw_journal_record record;

	if (call->blocked_record) {
		claw_journal_call_returned(call->blocked_record, call->err,
			claw_call_handle(call),
			claw_journal_span(call->start_ticks,
					  claw_journal_ticks()));
		return;
	}
	fill_record(&record, call, call->flags);
	claw_journal_call(&record);
}

/* Does a driver load its compiler there? LLVM has handlers of its own. */
static bool starts_driver(enum claw_api api)
{
	return claw_api_table[api].groups & CLAW_G_BUILD ||
	       claw_api_makes_context(api);
}

void claw_leave(struct claw_call *call)
{
	if (call->ours)
		return;
	if (call->probed_kernel)
		claw_instrument_launched(call);
	if (call->slow_start_ns && is_real(call)) {
		read_errcode(call);
		claw_slow_end(call);
	}
	if (call->api == CLAW_API_clFinish && !call->injected && !call->err)
		claw_slow_finished();
	if (claw_guards_are_on() && (!call->injected || call->guarded))
		claw_guards_after(call);
	if (call->waiting_rule)
		end_waiting(call);
	if (is_real(call))
		read_errcode(call);
	if (call->early || call->early_gate)
		claw_early_after(call, is_real(call) && !call->err);
	if (is_real(call) && call->post && call->fault == CLAW_FAULT_NULL &&
	    claw_api_table[call->api].groups & CLAW_G_TRANSFER)
		hide_mapping(call);
	if (claw_models_are_on() && is_real(call))
		claw_model_after(call);
	else if (call->model_bits)	/* somebody has answered it since */
		claw_model_untake(call);
	if (call->fault_lent)
		end_lending(call);
	if (is_real(call)) {
		if (call->post)
			claw_device_patch(call);
		if (claw_failure_is_on())
			claw_failure_after(call);
		if (claw_throttle_is_on())
			claw_throttle_after(call);
		if (!call->err)
			count_objects(call);
		look_after(call);
		if (claw_instrument_is_on())
			claw_instrument_after(call);
		if (starts_driver(call->api))
			claw_watch_again();
	} else if (claw_ledger_is_on() && call->flags & CLAW_REC_SWALLOWED) {
		claw_ledger_swallowed(call);
	} else if (claw_life_is_on() && call->err &&
		   claw_api_table[call->api].fails_as == CLAW_HANDLE) {
		claw_life_after(call);
	}
	if (claw_early_is_on())
		claw_early_look();
	if (claw_ecc_is_on())
		claw_ecc_look();
	if (claw_memory_watches(call->api))
		claw_memory_after(call);
	if (claw_crash_log_watches(call->api) && is_real(call))
		claw_crash_log_after(call);
	if (call->err && call->released)
		claw_handles_kept_mem(claw_arg_pointer(call, CLAW_P_MEM));
	if (claw_trace_is_on())
		claw_trace_after(call);
	if (claw_meters_are_on())
		claw_meter_leave(call);
	if (call->start_ticks)
		write_call(call);
	claw_call_under_way = call->outer;
}

/* --------------------------------------------------------------- rules */

static bool same_conditions(const struct claw_rule *a, const struct claw_rule *b)
{
	return !memcmp(a->targets, b->targets, sizeof(a->targets)) &&
	       a->has_above == b->has_above && a->above_bytes == b->above_bytes &&
	       a->has_after == b->has_after && a->after_ns == b->after_ns &&
	       !strcmp(a->kernel, b->kernel) && a->device == b->device &&
	       a->thread == b->thread && a->site == b->site &&
	       !strcmp(a->at, b->at) && a->pc_count == b->pc_count &&
	       !memcmp(a->pcs, b->pcs, sizeof(a->pcs)) &&
	       (a->fault == CLAW_FAULT_NULL) == (b->fault == CLAW_FAULT_NULL);
}

static uint64_t first_when(const struct claw_rule *rule)
{
	return rule->has_when ? rule->when_first : 1;
}

static bool is_plain(const struct claw_rule *rule)
{
	return !rule->has_above && !rule->has_after && !*rule->kernel &&
	       rule->device < 0 && !rule->thread && !rule->site && !*rule->at &&
	       !rule->pc_count && rule->fault != CLAW_FAULT_NULL;
}

static void add_matcher(unsigned int index)
{
	unsigned int m = matcher_count;
	const struct claw_rule *rule = &rules[index].rule;

	matchers[m].conditions = rule;
	matchers[m].slot = rules[index].slot;
	matchers[m].first = (int)index;
	matchers[m].plain = is_plain(rule);
	atomic_store(&matchers[m].next_when, first_when(rule));
	atomic_store(&matcher_count, m + 1);
	for (unsigned int api = 0; api < CLAW_API_COUNT; api++) {
		uint16_t length = list_lengths[api];

		if (!claw_rule_targets(rule, (enum claw_api)api))
			continue;
		lists[api][length] = (uint16_t)m;
		atomic_store_explicit(&list_lengths[api], (uint16_t)(length + 1),
				      memory_order_release);
	}
}

/* Join a matcher with the same conditions; only before the first call, so
 * that the counts are the same. */
static bool join_matcher(unsigned int index)
{
	for (unsigned int m = 0; m < matcher_count; m++) {
		struct matcher *matcher = &matchers[m];
		int last = matcher->first;

		if (!same_conditions(matcher->conditions, &rules[index].rule))
			continue;
		while (rules[last].next >= 0)
			last = rules[last].next;
		rules[last].next = (int)index;
		rules[index].slot->matched_in =
			(uint64_t)rules[matcher->first].slot_index + 1;
		if (first_when(&rules[index].rule) < matcher->next_when)
			matcher->next_when = first_when(&rules[index].rule);
		return true;
	}
	return false;
}

/* The same rule armed before by the program and disarmed since. */
static int find_disarmed(const struct claw_rule *rule)
{
	for (unsigned int i = 0; i < rule_count; i++)
		if (!rules[i].active && !strcmp(rules[i].rule.text, rule->text) &&
		    !rules[i].slot->matched_in && rules[i].next < 0)
			return (int)i;
	return -1;
}

static bool rule_is_for_this_program(const struct claw_rule *rule)
{
	return !*rule->exe || claw_glob_match(rule->exe, claw_guest.exe);
}

static int add_rule(const struct claw_rule *rule)
{
	int index = find_disarmed(rule);
	bool ours = rule_is_for_this_program(rule);

	if (index >= 0) {
		struct armed_rule *again = &rules[index];

		again->match_base = again->slot->matched;
		again->fired_base = again->slot->fired;
		for (unsigned int m = 0; m < matcher_count; m++)
			if (matchers[m].first == index)
				matchers[m].next_when = again->match_base +
					first_when(rule);
		atomic_store(&again->active, true);
		return index;
	}
	index = (int)rule_count;
	if (index == MAX_RULES)
		return -1;
	rules[index].rule = *rule;
	rules[index].slot_index = claw_journal_rule_add(rule->text, ours);
	rules[index].slot = claw_journal_rule_at(rules[index].slot_index);
	rules[index].next = -1;
	atomic_store(&rules[index].active, ours);
	atomic_store(&rule_count, (unsigned int)index + 1);
	if (!ours)
		return index;
	if (rule->fault == CLAW_FAULT_NULL && rule->null_kinds & CLAW_NULL_ARG &&
	    claw_rule_targets(rule, CLAW_API_clSetKernelArg))
		claw_handles_track_mems();
	if (claw_guest.begun || !join_matcher((unsigned int)index))
		add_matcher((unsigned int)index);
	return index;
}

int claw_rules_add(const struct claw_rule *rule)
{
	int index;

	pthread_mutex_lock(&rules_lock);
	index = add_rule(rule);
	pthread_mutex_unlock(&rules_lock);
	claw_set_ways();
	return index;
}

void claw_rules_disarm(unsigned int index)
{
	if (index < rule_count)
		atomic_store(&rules[index].active, false);
}

uint64_t claw_rules_fired(unsigned int index)
{
	if (index >= rule_count)
		return 0;
	return __atomic_load_n(&rules[index].slot->fired, __ATOMIC_RELAXED) -
	       rules[index].fired_base;
}

const struct claw_rule *claw_rules_get(unsigned int index)
{
	return &rules[index].rule;
}

/* In a forked child: the rules stay, their counts start again. */
void claw_rules_reset(void)
{
	pthread_mutex_init(&rules_lock, NULL);
	pthread_mutex_init(&flags_lock, NULL);
	for (unsigned int i = 0; i < rule_count; i++) {
		rules[i].match_base = 0;
		rules[i].fired_base = 0;
	}
	for (unsigned int m = 0; m < matcher_count; m++) {
		uint64_t lowest = UINT64_MAX;

		for (int i = matchers[m].first; i >= 0; i = rules[i].next)
			if (first_when(&rules[i].rule) < lowest)
				lowest = first_when(&rules[i].rule);
		matchers[m].next_when = lowest;
	}
}

/* --------------------------------------------------------------- flags */

static void find_shape(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];
	struct shape *shape = &shapes[api];

	shape->errcode = (int8_t)claw_api_find_param(api, CLAW_P_ERRCODE);
	shape->event_out = (int8_t)claw_api_find_param(api, CLAW_P_EVENT_OUT);
	shape->size = (int8_t)claw_api_find_param(api, CLAW_P_SIZE);
	shape->blocking = (int8_t)claw_api_find_param(api, CLAW_P_BLOCKING);
	shape->is_status = info->fails_as == CLAW_STATUS ||
			   info->fails_as == CLAW_VOID;
	shape->releases_mem = info->effect == CLAW_RELEASES &&
			      info->object == CLAW_OBJ_MEM;
}

/* Bits of the threads that the rules of this function name, if that is the
 * first thing each of them asks; 0 if not. */
static uint64_t thread_bits(enum claw_api api)
{
	uint64_t bits = 0;

	for (unsigned int i = 0; i < list_lengths[api]; i++) {
		unsigned int thread =
			matchers[lists[api][i]].conditions->thread;

		if (!thread || thread > 63)
			return 0;
		bits |= UINT64_C(1) << thread;
	}
	return bits;
}

/* Is there more to do than the ledger, the trace and the clock ask for? */
static bool needs_long_way(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	return list_lengths[api] || is_recorded(api) ||
	       claw_memory_watches(api) || claw_crash_log_watches(api) ||
	       (info->object == CLAW_OBJ_SVM && info->effect == CLAW_RELEASES) ||
	       (info->object == CLAW_OBJ_MEM && claw_handles_are_tracked());
}

/* Compilers have handlers of signals: see starts_driver(). */
static enum claw_way traced_way_of(enum claw_api api)
{
	return needs_long_way(api) || starts_driver(api) ||
	       claw_models_are_on() ? CLAW_LONG : CLAW_TRACED;
}

static enum claw_way metered_way_of(enum claw_api api)
{
	return needs_long_way(api) || starts_driver(api) ||
	       claw_models_are_on() ? CLAW_LONG : CLAW_METERED;
}

/* The ledger is on and looks at this function. */
static enum claw_way tracked_way_of(enum claw_api api)
{
	if (needs_long_way(api))
		return CLAW_LONG;
	return claw_ledger_interest(api) == CLAW_LEDGER_EVENT_OUT ?
		CLAW_EVENT_OUT : CLAW_TRACKED;
}

static enum claw_way way_of(enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	if (is_watching() || claw_life_is_on() || claw_guards_are_on() ||
	    claw_model_interest(api) || claw_device_choice_interest(api) ||
	    claw_failure_interest(api) || claw_instrument_interest(api))
		return CLAW_LONG;
	if (claw_trace_interest(api))
		return traced_way_of(api);
	if (claw_meters_are_on())
		return metered_way_of(api);
	if (claw_ledger_is_on() && claw_ledger_interest(api))
		return tracked_way_of(api);
	if (info->object == CLAW_OBJ_SVM && info->effect == CLAW_RELEASES)
		return CLAW_LONG;	/* see frees_null() */
	if (info->object == CLAW_OBJ_MEM && claw_handles_are_tracked())
		return CLAW_LONG;
	if (claw_memory_watches(api) || claw_crash_log_watches(api))
		return CLAW_LONG;
	if (is_recorded(api))
		return list_lengths[api] || claw_guest.all_sites ||
		       shapes[api].blocking >= 0 || is_waiting_function(api) ?
			CLAW_LONG : CLAW_RECORDED;
	if (!list_lengths[api])
		return claw_slow_watches(api) ? CLAW_TIMED : CLAW_SHORT;
	if (list_lengths[api] == 1 && matchers[lists[api][0]].plain)
		return CLAW_COUNTED;
	shapes[api].threads = thread_bits(api);
	return shapes[api].threads ? CLAW_THREADS : CLAW_LONG;
}

void claw_set_ways(void)
{
	pthread_mutex_lock(&flags_lock);
	if (!shapes_known)
		seed_of_run = claw_guest.seed;
	for (unsigned int api = 0; api < CLAW_API_COUNT; api++) {
		if (!shapes_known)
			find_shape((enum claw_api)api);
		__atomic_store_n(&claw_page.way[api],
				 (uint8_t)way_of((enum claw_api)api),
				 __ATOMIC_RELAXED);
	}
	shapes_known = true;
	pthread_mutex_unlock(&flags_lock);
	__atomic_store_n(&claw_page.alive, 1, __ATOMIC_RELEASE);
}

void claw_watch_all(void)
{
	if (!atomic_exchange(&watch_all, true))
		claw_set_ways();
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A rule has fired: do to the call what it says. */
#include "config.h"

#include "rules.h"

#include <signal.h>

#include "faults/log/crash_log.h"
#include "faults/device/device.h"
#include "faults/device/ecc.h"
#include "faults/device/failure.h"
#include "faults/log/slow.h"
#include "faults/device/throttle.h"

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

static void give_null(struct claw_call *call, unsigned int index)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	(void)index;
	if (call->api == CLAW_API_clSetKernelArg) {
		static const void *const null_handle;

		/* The driver sets a NULL buffer: legal, and what the kernel
		 * then sees is 0. The parameter is the wrapper's own copy. */
		*CLAW_ARG_PLACE(call, clSetKernelArg, arg_value) = &null_handle;
		call->flags |= CLAW_REC_INJECTED;
	} else if (info->groups & CLAW_G_TRANSFER) {
		call->flags |= CLAW_REC_INJECTED;
		call->post = true;	/* the driver maps, we hide it */
	} else {
		claw_fail(call, CL_SUCCESS);
		if (info->fails_as == CLAW_HANDLE)
			claw_handles_gave_null();
	}
	claw_write_event(call, 0);
}

/* Nothing came of it. */
static void take_back(struct claw_call *call, unsigned int index)
{
	__atomic_sub_fetch(&claw_armed_rules[index].slot->fired, 1, __ATOMIC_RELAXED);
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

static void crash(struct claw_call *call, unsigned int index)
{
	volatile int *volatile nowhere = (volatile int *)8;

	(void)index;
	claw_write_event(call, CLAW_REC_INJECTED | CLAW_REC_BLOCKS);
	*nowhere = 0;
}

/* The driver does it in the end, and the call takes longer. */
static void stall(struct claw_call *call, unsigned int index)
{
	uint64_t ns = claw_armed_rules[index].rule.time_ns;

	call->flags |= CLAW_REC_DELAYED;
	claw_write_event(call, CLAW_REC_INJECTED);
	claw_sleep_ns(ns);
	claw_journal_rule_delayed(claw_armed_rules[index].slot, ns);
}

static void fail_transfer(struct claw_call *call, unsigned int index)
{
	if (claw_armed_rules[index].rule.time_ns) {
		stall(call, index);
		return;
	}
	claw_failure_transfer(call, index);
	claw_write_event(call, 0);
}

static void crash_launch(struct claw_call *call, unsigned int index)
{
	if (claw_armed_rules[index].rule.fault == CLAW_FAULT_PARTIAL &&
	    !claw_failure_run_part(call, index)) {
		take_back(call, index);	/* the driver says what is wrong */
		return;
	}
	claw_failure_crash(call, index);
	claw_write_event(call, 0);
	claw_crash_log_injected(call, claw_armed_rules[index].rule.words);
}

/* Whether it happens is known when the driver has taken the command, which
 * then has an event; see claw_rule_end_waiting(). */
static void wait_for_driver(struct claw_call *call, unsigned int index)
{
	const struct claw_rule *rule = &claw_armed_rules[index].rule;
	cl_event **event = (cl_event **)(uintptr_t)
		claw_arg_address(call, CLAW_P_EVENT_OUT);

	if (rule->fault == CLAW_FAULT_ECC && rule->words == CLAW_ECC_UNCORRECTABLE &&
	    !claw_ecc_before(call, index)) {
		take_back(call, index);
		return;
	}
	call->rules.waiting = call->rule;
	call->rule = 0;		/* whoever refuses it is not the rule */
	call->fault = CLAW_FAULT_NONE;
	if (*event)
		return;
	*event = &call->rules.event;	/* the parameter is our copy */
	call->rules.lent = true;
}

/* A launch is slow for whoever waits for it, and for nobody if nobody does. */
static void fire_later(struct claw_call *call, unsigned int index)
{
	struct claw_journal_record record;

	claw_call_site(call);
	claw_call_record(&record, call, call->flags | CLAW_REC_INJECTED);
	record.rule = (uint16_t)(index + 1);
	record.fault = (uint16_t)claw_armed_rules[index].rule.fault;
	claw_throttle_launched(call, index, &record);
}

void claw_rule_end_waiting(struct claw_call *call)
{
	bool taken = (!call->injected || call->guarded) && !call->err;
	unsigned int index = call->rules.waiting - 1u;
	enum claw_fault fault = claw_armed_rules[index].rule.fault;
	bool is_later = taken && claw_fault_slows(fault);

	if (call->ecc.read)
		claw_ecc_made(call, taken);
	if (is_later)
		fire_later(call, index);
	if (is_later || !taken) {
		__atomic_sub_fetch(&claw_armed_rules[index].slot->fired, 1,
				   __ATOMIC_RELAXED);
		return;
	}
	call->rule = call->rules.waiting;
	call->fault = (uint16_t)fault;
	claw_write_event(call, CLAW_REC_INJECTED);
	if (call->ecc.read)
		claw_failure_begin(call, index, claw_now_ns());
}

/* Nobody is to take the event for the program's. */
void claw_rule_end_lending(struct claw_call *call)
{
	cl_event **event = (cl_event **)(uintptr_t)
		claw_arg_address(call, CLAW_P_EVENT_OUT);

	*event = NULL;
	if (!call->rules.event || call->err)
		return;
	claw_ours_begin();
	claw_next.clReleaseEvent(call->rules.event);
	claw_ours_end();
}

/* The driver mapped; the program is told NULL, and the mapping goes. */
void claw_rule_hide_mapping(struct claw_call *call)
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

static void give_code(struct claw_call *call, unsigned int index)
{
	claw_fail(call, claw_rule_code(&claw_armed_rules[index].rule, call->api));
	claw_write_event(call, 0);
}

static void lose_device(struct claw_call *call, unsigned int index)
{
	claw_device_lose(call, index);
	claw_write_event(call, 0);
}

static void hang(struct claw_call *call, unsigned int index)
{
	claw_device_hang(call, index);
	if (call->flags & CLAW_REC_SWALLOWED)
		claw_write_event(call, 0);
}

static void fail_build(struct claw_call *call, unsigned int index)
{
	claw_write_event(call, CLAW_REC_INJECTED);
	claw_device_fail_build(call, index);
}

static void stop(struct claw_call *call, unsigned int index)
{
	(void)index;
	claw_write_event(call, CLAW_REC_INJECTED);
	raise(SIGTRAP);
}

/*
 * Do what the rule says. The event is on disk before anything that may not
 * come back.
 */
void claw_rule_apply(struct claw_call *call, unsigned int index)
{
	static void (*const done[])(struct claw_call *call,
				    unsigned int index) = {
#define FAULT(id_, name_, code_, value_, words_, where_, codes_, device_, \
	      does_, ...) [CLAW_FAULT_##id_] = does_,
#include "faults/shared/faults.def"
#undef FAULT
	};

	done[claw_armed_rules[index].rule.fault](call, index);
}

static uint64_t delay_of(unsigned int index, uint64_t n)
{
	const struct claw_rule *rule = &claw_armed_rules[index].rule;
	uint64_t span = rule->delay_high_ns - rule->delay_low_ns;

	return rule->delay_low_ns + (span == 0 ? 0 :
		(uint64_t)(claw_random(claw_guest.seed, index, n, 1) *
			   (double)span));
}

void claw_rule_delay(struct claw_call *call, unsigned int index, uint64_t n)
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
	if (call->injected || !claw_armed_rules[index].rule.fault) {
		call->fault = 0;
		claw_write_event(call, 0);
	}
	claw_sleep_ns(ns);
	claw_journal_rule_delayed(claw_armed_rules[index].slot, ns);
	if (is_timeout)
		claw_slow_given_up(call);
}

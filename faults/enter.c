/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The long way of a call: who is asked before the driver and after it, in which
 * order.
 */
#include "config.h"

#include "enter_private.h"

#include "commands.h"
#include "crash_log.h"
#include "device.h"
#include "early.h"
#include "ecc.h"
#include "failure.h"
#include "guards.h"
#include "instrument.h"
#include "ledger.h"
#include "life.h"
#include "memory_use.h"
#include "meter.h"
#include "model.h"
#include "rules_private.h"
#include "slow.h"
#include "throttle.h"
#include "trace.h"

static bool may_block(const struct claw_call *call)
{
	int i = claw_call_shapes[call->api].blocking;

	if (i >= 0)
		return *(const cl_bool *)call->args[i];
	/* A driver's own thread may crash in the kernel meanwhile. */
	return claw_api_waits(call->api) || claw_api_is_launch(call->api);
}

/* A pointer of ours where the program gave none, so that the code is known. */
static void lend_errcode(struct claw_call *call)
{
	int i = claw_call_shapes[call->api].errcode;
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

	if (claw_is_watching()) {
		call->post = true;
		answered = claw_handles_check(call);
	}
	/* An answer is a finding, too. */
	*ret_checked = claw_life_is_on() &&
		       (claw_is_watching() || claw_models_are_on());
	if (*ret_checked)
		claw_life_before(call);
	return answered || call->injected ||
	       (claw_is_watching() && claw_device_check(call));
}

void claw_enter(struct claw_call *call)
{
	bool recorded, is_checked;

	if (__builtin_expect(claw_ours_is_on(), 0)) {
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
	recorded = claw_api_is_recorded(call->api);
	if (recorded)
		call->start_ticks = claw_journal_ticks();
	call->ordinal = claw_journal_ordinal(call->api);
	if (claw_trace_is_on())
		claw_trace_before(call);
	if (claw_meters_are_on())
		claw_meter_enter(call);
	lend_errcode(call);
	if (claw_call_shapes[call->api].releases_mem)
		call->released = claw_handles_releasing_mem(
			claw_arg_pointer(call, CLAW_P_MEM));
	if (is_answered(call, &is_checked)) {
		claw_counted_match = 0;
		return;
	}
	if (claw_memory_watches(call->api))
		claw_memory_before(call);
	if (!call->injected)
		claw_rules_match(call);
	if (claw_models_are_on() && !call->injected)
		claw_model_before(call);
	else if (claw_device_choice_interest(call->api) && !call->injected)
		claw_model_ask_devices(call);
	if (is_real(call))
		begin_driver(call, is_checked);
	if (recorded && claw_guest.all_sites)
		claw_call_site(call);
	if (recorded && !call->injected && may_block(call)) {
		struct claw_journal_record record;

		claw_call_record(&record, call, CLAW_REC_BLOCKS);
		record.duration_ticks = 0;
		call->blocked_record = claw_journal_call(&record);
	}
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
	const struct claw_call_shape *shape = &claw_call_shapes[call->api];
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
		if (claw_is_watching())
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
	const struct claw_call_shape *shape = &claw_call_shapes[call->api];

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
	claw_call_record(&record, call, call->flags);
	claw_journal_call(&record);
}

/* A program that goes on with the NULL of a creation that we made fail is not
 * to crash in a driver before it is told so. */
static bool gives_null(const struct claw_call *call)
{
	return call->err && claw_api_table[call->api].fails_as == CLAW_HANDLE &&
	       !is_real(call);
}

void claw_leave(struct claw_call *call)
{
	if (call->ours)
		return;
	if (gives_null(call))
		claw_handles_gave_null();
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
		claw_rule_end_waiting(call);
	if (is_real(call))
		read_errcode(call);
	if (call->early || call->early_gate)
		claw_early_after(call, is_real(call) && !call->err);
	if (is_real(call) && call->post && call->fault == CLAW_FAULT_NULL &&
	    claw_api_table[call->api].groups & CLAW_G_TRANSFER)
		claw_rule_hide_mapping(call);
	if (claw_models_are_on() && is_real(call))
		claw_model_after(call);
	else if (call->model_bits)	/* somebody has answered it since */
		claw_model_untake(call);
	if (call->fault_lent)
		claw_rule_end_lending(call);
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
		if (claw_api_starts_driver(call->api))
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
	if (claw_meters_are_on())
		claw_meter_leave(call);
	if (claw_trace_is_on())
		claw_trace_after(call);
	if (call->start_ticks)
		write_call(call);
	claw_call_under_way = call->outer;
}

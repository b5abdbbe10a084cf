/* SPDX-License-Identifier: Apache-2.0 */
/* What is written down of a call: records of the journal. */
#include "config.h"

#include "guest.h"

#include <string.h>

static void (*told)(const struct claw_call *call, uint16_t flags);
static void (*record_told)(const struct claw_journal_record *record);

void claw_call_events_tell(void (*listener)(const struct claw_call *call,
					   uint16_t flags))
{
	told = listener;
}

static bool is_null_argument(const struct claw_call *call)
{
	static const char zeros[sizeof(void *)];
	size_t size = CLAW_ARG(call, clSetKernelArg, arg_size);
	const void *value = CLAW_ARG(call, clSetKernelArg, arg_value);

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
		name = CLAW_ARG(call, clCreateKernel, kernel_name);
		return call->ret && name ?
			claw_journal_string(name, strlen(name)) : 0;
	case CLAW_API_clSetKernelArg:
		return 2 * (uint64_t)CLAW_ARG(call, clSetKernelArg, arg_index) +
		       (!call->err && is_null_argument(call));
	default:
		return claw_call_bytes(call);
	}
}

void claw_call_record(struct claw_journal_record *record,
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

void claw_call_site(struct claw_call *call)
{
	struct claw_site site;

	if (call->site)
		return;
	claw_site_capture(&site);
	call->site = claw_site_record(&site);
}

void claw_records_tell(void (*listener)(const struct claw_journal_record *record))
{
	record_told = listener;
}

uint64_t claw_write_record(const struct claw_journal_record *record)
{
	if (record_told)
		record_told(record);
	return claw_journal_event(record);
}

uint64_t claw_write_event(struct claw_call *call, uint16_t extra_flags)
{
	struct claw_journal_record record;

	claw_call_site(call);
	claw_call_record(&record, call, call->flags | extra_flags);
	if (record.flags & CLAW_REC_MISUSE)
		claw_journal_add_misuse();
	if (told)
		told(call, record.flags);
	return claw_write_record(&record);
}

void claw_write_slow(const struct claw_call *call, uint16_t flags,
		     uint32_t string)
{
	struct claw_journal_record record;
	struct claw_call plain;

	claw_call_begin(&plain, call->api, call->args);
	plain.ret = call->ret;
	plain.err = call->err;
	claw_call_site(&plain);
	claw_call_record(&record, &plain, flags);
	record.handle = string;
	claw_journal_event(&record);
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

	if (!claw_ours_is_on())
		claw_journal_call(&record);
}

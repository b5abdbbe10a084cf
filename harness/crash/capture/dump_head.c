/* SPDX-License-Identifier: Apache-2.0 */
/* Say what a dump is about, so that it can be read without any tool. */
#include "config.h"

#include "dump_head.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/session/icd_names.h"
#include "harness/crash/facts/crash.h"
#include "harness/crash/dump/dump_stacks.h"
#include "harness/readers/journal_reader.h"
#include "harness/base/memory.h"
#include "harness/crash/replay/replay_crash.h"
#include "harness/base/text_clean.h"
#include "harness/base/words.h"

enum { LAST_CALLS = 20 };

static const char *meta_text(const struct claw_dump *dump, const char *name)
{
	return json_string_value(json_object_get(dump->meta, name));
}

static void put_row(FILE *out, const char *title, const char *text)
{
	if (text && *text)
		fprintf(out, "%-12s %s\n", title, text);
}

/* ---- calls ------------------------------------------------------------ */

static const char *call_name(const struct claw_trace_call *call)
{
	return call->api < CLAW_API_COUNT ? claw_api_table[call->api].name :
		"(an event's status)";
}

static void put_result(FILE *out, const struct claw_dump *dump,
		       const struct claw_trace_call *call)
{
	const char *name = claw_code_name(call->result);

	if (!call->returned)
		fputs(" (had not returned)", out);
	else if (call->result && name)
		fprintf(out, " = %s", name);
	else if (call->result)
		fprintf(out, " = %" PRId32, call->result);
	else if (call->made)
		fprintf(out, " = %s", claw_trace_object_name(dump->trace,
							     call->made));
	if (call->flags & CLAW_REC_INJECTED)
		fputs(" (INJECTED)", out);
	else if (call->flags & CLAW_REC_CONSEQUENCE)
		fputs(" (follows from an INJECTED failure)", out);
}

static void put_call(FILE *out, const struct claw_dump *dump,
		     const struct claw_trace_call *call)
{
	claw_object_id kernel = claw_trace_launched(call);
	const char *place = claw_dump_site_place(dump->sites, call->site);

	fprintf(out, "#%" PRIu32 " %s", call->number, call_name(call));
	if (kernel)
		fprintf(out, "(%s)", claw_trace_kernel_name(dump->trace,
							    kernel));
	put_result(out, dump, call);
	if (place)
		fprintf(out, " at %s", place);
}

/* The call that the process was in, or that showed that something is wrong. */
static const struct claw_trace_call *find_call(const struct claw_trace *trace)
{
	for (uint32_t i = trace ? trace->call_count : 0; i > 0; i--)
		if (!trace->calls[i - 1].returned && !trace->calls[i - 1].kept)
			return &trace->calls[i - 1];
	return trace && trace->trigger && trace->trigger <= trace->call_count ?
		&trace->calls[trace->trigger - 1] : NULL;
}

static const struct claw_trace_call *find_launch(const struct claw_trace *trace)
{
	for (uint32_t i = trace ? trace->call_count : 0; i > 0; i--)
		if (claw_trace_launched(&trace->calls[i - 1]))
			return &trace->calls[i - 1];
	return NULL;
}

static void put_trace_calls(FILE *out, const struct claw_dump *dump)
{
	const struct claw_trace *trace = dump->trace;
	uint32_t from = trace->call_count > LAST_CALLS ?
		trace->call_count - LAST_CALLS : 0;

	fprintf(out, "\nThe last %" PRIu32 " of %" PRIu64 " calls:\n",
		trace->call_count - from,
		trace->call_count + trace->forgotten);
	for (uint32_t i = from; i < trace->call_count; i++) {
		fputs("  ", out);
		put_call(out, dump, &trace->calls[i]);
		fputc('\n', out);
	}
}

/* Without a trace: what the journal has of calls, or of what stood out. */
static void put_journal_calls(FILE *out, const struct claw_dump *dump)
{
	const struct claw_journal *journal = dump->journal;
	size_t calls = claw_journal_get_call_count(journal);
	size_t count = calls ? calls : claw_journal_get_event_count(journal);

	if (count)
		fprintf(out, "\nThe last %s of %" PRIu64 " calls:\n", calls ?
			"ones" : "calls with details",
			claw_journal_get_total_calls(journal));
	for (size_t i = count > LAST_CALLS ? count - LAST_CALLS : 0; i < count;
	     i++) {
		const struct claw_journal_record *record = calls ?
			claw_journal_get_call(journal, i) :
			claw_journal_get_event(journal, i);
		const char *place;

		if (!record || record->flags & CLAW_REC_CRASH)
			continue;
		place = claw_dump_site_place(dump->sites, record->site);
		fprintf(out, "  %s%s%s%s%s%s\n",
			claw_journal_get_api_name(journal, record->api),
			record->result ? " = " : "", record->result &&
			claw_code_name(record->result) ?
			claw_code_name(record->result) : "",
			record->flags & CLAW_REC_INJECTED ? " (INJECTED)" : "",
			place ? " at " : "", place ? place : "");
	}
}

/* ---- what it is about ------------------------------------------------- */

static void put_fault(FILE *out, const struct claw_dump *dump)
{
	const json_t *end = json_object_get(dump->meta, "exit");
	const json_t *number = json_object_get(end, "signal");
	const json_t *address = json_object_get(end, "address");
	const char *trigger = meta_text(dump, "trigger");

	fprintf(out, "%-12s ", "Fault:");
	if (number) {
		fprintf(out, "%s", claw_signal_name((int)
			json_integer_value(number)));
		if (address)
			fprintf(out, " at address 0x%" PRIx64,
				(uint64_t)json_integer_value(address));
		fputc('\n', out);
		return;
	}
	if (!trigger)
		trigger = "";
	fputs(strcmp(trigger, "device") == 0 ?
	      "the device crashed or was lost" :
	      strcmp(trigger, "timeout") == 0 ? "timed out" :
	      strcmp(trigger, "request") == 0 ?
	      "none, the dump was requested" :
	      json_is_true(json_object_get(end, "vanished")) ?
	      "vanished" : "none", out);
	fputc('\n', out);
}

/* Where its thread was, when a signal ended it. */
static void put_place(FILE *out, const struct claw_dump *dump)
{
	size_t count = dump->journal ?
		claw_journal_get_event_count(dump->journal) : 0;

	for (size_t i = count; i > 0; i--) {
		const struct claw_journal_record *event =
			claw_journal_get_event(dump->journal, i - 1);

		if (event && event->flags & CLAW_REC_CRASH) {
			put_row(out, "At:", claw_dump_site_place(dump->sites,
								 event->site));
			return;
		}
	}
}

/* What the rules make of it; "crash-analyze" tells why. */
static void put_diagnosis(FILE *out, const struct claw_crash *crash)
{
	if (crash->kind == CLAW_CRASH_NONE)
		return;
	put_row(out, "Diagnosis:", crash->code);
	put_row(out, "Signature:", crash->signature);
}

static void put_call_row(FILE *out, const char *title,
			 const struct claw_dump *dump,
			 const struct claw_trace_call *call)
{
	if (!call)
		return;
	fprintf(out, "%-12s ", title);
	put_call(out, dump, call);
	fputc('\n', out);
}

static void put_device(FILE *out, const struct claw_dump *dump)
{
	const json_t *opencl = json_object_get(dump->meta, "opencl");
	const json_t *platform, *device;
	size_t i, j;

	json_array_foreach(json_object_get(opencl, "platforms"), i, platform) {
		const char *name = json_string_value(
			json_object_get(platform, "name"));

		json_array_foreach(json_object_get(platform, "devices"), j,
				   device) {
			const char *what = json_string_value(
				json_object_get(device, "name"));
			const char *driver = json_string_value(
				json_object_get(device, "driver"));

			fprintf(out, "%-12s %s [%s, driver %s]\n", "Device:",
				what ? what : "not known",
				name ? name : "not known",
				driver ? driver : "not known");
		}
	}
	put_row(out, "OpenCL:", json_string_value(
		json_object_get(opencl, "problem")));
}

static void put_list(FILE *out, const char *title, const json_t *list)
{
	const json_t *item;
	size_t i;

	json_array_foreach(list, i, item)
		put_row(out, title, json_string_value(item));
}

char *claw_dump_head(const struct claw_dump *dump, const char *name)
{
	char *text = NULL, *clean, *icd = claw_icd_option();
	struct claw_crash crash;
	size_t size = 0;
	FILE *out = claw_text_begin(&text, &size);

	claw_crash_find(dump, &crash);
	fputs("CRASH DUMP\n==========\n", out);
	put_row(out, "Program:", meta_text(dump, "program"));
	put_row(out, "Time:", meta_text(dump, "captured_at"));
	put_fault(out, dump);
	put_place(out, dump);
	put_diagnosis(out, &crash);
	put_call_row(out, "Call:", dump, find_call(dump->trace));
	put_call_row(out, "Last launch:", dump, find_launch(dump->trace));
	put_device(out, dump);
	put_list(out, "Injected:", json_object_get(dump->meta, "faults"));
	put_row(out, "openclaw:", meta_text(dump, "openclaw"));
	if (dump->trace && dump->trace->call_count)
		put_trace_calls(out, dump);
	else if (dump->journal)
		put_journal_calls(out, dump);
	fprintf(out, "\n"
		"Analyse:        openclaw crash-analyze %s\n"
		"List contents:  openclaw crash-analyze --contents %s\n"
		"Replay:         openclaw repro %s%s%s\n\n", name, name, name, icd,
		claw_replay_is_own_code(dump, &crash) ? " -- PROGRAM" : "");
	free(icd);
	claw_crash_release(&crash);
	claw_text_end(out);
	clean = claw_text_clean(text, size);
	free(text);
	return clean;
}

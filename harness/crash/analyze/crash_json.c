/* SPDX-License-Identifier: Apache-2.0 */
/* The report as JSON: the same facts under lasting names. */
#include "config.h"

#include <stdlib.h>

#include "crash_report.h"
#include "harness/crash/facts/crash_words.h"
#include "harness/crash/dump/dump_log.h"
#include "harness/base/memory.h"
#include "harness/records/result_json.h"
#include "harness/base/words.h"

static json_t *causes_json(const struct claw_crash *crash)
{
	json_t *list = json_array();

	for (size_t i = 0; i < crash->cause_count; i++) {
		json_t *item = json_object();

		claw_json_add_text(item, "text", crash->causes[i].text);
		claw_json_add_text(item, "evidence",
				   crash->causes[i].evidence);
		claw_json_add_number(item, "percent",
				     crash->causes[i].percent);
		json_array_append_new(list, item);
	}
	return list;
}

static void add_rows(json_t *all, const struct claw_crash_view *view)
{
	static const struct {
		const char *name;
		enum claw_crash_report_row row;
	} rows[] = {
		{ "fault_type", CLAW_CRASH_ROW_TYPE },
		{ "fault_address", CLAW_CRASH_ROW_ADDRESS },
		{ "instruction_pointer", CLAW_CRASH_ROW_POINTER },
		{ "pc", CLAW_CRASH_ROW_PC },
		{ "wgrp_id", CLAW_CRASH_ROW_GROUP },
		{ "thread_id", CLAW_CRASH_ROW_ITEM },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *text = claw_crash_row(view, rows[i].row);

		claw_json_add_text(all, rows[i].name, text);
		free(text);
	}
	claw_json_add_text(all, "registers", claw_crash_registers(view->facts));
}

static void add_crash(json_t *all, const struct claw_crash_view *view)
{
	const struct claw_crash *crash = view->crash;
	const struct claw_trace_call *call =
		claw_crash_call(view->facts, crash->call);
	const struct claw_trace_call *launch =
		claw_crash_call(view->facts, crash->launch);

	claw_json_add_text(all, "kind", claw_crash_kind_name(crash->kind));
	claw_json_add_text(all, "code", crash->code);
	claw_json_add_number(all, "confidence", crash->percent);
	claw_json_add_text(all, "signature", crash->signature);
	if (crash->signal)
		claw_json_add_text(all, "signal",
				   claw_signal_name(crash->signal));
	if (view->facts->status >= 0)
		claw_json_add_number(all, "status",
				     (uint64_t)view->facts->status);
	if (crash->result)
		claw_json_add_text(all, "result",
				   claw_crash_result_name(crash->result));
	if (call)
		claw_json_add_number(all, "call", call->number);
	if (launch)
		claw_json_add_number(all, "launch", launch->number);
	if (launch && view->facts->open_launches) {
		claw_json_add_number(all, "launches_open",
				     view->facts->open_launches);
		claw_json_add_number(all, "launches_alike",
				     view->facts->alike);
	}
	claw_json_add_text(all, "kernel", crash->kernel);
	claw_json_add_text(all, "where", crash->where);
	json_object_set_new(all, "answered",
			    json_boolean(claw_crash_is_answered(view)));
}

static json_t *log_json(const struct claw_dump *dump)
{
	const char *at = dump->dmesg;
	struct claw_dmesg_line line;
	json_t *list = json_array();

	while (claw_dmesg_next(&at, &line)) {
		json_t *item = json_object();
		char *text = claw_strndup(line.text, line.length);

		claw_json_add_text(item, "line", text);
		free(text);
		if (line.xid)
			claw_json_add_number(item, "xid", line.xid);
		claw_json_add_text(item, "code", line.code);
		claw_json_add_text(item, "meaning", line.meaning);
		claw_json_add_text(item, "whose", line.whose);
		claw_json_add_text(item, "fit", claw_log_fit_name(
			claw_dump_log_fit(dump, &line)));
		json_array_append_new(list, item);
	}
	return list;
}

static json_t *deep_json(const struct claw_crash_deep *deep)
{
	json_t *all = json_object(), *list = json_array();

	claw_json_add_text(all, "why_not", deep->why);
	claw_json_add_text(all, "left_out", deep->left_out);
	for (size_t i = 0; i < deep->found.count; i++) {
		const struct claw_finding *found = &deep->found.items[i];
		json_t *item = json_object();

		claw_json_add_text(item, "kind",
				   claw_finding_kind_name(found->kind));
		claw_json_add_text(item, "space",
				   claw_space_name(found->space));
		claw_json_add_text(item, "kernel", found->kernel);
		claw_json_add_text(item, "file", found->file);
		claw_json_add_number(item, "line", found->line);
		claw_json_add_text(item, "work_item", found->work_item);
		claw_json_add_number(item, "bytes", found->size_bytes);
		json_array_append_new(list, item);
	}
	json_object_set_new(all, "findings", list);
	if (deep->has_offset)
		claw_json_add_number(all, "offset", deep->offset);
	if (deep->has_offset && deep->argument >= 0) {
		claw_json_add_number(all, "argument",
				     (uint64_t)deep->argument);
		claw_json_add_number(all, "buffer_bytes", deep->bytes);
	}
	return all;
}

static json_t *next_json(const struct claw_crash_view *view)
{
	struct claw_crash_next next[CLAW_CRASH_NEXT_MAX];
	size_t count = claw_crash_next_find(view, next);
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++) {
		json_t *item = json_object();

		claw_json_add_text(item, "command", next[i].command);
		claw_json_add_text(item, "what", next[i].what);
		json_array_append_new(list, item);
	}
	claw_crash_next_release(next, count);
	return list;
}

json_t *claw_crash_json(const struct claw_crash_view *view)
{
	json_t *all = json_object();
	char *gaps = claw_crash_gaps(view);

	if (!all)
		return NULL;
	claw_json_add_text(all, "dump", view->path);
	add_rows(all, view);
	add_crash(all, view);
	json_object_set_new(all, "causes", causes_json(view->crash));
	if (view->deep)
		json_object_set_new(all, "deep", deep_json(view->deep));
	json_object_set_new(all, "calls", claw_crash_calls_json(view));
	json_object_set_new(all, "not_shown", claw_crash_polls_json(view));
	json_object_set_new(all, "objects", claw_crash_objects_json(view));
	json_object_set_new(all, "memory", claw_crash_timeline_json(view));
	json_object_set_new(all, "stderr", claw_crash_said_json(view));
	json_object_set_new(all, "kernel_log", log_json(view->dump));
	claw_json_add_text(all, "incomplete", gaps);
	free(gaps);
	json_object_set_new(all, "next", next_json(view));
	json_object_set(all, "meta", view->dump->meta);
	return all;
}

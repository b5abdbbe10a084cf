/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The failures that were captured, as rules. A fault of the catalogue is that
 * fault again, without the conditions that chose the call; what a real device
 * did is what tells the same to the program. What a call refuses because of
 * its parameters it refuses again by itself.
 */
#include "config.h"

#include "replay.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/plan.h"
#include "harness/readers/journal_reader.h"
#include "harness/crash/player/replay_order.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"

enum { DRIVERS_NUMBERS = -1100 };	/* and below: no registered code */

/* ---- texts ------------------------------------------------------------ */

static bool is_condition(const char *part)
{
	static const char *const names[] = {
		"when=", "p=", "above=", "after=", "kernel=", "device=",
		"thread=", "site=", "at=", "pc=", "exe=", "times=",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (claw_begins(part, names[i]))
			return true;
	return false;
}

/* To the ':' behind this part of a canonical rule, or its end. */
static size_t part_length(const char *part)
{
	bool quoted = false;
	size_t i = 0;

	for (; part[i] && (quoted || part[i] != ':'); i++) {
		if (quoted && part[i] == '\\' && part[i + 1])
			i++;
		else if (part[i] == '"')
			quoted = !quoted;
	}
	return i;
}

/* The rule for this function, without conditions; malloced. NULL: nothing
 * that fails a call. */
static char *plain_rule(enum claw_api api, const char *rule)
{
	char *text = NULL;
	size_t size, length = part_length(rule), parts = 0;
	FILE *out = claw_text_begin(&text, &size);

	fputs(claw_api_table[api].name, out);
	for (rule += length; *rule == ':'; rule += length) {
		rule++;
		length = part_length(rule);
		if (is_condition(rule))
			continue;
		fprintf(out, ":%.*s", (int)length, rule);
		parts++;
	}
	claw_text_end(out);
	if (parts)
		return text;
	free(text);
	return NULL;
}

static char *error_rule(const struct claw_trace_call *call)
{
	const char *code = claw_code_name(call->result);

	return code ? claw_format("%s:error=%s", claw_api_table[call->api].name,
				  code) :
		claw_format("%s:error=%d", claw_api_table[call->api].name,
			    (int)call->result);
}

/* As the guest knew the rule; without its journal by the fault alone. */
static char *captured_rule(const struct claw_dump *dump,
			   const struct claw_trace_call *call)
{
	const struct claw_journal_rule *rule = dump->journal && call->rule &&
		call->rule <= claw_journal_get_rule_count(dump->journal) ?
		claw_journal_get_rule(dump->journal, call->rule - 1u) : NULL;
	const char *text = rule ? claw_journal_get_string(dump->journal,
						rule->text_string) : "";

	if (*text)
		return plain_rule(call->api, text);
	if (call->fault == CLAW_FAULT_NONE ||
	    call->fault >= CLAW_FAULT_COUNT)
		return NULL;
	if (call->fault == CLAW_FAULT_ERROR)
		return error_rule(call);
	return claw_format("%s:%s", claw_api_table[call->api].name,
			   claw_fault_table[call->fault].name);
}

/* ---- which ------------------------------------------------------------ */

/* A program that does not ask why a creation failed goes on with NULL, and so
 * does the replay: whether it fails again changes nothing. */
static bool has_no_reason(const struct claw_trace_call *call)
{
	const struct claw_trace_arg *arg = claw_trace_arg_find(call,
							       CLAW_P_ERRCODE);

	return arg && arg->kind == CLAW_ARG_NULL;
}

/* Has a device, and not what the call was given, refused it? */
static bool is_device_failure(const struct claw_trace_call *call)
{
	if (has_no_reason(call))
		return false;
	if (call->flags & (CLAW_REC_INJECTED | CLAW_REC_CONSEQUENCE |
			   CLAW_REC_SWALLOWED | CLAW_REC_MISUSE))
		return false;
	switch (call->result) {
	case CL_DEVICE_NOT_FOUND:
	case CL_DEVICE_NOT_AVAILABLE:
	case CL_MEM_OBJECT_ALLOCATION_FAILURE:
	case CL_OUT_OF_RESOURCES:
	case CL_OUT_OF_HOST_MEMORY:
		return true;
	default:
		return call->result <= DRIVERS_NUMBERS;
	}
}

static void add(struct claw_replay_faults *faults, uint32_t call, char *text)
{
	if (!text)
		return;
	faults->items = claw_grow(faults->items, faults->count + 1,
				  sizeof(*faults->items));
	faults->items[faults->count++] = (struct claw_replay_rule) {
		.call = call, .text = text,
	};
}

static bool has_injected(const struct claw_trace *trace)
{
	for (uint32_t i = 0; i < trace->call_count; i++)
		if (trace->calls[i].rule)
			return true;
	return false;
}

/* What a real device did: the call that it began with, and after it nothing
 * but what follows. */
struct device_failure {
	enum claw_crash_class kind;
	uint64_t position;	/* of the call in the capture */
};

static struct device_failure find_failure(const struct claw_trace *trace,
					  const struct claw_dump *dump)
{
	struct device_failure failure = { .kind = CLAW_CRASH_NONE };
	const struct claw_trace *captured = dump->trace;
	struct claw_crash crash;
	uint32_t number;

	if (!captured || dump->asked_only || has_injected(trace))
		return failure;
	claw_crash_find(dump, &crash);
	if (!crash.signal) {
		number = crash.kind == CLAW_CRASH_GPU ? crash.launch :
			crash.kind == CLAW_CRASH_LOST ? crash.call : 0;
		if (number && number <= captured->call_count) {
			failure.kind = crash.kind;
			failure.position = captured->calls[number - 1].position;
		}
	}
	claw_crash_release(&crash);
	return failure;
}

void claw_replay_faults_find(const struct claw_trace *trace,
			     const struct claw_dump *dump,
			     struct claw_replay_faults *ret_faults)
{
	const struct device_failure failure = find_failure(trace, dump);
	bool has_begun = false;

	*ret_faults = (struct claw_replay_faults) { .count = 0 };
	for (uint32_t i = 0; i < trace->call_count; i++) {
		const struct claw_trace_call *call = &trace->calls[i];
		const char *name;

		if (call->api >= CLAW_API_COUNT)
			continue;
		name = claw_api_table[call->api].name;
		if (call->rule && !(call->flags & CLAW_REC_CONSEQUENCE)) {
			add(ret_faults, i, captured_rule(dump, call));
		} else if (failure.kind != CLAW_CRASH_NONE &&
			   call->position == failure.position) {
			has_begun = true;
			add(ret_faults, i, claw_format("%s:%s", name,
				failure.kind == CLAW_CRASH_GPU ? "gpu-crash" :
				"device-lost"));
		} else if (!has_begun && call->returned &&
			   !dump->asked_only && is_device_failure(call)) {
			add(ret_faults, i, error_rule(call));
		}
	}
}

void claw_replay_faults_release(struct claw_replay_faults *faults)
{
	for (size_t i = 0; i < faults->count; i++)
		free(faults->items[i].text);
	free(faults->items);
	*faults = (struct claw_replay_faults) { .count = 0 };
}

/* ---- counted ---------------------------------------------------------- */

/* numbers: by call, which one of its function it is. "when=4..6" for what
 * comes in a row. */
static char **count_rules(const struct claw_replay_faults *faults,
			  const uint64_t *numbers)
{
	char **rules = claw_calloc(1, sizeof(*rules));
	size_t i = 0;

	while (i < faults->count) {
		const struct claw_replay_rule *first = &faults->items[i];
		uint64_t low = numbers[first->call], high = low;
		char *text;

		if (low == 0) {		/* it is not made */
			i++;
			continue;
		}
		for (i++; i < faults->count; i++) {
			const struct claw_replay_rule *next =
				&faults->items[i];

			if (strcmp(next->text, first->text) != 0 ||
			    numbers[next->call] != high + 1)
				break;
			high++;
		}
		text = low == high ?
			claw_format("%s:when=%" PRIu64, first->text, low) :
			claw_format("%s:when=%" PRIu64 "..%" PRIu64,
				    first->text, low, high);
		claw_list_add(&rules, text);
	}
	return rules;
}

/* Each call's number among those of its function, in this order; start: how
 * many there were before. */
static uint64_t *number_calls(const struct claw_trace *trace,
			      const uint32_t *order, const uint64_t *start)
{
	uint64_t *numbers = claw_calloc(trace->call_count + 1u,
					sizeof(*numbers));
	uint64_t counts[CLAW_API_COUNT] = { 0 };

	if (start)
		memcpy(counts, start, sizeof(counts));
	for (uint32_t i = 0; i < trace->call_count; i++) {
		uint32_t at = order ? order[i] : i;
		const struct claw_trace_call *call = &trace->calls[at];

		if (call->api < CLAW_API_COUNT && (order || !call->kept))
			numbers[at] = ++counts[call->api];
	}
	return numbers;
}

static char **find_and_count(const struct claw_trace *trace,
			     const struct claw_dump *dump, uint64_t *numbers)
{
	struct claw_replay_faults faults;
	char **rules;

	claw_replay_faults_find(trace, dump, &faults);
	rules = count_rules(&faults, numbers);
	claw_replay_faults_release(&faults);
	free(numbers);
	return rules;
}

char **claw_replay_rules_numbered(const struct claw_trace *trace,
				  const struct claw_dump *dump,
				  const uint64_t *numbers)
{
	uint64_t *copy = claw_calloc(trace->call_count + 1u, sizeof(*copy));

	memcpy(copy, numbers, trace->call_count * sizeof(*copy));
	return find_and_count(trace, dump, copy);
}

char **claw_replay_rules(const struct claw_trace *trace,
			 const struct claw_dump *dump)
{
	uint32_t *order = claw_replay_order(trace);
	char **rules = find_and_count(trace, dump,
				      number_calls(trace, order, NULL));

	free(order);
	return rules;
}

/* The journal counted all calls; those that are in the ring are the last. */
static void calls_before(const struct claw_trace *trace,
			 const struct claw_dump *dump, uint64_t *start)
{
	for (unsigned int api = 0; api < CLAW_API_COUNT; api++) {
		int theirs = dump->journal ? claw_journal_find_api(
			dump->journal, claw_api_table[api].name) : -1;

		start[api] = theirs < 0 ? 0 : claw_journal_get_calls(
			dump->journal, (unsigned int)theirs);
	}
	for (uint32_t i = 0; i < trace->call_count; i++) {
		const struct claw_trace_call *call = &trace->calls[i];

		if (call->api < CLAW_API_COUNT && !call->kept &&
		    start[call->api] > 0)
			start[call->api]--;
	}
}

char **claw_replay_schedule(const struct claw_trace *trace,
			    const struct claw_dump *dump)
{
	uint64_t start[CLAW_API_COUNT];

	calls_before(trace, dump, start);
	return find_and_count(trace, dump, number_calls(trace, NULL, start));
}

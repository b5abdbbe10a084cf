/* SPDX-License-Identifier: Apache-2.0 */
/* Replay under oclgrind, and read where its report of the crash is. */
#include "config.h"

#include "crash_deep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/crash/replay/replay.h"

/* An address of oclgrind's: the buffer's number, and the offset in it. */
enum { OFFSET_BITS = 48 };

/* Nothing is ever mapped below. */
enum { NEAR_NULL = 1 << 20 };

/* "23,5,0" of "Group(23,5,0)" in a report. */
static char *triple(const char *text, const char *title)
{
	const char *at = text ? strstr(text, title) : NULL;
	size_t length;

	if (!at)
		return NULL;
	at += strlen(title);
	length = strspn(at, "0123456789,");
	return length && at[length] == ')' ? claw_strndup(at, length) : NULL;
}

/* An access that may crash; of values that nobody wrote a replay has more than
 * the program had. */
static bool is_access(enum claw_finding_kind kind)
{
	return kind == CLAW_FINDING_INVALID_READ ||
	       kind == CLAW_FINDING_INVALID_WRITE ||
	       kind == CLAW_FINDING_MISALIGNED ||
	       kind == CLAW_FINDING_ARRAY_INDEX;
}

static void take_offset(const struct claw_finding *finding,
			struct claw_crash_deep *deep)
{
	const char *at = strstr(finding->text, "memory address 0x");
	uint64_t address;

	if (!at || finding->space != CLAW_SPACE_GLOBAL)
		return;
	address = strtoull(at + strlen("memory address "), NULL, 16);
	deep->is_null = address >> OFFSET_BITS == 0;
	deep->has_offset = !deep->is_null;
	deep->offset = address & ((UINT64_C(1) << OFFSET_BITS) - 1);
}

/* The one argument that the offset is past the end of; with several it cannot
 * be told. */
static void take_argument(const struct claw_trace *trace, uint32_t launch,
			  struct claw_crash_deep *deep)
{
	const struct claw_trace_call *call = trace && launch &&
		launch <= trace->call_count ? &trace->calls[launch - 1] : NULL;
	unsigned int count = 0;

	for (uint32_t i = 0; call && deep->has_offset &&
	     i < call->kernel_arg_count; i++) {
		const struct claw_trace_object *object =
			claw_trace_object_get(trace,
					      call->kernel_args[i].object);
		uint64_t end = deep->offset + deep->first->size_bytes;

		if (!object || !object->bytes || end <= object->bytes)
			continue;
		count++;
		deep->argument = call->kernel_args[i].index;
		deep->bytes = object->bytes;
	}
	if (count != 1)
		deep->argument = -1;
}

/* How well the report fits the crash; 0: it is about no kernel. */
static unsigned int weigh(const struct claw_finding *finding,
			  const struct claw_crash *crash)
{
	bool is_near_null = crash->has_address && crash->address < NEAR_NULL;
	unsigned int weight = 1;

	if (!claw_finding_kind_is_kernel(finding->kind))
		return 0;
	if (is_access(finding->kind))
		weight += 2;
	if (crash->kernel && strcmp(crash->kernel, finding->kernel) == 0)
		weight += 4;
	if (is_access(finding->kind) && crash->has_address &&
	    finding->is_null == is_near_null)
		weight++;
	return weight;
}

void claw_crash_deep_take(const struct claw_trace *trace,
			  const struct claw_crash *crash,
			  struct claw_findings *found,
			  struct claw_crash_deep *ret_deep)
{
	unsigned int best = 0;

	ret_deep->found = *found;
	*found = (struct claw_findings){ .count = 0 };
	ret_deep->argument = -1;
	for (size_t i = 0; i < ret_deep->found.count; i++) {
		const struct claw_finding *finding = &ret_deep->found.items[i];

		unsigned int weight = weigh(finding, crash);

		if (weight > best)
			ret_deep->first = finding;
		if (weight > best)
			best = weight;
	}
	if (!ret_deep->first)
		return;
	ret_deep->group = triple(ret_deep->first->text, "Group(");
	ret_deep->local_item = triple(ret_deep->first->text, "Local(");
	take_offset(ret_deep->first, ret_deep);
	take_argument(trace, crash->launch, ret_deep);
}

int claw_crash_deep_look(const struct claw_dump *dump, const char *path,
			 const struct claw_crash *crash,
			 struct claw_crash_deep *ret_deep)
{
	const struct claw_replay_spec spec = {
		.dump = dump, .trace = dump->trace, .dump_path = path,
		.under = "oclgrind", .model = "", .no_faults = true,
	};
	struct claw_replay_result result;
	int ret;

	*ret_deep = (struct claw_crash_deep){ .argument = -1 };
	if (!dump->trace) {
		ret_deep->why =
			claw_strdup("the dump has no calls to replay");
		return 0;
	}
	ret = claw_replay_run(&spec, crash->signature, &result);
	if (ret == 0 && result.end == CLAW_REPLAY_INFRA)
		ret_deep->why = claw_strdup(result.why ? result.why :
					    "cannot start the replay");
	else if (ret == 0 && result.why && *result.why)
		ret_deep->left_out = claw_strdup(result.why);
	if (ret == 0 && result.found)
		claw_crash_deep_take(dump->trace, crash, result.found,
				     ret_deep);
	claw_replay_result_release(&result);
	return ret;
}

void claw_crash_deep_release(struct claw_crash_deep *deep)
{
	claw_findings_release(&deep->found);
	free(deep->why);
	free(deep->left_out);
	free(deep->group);
	free(deep->local_item);
	*deep = (struct claw_crash_deep){ .argument = -1 };
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several launches may be under way when a process ends: each in turn is taken
 * for the culprit, and the rules that are about a launch are asked.
 */
#include "config.h"

#include "crash_suspects.h"

#include <stdlib.h>
#include <string.h>

#include "crash_rules.h"
#include "crash_words.h"
#include "harness/base/memory.h"

enum {
	ASKED_MAX = 64,		/* the last ones that had not ended */
	INJECTED = 100,		/* percent */
	NEW = 40,		/* of a kernel that had not ended well before */
	SVM_BEHIND = 64 << 10,	/* bytes: of the fault, behind an object */
};

/* How sure a rule is before its test lowers it. */
enum {
#define END(...)
#define CAUSE(name_, code_, percent_, text_) PERCENT_##name_ = percent_,
#include "crash_rules.def"
#undef END
#undef CAUSE
};

typedef bool test_of(const struct claw_crash_facts *facts,
		     struct claw_crash_note *note);

/* Of crash_rules.def those that speak of one launch. */
static const struct about_launch {
	test_of *test;
	unsigned int percent;
} rules[] = {
#define RULE(name_) { claw_cause_##name_, PERCENT_##name_ }
	RULE(null_argument), RULE(local_memory), RULE(small_buffer),
	RULE(wild_number),
#undef RULE
};

bool claw_crash_is_open(const struct claw_crash_facts *f, uint32_t number)
{
	const struct claw_trace_call *call = claw_crash_call(f, number);

	return call && claw_crash_is_call(call) &&
	       claw_api_is_launch(call->api) && !f->done_by[number - 1] &&
	       (!f->told || number <= f->told) &&
	       (!call->returned || call->result >= 0 || call->fault);
}

/* ---- one suspect ------------------------------------------------------ */

/* 0: it does not hold. */
static unsigned int ask(const struct claw_crash_facts *f, test_of *test,
			unsigned int percent)
{
	char *detail = NULL, *evidence = NULL;
	size_t size;
	struct claw_crash_note note = {
		.percent = percent,
		.detail = claw_text_begin(&detail, &size),
		.evidence = claw_text_begin(&evidence, &size),
	};
	bool holds = note.detail && note.evidence && test(f, &note);

	if (note.detail)
		fclose(note.detail);
	if (note.evidence)
		fclose(note.evidence);
	free(detail);
	free(evidence);
	return holds ? note.percent : 0;
}

/* Did it fault in, or close behind, memory that the launch has a pointer to? */
static unsigned int near_memory(const struct claw_crash_facts *f,
				const struct claw_trace_call *launch)
{
	for (uint32_t i = 0; f->has_address && i < launch->kernel_arg_count;
	     i++) {
		const struct claw_trace_object *object =
			claw_trace_object_get(f->trace,
					      launch->kernel_args[i].object);

		if (object && object->type == CLAW_OBJ_SVM &&
		    f->address >= object->handle &&
		    f->address - object->handle < object->bytes + SVM_BEHIND)
			return PERCENT_wild_number;
	}
	return 0;
}

/* Against those that went well: another than the last of them says more than
 * the same. */
static unsigned int unlike_earlier(const struct claw_crash_facts *f)
{
	unsigned int percent = ask(f, claw_cause_other_sizes,
				   PERCENT_other_sizes);

	return percent ? percent : NEW;
}

static unsigned int suspicion(const struct claw_crash_facts *facts,
			      uint32_t number, bool asks)
{
	const struct claw_trace_call *launch = claw_crash_call(facts, number);
	struct claw_crash_facts f = *facts;
	unsigned int most, percent;

	if (launch->fault && claw_crash_is_injected(launch))
		return INJECTED;
	/* Of a launch that does not end these rules know nothing. */
	if (!asks || strcmp(f.trigger, "timeout") == 0)
		return 0;
	f.launch = number;
	most = unlike_earlier(&f);
	percent = near_memory(&f, launch);
	most = percent > most ? percent : most;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		percent = ask(&f, rules[i].test, rules[i].percent);
		most = percent > most ? percent : most;
	}
	return most;
}

/* ---- all of them ------------------------------------------------------ */

/* The launch whose event has failed, or 0. */
static uint32_t launch_of_status(const struct claw_crash_facts *f)
{
	for (uint32_t i = 0; i < f->trace->call_count; i++) {
		const struct claw_trace_call *call = &f->trace->calls[i];
		uint32_t command;

		if (claw_crash_is_call(call) || call->result >= 0)
			continue;
		command = claw_crash_command(f->trace,
					     claw_crash_event(call));
		if (command && claw_trace_launched(claw_crash_call(f, command)))
			return command;
	}
	return 0;
}

/* From the last one on: of those that are alike it is the last, of those with
 * an injected fault the first. */
static void look_at(struct claw_crash_facts *f, uint32_t number,
		    unsigned int *best)
{
	bool asks = ++f->open_launches <= ASKED_MAX;
	unsigned int how = suspicion(f, number, asks);

	if (how > *best || !f->launch || (how == *best && how == INJECTED)) {
		f->alike = 0;
		f->launch = number;
	}
	f->alike += how >= *best;
	*best = how > *best ? how : *best;
}

void claw_crash_suspects_find(struct claw_crash_facts *f)
{
	uint32_t told = launch_of_status(f);
	unsigned int best = 0;

	f->launch = f->open_launches = f->alike = 0;
	for (uint32_t i = f->trace->call_count; i > 0; i--)
		if (claw_crash_is_open(f, i))
			look_at(f, i, &best);
	if (told || best == INJECTED)
		f->alike = 1;
	if (told)
		f->launch = told;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judge a faulted run against a baseline. A finding is true whether or not
 * every rule fired; the absence of one means something only if they did.
 */
#include "config.h"

#include "verdict.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/words.h"

/* More status polls than this, and than ten times the baseline's, is
 * spinning. */
enum { SPIN_POLLS = 1000 };

/* A program that was refused this often, and has not ended, tries for ever. */
enum { MANY_TRIES = 100 };

static int fatal_signal_of_shell(int status)
{
	static const int fatal[] = {
		SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS,
		SIGKILL,
	};

	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		if (status == 128 + fatal[i])
			return fatal[i];
	return 0;
}

/* "clCreateBuffer at main (tile.c:88)", or "" */
static void print_first_firing(FILE *out, const struct claw_evidence *e)
{
	for (size_t i = 0; i < e->rule_count; i++) {
		const struct claw_rule_count *rule = &e->rules[i];

		if (rule->fired == 0 || !rule->api)
			continue;
		fprintf(out, " after %s (INJECTED)%s%s", rule->api,
			rule->place ? " at " : "",
			rule->place ? rule->place : "");
		return;
	}
}

/* What is known before the verdict, and where its words go. */
struct deciding {
	const struct claw_verdict_input *in;
	int signal;
	bool fired;		/* what was to fire: some of it */
	size_t unreached;	/* the first rule that did not; or their count */
	FILE *message, *detail, *signature;
};

static void say_refused(const struct deciding *d)
{
	fprintf(d->message, "the layer refused the plan: %s",
		d->in->evidence->plan_error);
}

static void say_not_made(const struct deciding *d)
{
	const struct claw_run_result *run = d->in->run;

	fprintf(d->message, "cannot run with the fault: %s",
		run->end == CLAW_END_CANCELLED ? "cancelled" :
		strerror(run->code));
}

static void say_no_call(const struct deciding *d)
{
	fputs(d->in->why_not ? d->in->why_not :
	      "called no OpenCL function", d->message);
}

static void say_crash(const struct deciding *d)
{
	const struct claw_verdict_input *in = d->in;
	char *last = claw_evidence_last_call(in->evidence);
	char *place = claw_evidence_crash(in->evidence);
	char *stack = claw_evidence_crash_stack(in->evidence);
	char *under_way = claw_evidence_under_way(in->evidence);
	char *name = claw_evidence_crash_name(in->evidence);

	if (!name)
		name = claw_evidence_last_name(in->evidence);
	fprintf(d->message, "killed by %s%s%s%s", claw_signal_words(d->signal),
		place ? " in " : "", place ? place : "",
		under_way ? under_way : "");
	print_first_firing(d->message, in->evidence);
	fprintf(d->signature, "%s %s", claw_signal_name(d->signal),
		name && *name ? name : CLAW_VERDICT_UNKNOWN);
	if (last)
		fprintf(d->detail, "last OpenCL call on record: %s\n", last);
	if (stack)
		fprintf(d->detail, "stack:\n%s\n", stack);
	free(last);
	free(place);
	free(stack);
	free(under_way);
	free(name);
}

static uint64_t refused(const struct claw_rule_count *rule)
{
	return rule->fired + rule->consequences;
}

/* The rule because of which call after call failed, or NULL. */
static const struct claw_rule_count *find_tries(const struct claw_evidence *e)
{
	for (size_t i = 0; i < e->rule_count; i++)
		if (refused(&e->rules[i]) > MANY_TRIES && e->rules[i].api)
			return &e->rules[i];
	return NULL;
}

static void say_hang(const struct deciding *d)
{
	const struct claw_verdict_input *in = d->in;
	char *blocked = claw_evidence_blocked(in->evidence);
	const struct claw_rule_count *tries = find_tries(in->evidence);
	uint64_t polls = in->evidence->status_polls;

	fprintf(d->message, "did not exit within %.1f s",
		(double)in->run->duration_us / 1e6);
	print_first_firing(d->message, in->evidence);
	if (blocked) {
		fprintf(d->message, ": blocked in %s", blocked);
		fprintf(d->signature, "hang %.*s", (int)strcspn(blocked, " "),
			blocked);
	} else if (polls > SPIN_POLLS &&
		   polls > 10 * in->baseline->status_polls) {
		fprintf(d->message,
			": polling: %" PRIu64 " status queries of an event "
			"that never became CL_COMPLETE",
			polls);
		fprintf(d->signature, "hang spinning");
	} else if (tries) {
		fprintf(d->message,
			": retrying: %" PRIu64 " calls failed, the first %s",
			refused(tries), tries->api);
		fprintf(d->signature, "hang while retrying");
	} else {
		fprintf(d->message, ": not in an OpenCL call");
		fprintf(d->signature, "hang outside OpenCL");
	}
	if (in->run->stacks)
		fprintf(d->detail, "stacks before it was killed:\n%s",
			in->run->stacks);
	free(blocked);
}

static void say_misuse(const struct deciding *d)
{
	const struct claw_verdict_input *in = d->in;
	char *lines = claw_evidence_misuse(in->evidence, 20);
	size_t first = lines ? strcspn(lines, "\n") : 0;

	fprintf(d->message, "used a NULL or dead handle");
	if (first)
		fprintf(d->message, ": %.*s", (int)first, lines);
	print_first_firing(d->message, in->evidence);
	if (lines)
		fputs(lines, d->detail);
	free(lines);
}

static void say_found(const struct deciding *d)
{
	const struct claw_verdict_input *in = d->in;

	fprintf(d->message, "%.*s", (int)strcspn(in->found, "\n"), in->found);
	print_first_firing(d->message, in->evidence);
	fputs(in->found, d->detail);
	fputs(in->found_chain, d->signature);
}

/* Its own exit status is no error where it ends with it without faults. */
static enum claw_verdict decide_difference(const struct claw_verdict_input *in,
					   FILE *message)
{
	int code = in->run->code, before = in->baseline_run->code;

	fprintf(message, "exit status %d", code);
	if (code != before)
		fprintf(message, " (%d without faults)", before);
	else if (code)
		fputs(" (as without faults)", message);
	if (in->said) {
		fputs(", another result", message);
		if (in->difference)
			fprintf(message, " (%s)", in->difference);
		fprintf(message, ", and said \"%.200s\"", in->said);
		return CLAW_DEGRADED;
	}
	fputs(" with a different result and no error message", message);
	if (in->difference)
		fprintf(message, ": %s", in->difference);
	return CLAW_SWALLOWED;
}

static enum claw_verdict decide_same(const struct claw_verdict_input *in,
				     bool leaks, FILE *message)
{
	if (in->nothing && !leaks) {
		fprintf(message, "exit status %d as without faults, but "
			"nothing else was compared: %s; name a result file "
			"with --artifact, or accept the exit status with "
			"--trust-exit-status", in->run->code, in->nothing);
		return CLAW_INCONCLUSIVE;
	}
	fprintf(message, "recovered: same result");
	if (in->compared)
		fprintf(message, " (compared: %s)", in->compared);
	return leaks ? CLAW_LEAK : CLAW_HANDLED;
}

static enum claw_verdict decide_exit(const struct claw_verdict_input *in,
				     FILE *message, FILE *detail)
{
	char *leaks = claw_evidence_leaks(in->evidence, in->baseline);
	enum claw_verdict verdict = CLAW_HANDLED;
	int code = in->run->code;
	bool is_own_end = code != in->baseline_run->code;

	if (code != 0 && is_own_end) {
		fprintf(message, "exited with status %d", code);
		if (in->said)
			fprintf(message, " and said \"%.200s\"", in->said);
	} else if (!in->difference && !is_own_end) {
		verdict = decide_same(in, leaks != NULL, message);
	} else {
		verdict = decide_difference(in, message);
	}
	if (leaks && in->leak_check_all && verdict != CLAW_SWALLOWED)
		verdict = CLAW_LEAK;
	if (leaks && verdict == CLAW_LEAK)
		fprintf(message, "; alive at exit but not in the baseline: %s",
			leaks);
	else if (leaks)
		fprintf(detail, "note: alive at exit but not in the baseline: "
			"%s\n", leaks);
	free(leaks);
	return verdict;
}

/* A shell's status that the program has without faults, too, is no crash. */
static int signal_of(const struct claw_verdict_input *in)
{
	const struct claw_run_result *run = in->run;

	if (run->end == CLAW_END_SIGNAL)
		return run->code;
	return run->end == CLAW_END_EXIT &&
		run->code != in->baseline_run->code ?
		fatal_signal_of_shell(run->code) : 0;
}

static void say_not_reached(const struct deciding *d)
{
	uint64_t matched = d->in->evidence->rules[d->unreached].matched;

	fprintf(d->message, "%s never fired: %" PRIu64 " call%s matched",
		d->in->rules[d->unreached].text, matched,
		matched == 1 ? "" : "s");
	if (d->signal || d->in->run->end == CLAW_END_TIMEOUT)
		fprintf(d->message, "; the program %s by itself",
			d->signal ? claw_signal_name(d->signal) : "hung");
}

static enum claw_verdict decide_end(const struct deciding *d)
{
	const struct claw_verdict_input *in = d->in;
	enum claw_verdict verdict = decide_exit(in, d->message, d->detail);

	if (in->unseen && claw_verdict_class(verdict) != 'f') {
		fprintf(d->message, "; but %s", in->unseen);
		return CLAW_INCONCLUSIVE;
	}
	if (in->gap && claw_verdict_class(verdict) == 'p') {
		fprintf(d->message, "; unconfirmed: %s", in->gap);
		return CLAW_INFRA;
	}
	return verdict;
}

/* The first row that holds; none: the program ended by itself. */
static enum claw_verdict decide(const struct deciding *d)
{
	const struct claw_verdict_input *in = d->in;
	const struct claw_evidence *e = in->evidence;
	const bool timeout = in->run->end == CLAW_END_TIMEOUT;
	const bool made = timeout || in->run->end == CLAW_END_EXIT ||
		in->run->end == CLAW_END_SIGNAL;
	const bool missing = d->unreached < e->rule_count;
	const struct {
		bool holds;
		enum claw_verdict verdict;
		void (*say)(const struct deciding *d);
	} rows[] = {
		{ e->plan_error, CLAW_INFRA, say_refused },
		{ !made, CLAW_INFRA, say_not_made },
		{ !claw_evidence_has_handshake(e), CLAW_NOT_INJECTED,
		  say_no_call },
		{ d->fired && d->signal, CLAW_CRASH, say_crash },
		{ d->fired && timeout, CLAW_HANG, say_hang },
		{ d->fired && e->misuse > in->baseline->misuse, CLAW_MISUSE,
		  say_misuse },
		{ d->fired && in->found, CLAW_SANITIZER, say_found },
		{ missing, CLAW_NOT_REACHED, say_not_reached },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!rows[i].holds)
			continue;
		if (rows[i].verdict != CLAW_INFRA &&
		    rows[i].verdict != CLAW_NOT_INJECTED && d->fired && missing)
			fprintf(d->detail, "never fired: %s\n",
				in->rules[d->unreached].text);
		rows[i].say(d);
		return rows[i].verdict;
	}
	return decide_end(d);
}

static char *take_text(FILE *out, char **text, bool keep_empty)
{
	claw_text_end(out);
	if (keep_empty || **text)
		return *text;
	free(*text);
	return NULL;
}

void claw_verdict_decide(const struct claw_verdict_input *input,
			 struct claw_verdict_output *ret_output)
{
	char *texts[3];
	size_t sizes[3];
	FILE *out[3];
	struct deciding deciding = {
		.in = input, .signal = signal_of(input),
		.fired = claw_evidence_any_fired(input->evidence) ||
			input->evidence->rule_count == 0,
		.unreached = claw_evidence_first_unreached(input->evidence,
							   input->rules),
	};
	enum claw_verdict verdict;

	for (int i = 0; i < 3; i++)
		out[i] = claw_text_begin(&texts[i], &sizes[i]);
	deciding.message = out[0];
	deciding.detail = out[1];
	deciding.signature = out[2];
	verdict = decide(&deciding);
	*ret_output = (struct claw_verdict_output) { .verdict = verdict };
	ret_output->message = take_text(out[0], &texts[0], true);
	ret_output->detail = take_text(out[1], &texts[1], false);
	ret_output->signature = take_text(out[2], &texts[2], false);
}

void claw_verdict_release(struct claw_verdict_output *output)
{
	free(output->message);
	free(output->detail);
	free(output->signature);
	*output = (struct claw_verdict_output) { .verdict = CLAW_INFRA };
}

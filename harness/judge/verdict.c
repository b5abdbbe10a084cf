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

static void decide_crash(const struct claw_verdict_input *in, int number,
			 FILE *message, FILE *detail, FILE *signature)
{
	char *last = claw_evidence_last_call(in->evidence);
	char *place = claw_evidence_crash(in->evidence);
	char *stack = claw_evidence_crash_stack(in->evidence);
	char *under_way = claw_evidence_under_way(in->evidence);
	char *name = claw_evidence_crash_name(in->evidence);

	if (!name)
		name = claw_evidence_last_name(in->evidence);
	fprintf(message, "ended by %s%s%s%s", claw_signal_words(number),
		place ? " in " : "", place ? place : "",
		under_way ? under_way : "");
	print_first_firing(message, in->evidence);
	fprintf(signature, "%s %s", claw_signal_name(number),
		name && *name ? name : CLAW_VERDICT_UNKNOWN);
	if (last)
		fprintf(detail, "last OpenCL call on record: %s\n", last);
	if (stack)
		fprintf(detail, "stack:\n%s\n", stack);
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

static void decide_hang(const struct claw_verdict_input *in, FILE *message,
			FILE *detail, FILE *signature)
{
	char *blocked = claw_evidence_blocked(in->evidence);
	const struct claw_rule_count *tries = find_tries(in->evidence);
	uint64_t polls = in->evidence->status_polls;

	fprintf(message, "did not end in %.1f s",
		(double)in->run->duration_us / 1e6);
	print_first_firing(message, in->evidence);
	if (blocked) {
		fprintf(message, ": blocked in %s", blocked);
		fprintf(signature, "hang %.*s", (int)strcspn(blocked, " "),
			blocked);
	} else if (polls > SPIN_POLLS &&
		   polls > 10 * in->baseline->status_polls) {
		fprintf(message, ": spinning: %" PRIu64 " status polls of an "
			"event that never became CL_COMPLETE", polls);
		fprintf(signature, "hang spinning");
	} else if (tries) {
		fprintf(message, ": trying again: %" PRIu64 " calls failed, the "
			"first %s", refused(tries), tries->api);
		fprintf(signature, "hang trying again");
	} else {
		fprintf(message, ": in no OpenCL call");
		fprintf(signature, "hang outside OpenCL");
	}
	if (in->run->stacks)
		fprintf(detail, "stacks before it was killed:\n%s",
			in->run->stacks);
	free(blocked);
}

static void decide_misuse(const struct claw_verdict_input *in, FILE *message,
			  FILE *detail)
{
	char *lines = claw_evidence_misuse(in->evidence, 20);
	size_t first = lines ? strcspn(lines, "\n") : 0;

	fprintf(message, "went on with a NULL or dead handle");
	if (first)
		fprintf(message, ": %.*s", (int)first, lines);
	print_first_firing(message, in->evidence);
	if (lines)
		fputs(lines, detail);
	free(lines);
}

static void decide_found(const struct claw_verdict_input *in, FILE *message,
			 FILE *detail, FILE *signature)
{
	fprintf(message, "%.*s", (int)strcspn(in->found, "\n"), in->found);
	print_first_firing(message, in->evidence);
	fputs(in->found, detail);
	fputs(in->found_chain, signature);
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
	fputs(" and another result, without a word", message);
	if (in->difference)
		fprintf(message, ": %s", in->difference);
	return CLAW_SWALLOWED;
}

static enum claw_verdict decide_same(const struct claw_verdict_input *in,
				     bool leaks, FILE *message)
{
	if (in->nothing && !leaks) {
		fprintf(message, "exit status %d, as without faults, and "
			"nothing else was compared: %s; name a result with "
			"--artifact, or accept the exit status alone with "
			"--trust-exit-status", in->run->code, in->nothing);
		return CLAW_INCONCLUSIVE;
	}
	fprintf(message, "recovered: the same result");
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
		fprintf(message, "ended with exit status %d", code);
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
		fprintf(message, "; alive at exit and not in the baseline: %s",
			leaks);
	else if (leaks)
		fprintf(detail, "note: alive at exit and not in the baseline: "
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

static enum claw_verdict decide(const struct claw_verdict_input *in,
				FILE *message, FILE *detail, FILE *signature)
{
	const struct claw_run_result *run = in->run;
	size_t unreached = claw_evidence_first_unreached(in->evidence,
							in->rules);
	bool all = unreached == in->evidence->rule_count;
	int number = signal_of(in);
	enum claw_verdict verdict;

	if (in->evidence->plan_error) {
		fprintf(message, "the layer refused the plan: %s",
			in->evidence->plan_error);
		return CLAW_INFRA;
	}
	if (run->end != CLAW_END_EXIT && run->end != CLAW_END_SIGNAL &&
	    run->end != CLAW_END_TIMEOUT) {
		fprintf(message, "the faulted run could not be made: %s",
			run->end == CLAW_END_CANCELLED ? "cancelled" :
			strerror(run->code));
		return CLAW_INFRA;
	}
	if (!claw_evidence_has_handshake(in->evidence)) {
		fprintf(message, "%s", in->why_not ? in->why_not :
			"it called no OpenCL function");
		return CLAW_NOT_INJECTED;
	}
	if (claw_evidence_any_fired(in->evidence) || in->evidence->rule_count == 0) {
		if (!all)
			fprintf(detail, "never fired: %s\n",
				in->rules[unreached].text);
		if (number) {
			decide_crash(in, number, message, detail, signature);
			return CLAW_CRASH;
		}
		if (run->end == CLAW_END_TIMEOUT) {
			decide_hang(in, message, detail, signature);
			return CLAW_HANG;
		}
		if (in->evidence->misuse > in->baseline->misuse) {
			decide_misuse(in, message, detail);
			return CLAW_MISUSE;
		}
		if (in->found) {
			decide_found(in, message, detail, signature);
			return CLAW_SANITIZER;
		}
	}
	if (unreached < in->evidence->rule_count) {
		uint64_t matched = in->evidence->rules[unreached].matched;

		fprintf(message, "%s never fired: %" PRIu64 " call%s matched",
			in->rules[unreached].text, matched,
			matched == 1 ? "" : "s");
		if (number || run->end == CLAW_END_TIMEOUT)
			fprintf(message, "; the program %s by itself",
				number ? claw_signal_name(number) : "hung");
		return CLAW_NOT_REACHED;
	}
	verdict = decide_exit(in, message, detail);
	if (in->unseen && claw_verdict_class(verdict) != 'f') {
		fprintf(message, "; but %s", in->unseen);
		return CLAW_INCONCLUSIVE;
	}
	if (in->gap && claw_verdict_class(verdict) == 'p') {
		fprintf(message, "; but nothing is sure, for %s", in->gap);
		return CLAW_INFRA;
	}
	return verdict;
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
	enum claw_verdict verdict;

	for (int i = 0; i < 3; i++)
		out[i] = claw_text_begin(&texts[i], &sizes[i]);
	verdict = decide(input, out[0], out[1], out[2]);
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

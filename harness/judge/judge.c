/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of the runs, and the comparison of what they produced.
 */
#include "config.h"

#include "judge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "judged_found.h"
#include "judged_zones.h"
#include "harness/base/memory.h"
#include "harness/files/results.h"
#include "harness/base/text.h"
#include "harness/base/text_clean.h"
#include "harness/evidence/why_not.h"
#include "harness/base/words.h"

struct judging {
	const struct claw_judge *judge;
	struct claw_judgement *judgement;
	const struct claw_unstable *unstable;
};

static int stop(struct judging *j, enum claw_judge_end end,
		const char *format, ...) __attribute__((format(printf, 3, 4)));

/* End the judging for this reason. Always -1. */
static int stop(struct judging *j, enum claw_judge_end end,
		const char *format, ...)
{
	va_list args;

	va_start(args, format);
	free(j->judgement->why);
	j->judgement->why = claw_vformat(format, args);
	va_end(args);
	j->judgement->end = end;
	return -1;
}

/* A run that could not be made ends the judging. */
static int check_made(struct judging *j, const struct claw_judged_run *run)
{
	static const enum claw_judge_end ends[] = {
		[CLAW_JUDGED_DONE] = CLAW_JUDGE_DONE,
		[CLAW_JUDGED_INFRA] = CLAW_JUDGE_INFRA,
		[CLAW_JUDGED_NO_PROGRAM] = CLAW_JUDGE_NO_PROGRAM,
		[CLAW_JUDGED_NOT_EXECUTABLE] = CLAW_JUDGE_NOT_EXECUTABLE,
		[CLAW_JUDGED_CANCELLED] = CLAW_JUDGE_CANCELLED,
	};

	if (run->end == CLAW_JUDGED_DONE)
		return 0;
	return stop(j, ends[run->end], "%s", run->why);
}

static void nothing_more(struct claw_judged_run *run, void *user)
{
	(void)run;
	(void)user;
}

/* One run, alone. */
static int make_run(struct judging *j, const struct claw_judged_setup *setup,
		    const char *name, const char *words, bool faulted,
		    uint64_t timeout_ms, struct claw_judged_run *run)
{
	const struct claw_judge *judge = j->judge;
	char *texts[CLAW_JOURNAL_MAX_RULES + 1];
	char *directory = claw_path_in(judge->directory, name);
	size_t count = faulted ? judge->rule_count : 0;

	if (judge->progress)
		judge->progress(judge->progress_user, words);
	for (size_t i = 0; i < count; i++)
		texts[i] = (char *)judge->rules[i].text;
	claw_judged_begin(setup, directory, texts, count, timeout_ms,
			  nothing_more, NULL, run);
	claw_runner_run(judge->runner);
	free(directory);
	return check_made(j, run);
}

/* *ret_difference: of standard output and artifacts, or NULL. */
static int compare_results(struct judging *j, const struct claw_judged_run *a,
			   const struct claw_judged_run *b,
			   char **ret_difference)
{
	const struct claw_strings *artifacts = &j->judge->artifacts;
	int ret = claw_unstable_compare(j->unstable, claw_judged_output(a),
					claw_judged_output(b),
					"standard output", ret_difference);

	for (size_t i = 0; ret == 0 && !*ret_difference &&
	     i < artifacts->count; i++) {
		char *first = claw_judged_compared(a, i);
		char *second = claw_judged_compared(b, i);

		ret = claw_results_compare(first, second, artifacts->items[i],
					   ret_difference);
		free(first);
		free(second);
	}
	return ret == 0 ? 0 : stop(j, CLAW_JUDGE_INFRA, "cannot compare the "
				   "results: %s", claw_error_text(ret));
}

/* What a program overruns without a fault is not what this is about. */
static int check_zones(struct judging *j, const struct claw_judged_run *run)
{
	struct claw_judged_zones zones;
	int ret = claw_judged_zones_look(run, j->judge->config.find, &zones);

	if (ret < 0)
		stop(j, CLAW_JUDGE_INFRA, "cannot read the guard zone "
		     "findings: %s", claw_error_text(ret));
	else if (zones.text)
		ret = stop(j, CLAW_JUDGE_UNKNOWN, "without faults: %.*s (see "
			   "openclaw check --guards)",
			   (int)strcspn(zones.text, "\n"), zones.text);
	else if (zones.gap)
		ret = stop(j, CLAW_JUDGE_UNKNOWN, "without faults: %s",
			   zones.gap);
	claw_judged_zones_release(&zones);
	return ret < 0 ? -1 : 0;
}

static int check_baseline(struct judging *j, const struct claw_judged_run *run)
{
	char *reason;
	int ret;

	if (run->result.end == CLAW_END_TIMEOUT)
		return stop(j, CLAW_JUDGE_UNKNOWN, "without faults it did not "
			    "exit within %.1f s",
			    (double)run->result.duration_us / 1e6);
	if (run->result.end == CLAW_END_SIGNAL)
		return stop(j, CLAW_JUDGE_UNKNOWN, "without faults it was "
			    "killed by %s",
			    claw_signal_words(run->result.code));
	if (run->evidence.plan_error)
		return stop(j, CLAW_JUDGE_INFRA, "the layer refused its "
			    "session: %s", run->evidence.plan_error);
	reason = claw_evidence_gap(&run->evidence);
	if (reason) {
		stop(j, CLAW_JUDGE_INFRA, "%s of a run without faults",
		     reason);
		free(reason);
		return -1;
	}
	if (run->found_gap)
		return stop(j, CLAW_JUDGE_INFRA, "%s of a run without faults",
			    run->found_gap);
	if (run->unseen)
		return stop(j, CLAW_JUDGE_UNKNOWN, "%s", run->unseen);
	if (claw_evidence_has_handshake(&run->evidence))
		return check_zones(j, run);
	if (run->evidence.count == 0 && !claw_session_has_room(run->session))
		return stop(j, CLAW_JUDGE_INFRA, "no space for a journal in %s",
			    run->directory);
	reason = claw_program_why_not(j->judge->program,
				      &run->evidence);
	ret = stop(j, CLAW_JUDGE_DONE, "%s", reason ? reason :
		   "called no OpenCL function");
	free(reason);
	j->judgement->output.verdict = CLAW_NOT_INJECTED;
	j->judgement->output.message = j->judgement->why;
	j->judgement->why = NULL;
	return ret;
}

static int compare_baselines(struct judging *j, const struct claw_judged_run *a,
			     const struct claw_judged_run *b)
{
	char *difference = NULL;
	int ret;

	if (a->result.code != b->result.code)
		return stop(j, CLAW_JUDGE_UNKNOWN, "two runs without faults "
			    "differ: exit status %d and %d", a->result.code,
			    b->result.code);
	if (compare_results(j, a, b, &difference) < 0)
		return -1;
	if (difference) {
		ret = stop(j, CLAW_JUDGE_UNKNOWN, "two runs without faults "
			   "differ: %s (%s)", difference,
			   claw_compared_hint(a, difference,
					      j->judge->strict_output));
		free(difference);
		return ret;
	}
	difference = claw_evidence_compare(&a->evidence, &b->evidence);
	if (!difference)
		return 0;
	ret = stop(j, CLAW_JUDGE_UNKNOWN, "two runs without faults differ: %s",
		   difference);
	free(difference);
	return ret;
}

/* Output for people: no NUL, nothing that a terminal obeys. */
static char *clean_text(const struct claw_capture *capture)
{
	char *head = claw_text_clean(capture->head, capture->head_bytes);
	char *tail = claw_text_clean(capture->tail, capture->tail_bytes);
	char *text = capture->cut_bytes ?
		claw_format("%s\n... %" PRIu64 " bytes cut ...\n%s", head,
			    capture->cut_bytes, tail) :
		claw_format("%s%s", head, tail);

	free(head);
	free(tail);
	return text;
}

/* Behind the verdict's own words: what the tool has to say that did not make
 * the verdict. */
static void add_found(struct claw_verdict_output *output,
		      const struct claw_judged_found *found)
{
	bool is_said = output->verdict == CLAW_SANITIZER;
	const char *text = found->text && !is_said ? found->text : "";
	char *both;

	if (!*text && !found->notes)
		return;
	both = claw_format(
		"%s%s%s%s", output->detail ? output->detail : "", text,
		found->notes ? "note: not released at an error exit: " : "",
		found->notes ? found->notes : "");
	free(output->detail);
	output->detail = both;
}

/* A program that fails by itself: that is what the verdict is about. */
static void add_failure(struct claw_verdict_output *output, const char *failure)
{
	char *both;

	if (!failure)
		return;
	both = claw_format("%sbaseline: %s\n", output->detail ?
			   output->detail : "", failure);
	free(output->detail);
	output->detail = both;
}

/* What it lost on its way out of an error is a note, as with objects. */
static void look_at_tool(struct judging *j,
			 const struct claw_judged_run *baseline,
			 const struct claw_judged_run *faulted,
			 struct claw_judged_found *found)
{
	bool left_counts = j->judge->leak_check_all ||
		(faulted->result.end == CLAW_END_EXIT &&
		 faulted->result.code == baseline->result.code);

	*found = (struct claw_judged_found) { .text = NULL };
	if (j->judge->tool)
		claw_judged_found_compare(baseline, faulted, left_counts,
					  found);
}

void claw_judge_decide(const struct claw_judge_baseline *baseline,
		       const struct claw_judged_run *faulted,
		       const struct claw_rule *rules,
		       struct claw_judgement *ret_judgement)
{
	struct judging j = { baseline->judge, ret_judgement,
			     &baseline->unstable };
	const struct claw_judged_run *base = baseline->runs;
	/* A filter is for comparing: what it said is in what it printed. */
	const struct claw_results_output now = {
		faulted->out_path, faulted->err_path,
	};
	const struct claw_results_output known[] = {
		{ base[0].out_path, base[0].err_path },
		{ base[1].out_path, base[1].err_path },
	};
	const struct claw_compared *compared = &baseline->compared;
	struct claw_verdict_input input = {
		.run = &faulted->result,
		.baseline_run = &base->result,
		.evidence = &faulted->evidence,
		.baseline = &base->evidence,
		.rules = rules,
		.leak_check_all = j.judge->leak_check_all,
		.nothing = claw_compared_is_nothing(compared) &&
			!j.judge->trust_status ? claw_compared_why(compared) :
			NULL,
	};
	char *amount = NULL, *difference = NULL, *said = NULL, *why_not = NULL, *gap;
	struct claw_judged_zones zones = { .text = NULL };
	struct claw_judged_found found;

	*ret_judgement = (struct claw_judgement) { .end = CLAW_JUDGE_DONE };
	if (check_made(&j, faulted) < 0 ||
	    compare_results(&j, base, faulted, &difference) < 0)
		return;
	if (claw_judged_zones_look(faulted, j.judge->config.find, &zones) < 0)
		stop(&j, CLAW_JUDGE_INFRA, "cannot read the guard zone "
		     "findings");
	look_at_tool(&j, base, faulted, &found);
	gap = claw_evidence_gap(&faulted->evidence);
	said = claw_results_said(&now, known, 2);
	amount = claw_compared_text(compared);
	if (!claw_evidence_has_handshake(&faulted->evidence))
		why_not = claw_program_why_not(j.judge->program,
					       &faulted->evidence);
	input.difference = difference;
	input.said = said;
	input.compared = amount;
	input.why_not = why_not;
	input.unseen = faulted->unseen;
	input.gap = gap ? gap : zones.lost ? zones.lost : faulted->found_gap;
	input.found = zones.text ? zones.text : found.text;
	input.found_chain = zones.text ? zones.chain : found.chain;
	claw_verdict_decide(&input, &ret_judgement->output);
	add_found(&ret_judgement->output, &found);
	add_failure(&ret_judgement->output, baseline->failure);
	ret_judgement->found = found.findings;
	found.findings = (struct claw_findings) { 0 };
	ret_judgement->duration_us = faulted->result.duration_us;
	ret_judgement->out_text = clean_text(&faulted->result.out);
	ret_judgement->err_text = clean_text(&faulted->result.err);
	free(amount);
	free(difference);
	free(said);
	free(why_not);
	free(gap);
	claw_judged_zones_release(&zones);
	claw_judged_found_release(&found);
}

/* The same bytes for each run, also when the file is a pipe. */
static int spool_stdin(struct judging *j, struct claw_judge_baseline *baseline)
{
	const char *path = j->judge->stdin_path;

	if (!path)
		return 0;
	if (access(path, R_OK) < 0)
		return stop(j, CLAW_JUDGE_INFRA, "%s: %s", path,
			    strerror(errno));
	baseline->stdin_copy = claw_path_in(j->judge->directory, "stdin");
	if (!baseline->stdin_copy ||
	    claw_results_keep(path, true, baseline->stdin_copy) < 0)
		return stop(j, CLAW_JUDGE_INFRA, "%s: %s", path,
			    strerror(errno));
	baseline->setup.stdin_path = baseline->stdin_copy;
	return 0;
}

/* What is different in the run from the first baseline, malloced, or NULL. */
static char *compare_beside(const struct claw_judge_baseline *baseline,
			    const struct claw_judged_run *run)
{
	struct claw_judgement judgement = { .end = CLAW_JUDGE_DONE };
	struct judging j = { baseline->judge, &judgement,
			     &baseline->unstable };
	bool same = check_made(&j, run) == 0 && check_baseline(&j, run) == 0 &&
		compare_baselines(&j, &baseline->runs[0], run) == 0;
	/* The second where there is a verdict (check_baseline). */
	const char *why = judgement.why ? judgement.why :
		judgement.output.message;
	char *text = same ? NULL : claw_strdup(why ? why : "not comparable");

	claw_judgement_release(&judgement);
	return text;
}

char *claw_judge_beside(const struct claw_judge_baseline *baseline,
			unsigned int count)
{
	struct claw_judged_run *runs = claw_calloc(count, sizeof(*runs));
	char *why = NULL;

	for (unsigned int i = 0; i < count; i++) {
		char *name = claw_format("beside-%u", i + 1);
		char *directory = claw_path_in(baseline->judge->directory,
					       name);

		claw_judged_begin(&baseline->setup, directory, NULL, 0,
				  baseline->limit_ms, nothing_more, NULL,
				  &runs[i]);
		free(directory);
		free(name);
	}
	claw_runner_run(baseline->judge->runner);
	for (unsigned int i = 0; i < count; i++) {
		if (!why)
			why = compare_beside(baseline, &runs[i]);
		claw_directory_remove(runs[i].directory);
		claw_judged_release(&runs[i]);
	}
	free(runs);
	return why;
}

static uint64_t timeout_of(const struct claw_judge_baseline *baseline)
{
	uint64_t a_us = baseline->runs[0].result.duration_us;
	uint64_t b_us = baseline->runs[1].result.duration_us;
	uint64_t ms = (a_us > b_us ? a_us : b_us) / 100;	/* ten times */

	if (baseline->judge->timeout_ms)
		return baseline->judge->timeout_ms;
	return ms > CLAW_JUDGE_TIMEOUT_MS ? ms : CLAW_JUDGE_TIMEOUT_MS;
}

/* Learn what differs by itself, where it is to be set aside: in the baselines,
 * and in the warm-up if it looks like them. */
static int set_aside(struct judging *j, struct claw_judge_baseline *baseline,
		     const struct claw_judged_run *warm_up)
{
	const char *first = claw_judged_output(&baseline->runs[0]);
	int ret;

	if (j->judge->strict_output)
		return 0;
	ret = claw_unstable_learn(&baseline->unstable, first,
				  claw_judged_output(&baseline->runs[1]));
	if (ret == 0 && baseline->unstable.numbers + baseline->unstable.words)
		ret = claw_unstable_learn(&baseline->unstable, first,
					  claw_judged_output(warm_up));
	if (ret == 0)
		ret = claw_unstable_spread(&baseline->unstable, first);
	if (ret == 0 || ret == -CLAW_E_LIMIT)
		return 0;
	return stop(j, CLAW_JUDGE_INFRA, "cannot compare the results: %s",
		    claw_error_text(ret));
}

/* How the runs without faults end, where that is no success. */
static char *describe_failure(const struct claw_judged_run *run)
{
	char *last = NULL, *text = NULL;

	if (run->result.code == 0)
		return NULL;
	last = claw_results_last_line(run->err_path);
	if (!last)
		last = claw_results_last_line(run->out_path);
	text = claw_format("exit status %d%s%.200s%s", run->result.code,
			   last ? ": \"" : "", last ? last : "",
			   last ? "\"" : "");
	free(last);
	return text;
}

/* What is compared of each run from here on. */
static int count_compared(struct judging *j,
			  struct claw_judge_baseline *baseline)
{
	const struct claw_judged_run *run = &baseline->runs[0];
	char *notes;

	if (claw_compared_count(run, &baseline->unstable,
				&baseline->compared) < 0)
		return stop(j, CLAW_JUDGE_INFRA, "cannot read the results in "
			    "%s", run->directory);
	baseline->failure = describe_failure(run);
	if (!j->judge->notes)
		return 0;
	notes = claw_judge_notes(baseline);
	if (notes)
		j->judge->notes(notes);
	free(notes);
	return 0;
}

static int make_baselines(struct judging *j,
			  struct claw_judge_baseline *baseline)
{
	const struct claw_judged_setup *setup = &baseline->setup;
	const struct claw_judged_setup *beside = &baseline->beside;
	struct claw_judged_run *runs = baseline->runs;
	struct claw_judged_run warm_up = { .end = CLAW_JUDGED_DONE };
	uint64_t limit_ms = j->judge->timeout_ms ? j->judge->timeout_ms :
		CLAW_JUDGE_BASELINE_TIMEOUT_MS;
	int ret = make_run(j, beside, "warm-up", "warm-up", false, limit_ms,
			   &warm_up);

	if (ret < 0 ||
	    make_run(j, setup, "baseline-1", "first baseline", false, limit_ms,
		     &runs[0]) < 0 ||
	    check_baseline(j, &runs[0]) < 0 ||
	    make_run(j, beside, "baseline-2", "second baseline", false,
		     limit_ms, &runs[1]) < 0 ||
	    check_baseline(j, &runs[1]) < 0)
		ret = -1;
	if (ret == 0)
		ret = set_aside(j, baseline, &warm_up);
	if (warm_up.directory)
		claw_directory_remove(warm_up.directory);
	claw_judged_release(&warm_up);
	if (ret == 0)
		ret = compare_baselines(j, &runs[0], &runs[1]);
	return ret < 0 ? ret : count_compared(j, baseline);
}

/* Fresh, so that no run finds what an earlier one has left. Tests of ours, which
 * run the same few kernels again and again, name one of theirs. */
static char *choose_cache(const struct claw_judge *judge, bool *ret_is_lent)
{
	const char *lent = getenv("OPENCLAW_TEST_CACHE");

	*ret_is_lent = lent && *lent == '/';
	return *ret_is_lent ? claw_strdup(lent) :
		claw_path_in(judge->directory, "cache");
}

int claw_judge_begin(const struct claw_judge *judge,
		     struct claw_judge_baseline *ret_baseline,
		     struct claw_judgement *ret_judgement)
{
	struct judging j = { judge, ret_judgement, &ret_baseline->unstable };

	*ret_judgement = (struct claw_judgement) { .end = CLAW_JUDGE_DONE };
	*ret_baseline = (struct claw_judge_baseline) {
		.judge = judge,
		.setup = {
			.runner = judge->runner,
			.argv = judge->argv,
			.config = judge->config,
			.output_filter = judge->output_filter,
			.prepare = judge->prepare,
			.cleanup = judge->cleanup,
			.artifacts = judge->artifacts,
			.artifact_filter = judge->artifact_filter,
			.symbolizer = judge->symbolizer,
			.gcov = judge->gcov,
			.tool = judge->tool,
		},
	};
	ret_baseline->cache = choose_cache(judge, &ret_baseline->is_lent);
	ret_baseline->setup.cache = ret_baseline->cache;
	ret_baseline->setup.own_directory = judge->own_directory ||
		claw_judged_names_directory(&ret_baseline->setup);
	ret_baseline->reference = claw_path_in(judge->directory, "baseline-1");
	ret_baseline->setup.reference = ret_baseline->reference;
	if (spool_stdin(&j, ret_baseline) < 0)
		return -1;
	ret_baseline->beside = ret_baseline->setup;
	ret_baseline->beside.beside_tool = judge->tool != NULL;
	if (make_baselines(&j, ret_baseline) < 0)
		return -1;
	ret_baseline->setup.tool_baseline = &ret_baseline->runs[0];
	ret_baseline->limit_ms = timeout_of(ret_baseline);
	return 0;
}

void claw_judge_end(struct claw_judge_baseline *baseline)
{
	if (baseline->cache && !baseline->is_lent)
		claw_directory_remove(baseline->cache);
	claw_judged_release(&baseline->runs[0]);
	claw_judged_release(&baseline->runs[1]);
	free(baseline->cache);
	free(baseline->stdin_copy);
	free(baseline->reference);
	free(baseline->failure);
	claw_unstable_release(&baseline->unstable);
	*baseline = (struct claw_judge_baseline) { .judge = NULL };
}

void claw_judge_run(const struct claw_judge *judge,
		    struct claw_judgement *ret_judgement)
{
	struct claw_judge_baseline baseline;
	struct judging j = { judge, ret_judgement, &baseline.unstable };
	struct claw_judged_run faulted = { .end = CLAW_JUDGED_DONE };

	if (claw_judge_begin(judge, &baseline, ret_judgement) == 0 &&
	    make_run(&j, &baseline.setup, "faulted", "faulted run", true,
		     baseline.limit_ms, &faulted) == 0) {
		claw_judge_decide(&baseline, &faulted, judge->rules,
				  ret_judgement);
		ret_judgement->evidence = faulted.evidence;
		faulted.evidence = (struct claw_evidence) { 0 };
	}
	claw_judged_release(&faulted);
	claw_judge_end(&baseline);
}

char *claw_judge_notes(const struct claw_judge_baseline *baseline)
{
	char *aside = claw_unstable_text(&baseline->unstable), *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	if (aside)
		fprintf(out, "ignored: %s, which vary without faults or are "
			"times (--strict-output compares them)\n", aside);
	if (baseline->failure)
		fprintf(out, "baseline: %s\n", baseline->failure);
	if (claw_compared_is_nothing(&baseline->compared) &&
	    !baseline->judge->trust_status)
		fprintf(out, "%s: %s\n", baseline->compared.missing ?
			"only part of the result was compared" :
			"only the exit status was compared",
			claw_compared_why(&baseline->compared));
	free(aside);
	claw_text_end(out);
	if (*text)
		return text;
	free(text);
	return NULL;
}

int claw_judge_status(enum claw_judge_end end)
{
	switch (end) {
	case CLAW_JUDGE_INFRA:
		return CLAW_EXIT_INFRA;
	case CLAW_JUDGE_NO_PROGRAM:
		return CLAW_EXIT_NO_PROGRAM;
	case CLAW_JUDGE_NOT_EXECUTABLE:
		return CLAW_EXIT_NOT_EXECUTABLE;
	case CLAW_JUDGE_DONE:
	case CLAW_JUDGE_UNKNOWN:
	case CLAW_JUDGE_CANCELLED:
		break;
	}
	return CLAW_EXIT_UNKNOWN;
}

void claw_judgement_release(struct claw_judgement *judgement)
{
	claw_verdict_release(&judgement->output);
	claw_evidence_release(&judgement->evidence);
	claw_findings_release(&judgement->found);
	free(judgement->why);
	free(judgement->out_text);
	free(judgement->err_text);
	*judgement = (struct claw_judgement) { .end = CLAW_JUDGE_INFRA };
}

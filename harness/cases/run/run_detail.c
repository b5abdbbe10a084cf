/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The many lines of a result: reports of tools, tests, output, stacks.
 */
#include "config.h"

#include "run_judge.h"
#include "run_plan.h"
#include "harness/base/text_clean.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SLOW = 20 };

static void write_findings(const struct claw_judging *judging)
{
	const char *tool = judging->try->what->under->row->name;
	/* Only of a kernel file the line itself is shown in any case. */
	bool is_short = !judging->try->what->selection->verbose &&
			judging->about->kind == CLAW_CASE_CLW;

	for (size_t i = 0; i < judging->findings.count; i++) {
		const struct claw_finding *one = &judging->findings.items[i];
		const char *text = one->text ? one->text : "";
		size_t length = strlen(text);

		/* One line is in the finding itself; so is what matters of a
		 * kernel's that has its place. */
		if (!strchr(text, '\n') ||
		    (is_short && one->line > 0 &&
		     claw_finding_kind_is_kernel(one->kind)))
			continue;
		fprintf(judging->to_detail, "--- %s, %u report%s\n%s%s", tool,
			one->times, one->times == 1 ? "" : "s", text,
			length > 0 && text[length - 1] == '\n' ? "" : "\n");
	}
}

/* Which test was running when the process ended. */
static void write_tests(const struct claw_judging *judging)
{
	const struct claw_case_report *report = judging->report;

	for (size_t i = 0; i < report->test_count; i++) {
		const struct claw_case_test *test = &report->tests[i];

		fprintf(judging->to_detail, "%-6s %s\n", test->word,
			test->name);
		if (*test->message)
			fprintf(judging->to_detail, "       %s%s%s\n",
				test->place, *test->place ? ": " : "",
				test->message);
		if (*test->deviation)
			fprintf(judging->to_detail,
				"       known deviation: %s\n",
				test->deviation);
	}
	if (!report->ended && report->test_count > 0)
		fprintf(judging->to_detail, "exited in the test after %s\n",
			report->tests[report->test_count - 1].name);
}

static void write_stream(const struct claw_judging *judging, const char *name,
			 const struct claw_capture *capture)
{
	char *head, *tail;

	if (capture->total_bytes == 0)
		return;
	head = claw_text_clean(capture->head, capture->head_bytes);
	tail = claw_text_clean(capture->tail, capture->tail_bytes);
	fprintf(judging->to_detail, "--- %s\n%s", name, head ? head : "");
	if (capture->cut_bytes > 0)
		fprintf(judging->to_detail,
			"\n... %" PRIu64 " bytes cut ...\n",
			capture->cut_bytes);
	fprintf(judging->to_detail, "%s\n", tail ? tail : "");
	free(head);
	free(tail);
}

/* Calls whose memory took long, whatever came of the case. */
static void write_slow(const struct claw_judging *judging)
{
	char *text = judging->has_evidence ?
		claw_evidence_slow(&judging->evidence, MAX_SLOW) : NULL;

	if (text)
		fprintf(judging->to_detail, "--- memory that took long\n%s",
			text);
	free(text);
}

static bool has_deviations(const struct claw_case_report *report)
{
	for (size_t i = 0; i < report->test_count; i++)
		if (strcmp(report->tests[i].word, "XFAIL") == 0)
			return true;
	return false;
}

void claw_judging_write_detail(const struct claw_judging *judging)
{
	enum claw_verdict verdict = judging->verdict;
	bool wordy = verdict != CLAW_PASSED && verdict != CLAW_SKIPPED;
	bool is_report = judging->about->kind == CLAW_CASE_FRAME ||
			 judging->about->kind == CLAW_CASE_CLW;

	write_findings(judging);
	if (verdict == CLAW_PASSED && *judging->outcome)
		fprintf(judging->to_detail, "--- found what it expects; %s\n",
			judging->outcome);
	write_slow(judging);
	/* A kernel file's one test is the case. */
	if ((wordy && judging->about->kind == CLAW_CASE_FRAME) ||
	    has_deviations(judging->report))
		write_tests(judging);
	if (!wordy)
		return;
	/* What it printed repeats its tests, unless it went wrong. */
	if (!is_report || (verdict != CLAW_FAILED && verdict != CLAW_XFAIL))
		write_stream(judging, "stdout", &judging->run->out);
	write_stream(judging, "stderr", &judging->run->err);
	if (judging->run->stacks)
		fprintf(judging->to_detail, "--- stacks\n%s",
			judging->run->stacks);
}

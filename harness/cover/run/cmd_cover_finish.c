/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of one run of "openclaw cover": files, the table, what changed,
 * records, and the exit status.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd_cover.h"
#include "harness/records/cmd_ended.h"
#include "harness/cover/coverage_output.h"
#include "harness/cover/coverage_say.h"
#include "harness/base/errors.h"
#include "reports/write/report_files.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/evidence/why_not.h"

/* Why the numbers are nothing, or not all, whatever became of the program
 * itself; malloced, or NULL: they are. */
static char *why_no_numbers(const struct claw_covering *covering)
{
	const struct claw_evidence *evidence = &covering->evidence;
	const struct claw_coverage *coverage = &covering->end.coverage;
	char *text = NULL, *why = NULL;
	char *gap = claw_coverage_why_not_all(coverage);

	if (!claw_evidence_has_handshake(evidence)) {
		why = claw_program_why_not(&covering->program, evidence);
		text = claw_format("no OpenCL call of %s was seen: %s",
				   covering->argv[0],
				   why ? why : "unknown reason");
	} else if ((why = claw_coverage_why_nothing(coverage)) != NULL) {
		text = claw_format("%s%s%s", why, gap ? "; " : "",
				   gap ? gap : "");
	} else if (gap) {
		text = claw_format("%s", gap);
	} else if (claw_runner_left_processes()) {
		text = claw_format("%s left processes running",
				   covering->argv[0]);
	}
	free(why);
	free(gap);
	return text;
}

/* How the program failed goes first: it may be why there are no numbers. */
static char *why_unknown(const struct claw_covering *covering)
{
	char *failure = claw_cmd_own_failure(&covering->run, covering->argv[0],
					     covering->given->timeout_ms);
	char *why = why_no_numbers(covering), *both;

	if (!failure || !why)
		return failure ? failure : why;
	both = claw_format("%s; %s", failure, why);
	free(failure);
	free(why);
	return both;
}

/* ---- files --------------------------------------------------------------- */

static bool capture_host(struct claw_covering *covering)
{
	const char *given = covering->given->host;
	const char *directory = covering->output.directory;
	char *own, *why;

	if (!given)
		return false;
	own = claw_path_in(covering->session->directory, "gcov");
	why = claw_coverage_capture_host(*given ? given : own, !*given,
					 directory);
	free(own);
	if (!why)
		return true;
	claw_cmd_coverage_miss(&covering->end, &covering->output, why);
	return false;
}

/* ---- words --------------------------------------------------------------- */

static void record(struct claw_covering *covering, const char *unknown,
		   const char *little, const char *headline, const char *table)
{
	struct claw_coverage_sum total =
		claw_coverage_total(&covering->end.coverage);
	char *metrics = claw_coverage_metrics(&total);
	char *message = claw_format("%s%s%s%s%s", headline,
				    little ? "; " : "", little ? little : "",
				    unknown ? "; " : "",
				    unknown ? unknown : "");
	struct claw_result result = {
		.suite = "cover", .name = covering->name,
		.configuration = "native", .attempt = 1,
		.duration_us = covering->run.duration_us,
		.detail = table, .metrics = metrics, .message = message,
		.verdict = little ? CLAW_FAILED : !unknown ? CLAW_PASSED :
			claw_evidence_has_handshake(&covering->evidence) ?
			CLAW_NOT_REACHED : CLAW_NOT_INJECTED,
	};

	claw_records_result(covering->output.records, &result);
	free(metrics);
	free(message);
}

static void say(const struct claw_covering *covering, const char *unknown,
		const char *little, const char *headline, const char *table)
{
	bool has_some = covering->end.coverage.count > 0;

	if (has_some || !unknown) {
		claw_warn("%s", headline);
		if (!covering->given->quiet)
			fputs(table, stderr);
	}
	if (little)
		claw_warn("%s", little);
	if (unknown)
		claw_warn("%s: %s", has_some ? "incomplete" :
			  "inconclusive", unknown);
	if (!covering->given->quiet)
		fprintf(stderr, "reports: %s\n", covering->output.shown);
}

int claw_cmd_cover_finish(struct claw_covering *covering)
{
	const struct claw_report_head head = {
		.verb = "cover", .source_root = covering->root,
	};
	char *headline = claw_coverage_headline(&covering->end.coverage);
	char *table = claw_coverage_table(&covering->end.coverage,
					  covering->root);
	char *unknown = why_unknown(covering);
	char *little = claw_coverage_too_little(&covering->end.coverage,
						covering->end.least);
	int status;

	claw_cmd_coverage_write(&covering->end, &covering->output,
				covering->root, covering->name,
				capture_host(covering));
	say(covering, unknown, little, headline, table);
	claw_cmd_coverage_say_changes(&covering->end, &covering->output,
				      covering->given->host != NULL);
	record(covering, unknown, little, headline, table);
	status = little ? (int)covering->given->error_exitcode :
		unknown || covering->end.is_incomplete ? CLAW_EXIT_UNKNOWN :
		CLAW_EXIT_CLEAN;
	claw_cmd_output_end(&covering->output, status, false);
	if (claw_report_write_all(covering->output.directory, &head) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot write the reports in %s",
			 covering->output.shown);
	free(headline);
	free(table);
	free(unknown);
	free(little);
	return status;
}

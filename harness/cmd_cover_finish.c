/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of one run of "openclaw cover": files, the table, what changed,
 * records, and the exit status.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_cover.h"
#include "cmd_ended.h"
#include "coverage_baseline.h"
#include "coverage_output.h"
#include "coverage_say.h"
#include "errors.h"
#include "report_files.h"
#include "text.h"

_Noreturn static void die_no_memory(void)
{
	claw_die(CLAW_EXIT_INFRA, "out of memory");
}

/* Why the numbers are nothing, or not all, whatever became of the program
 * itself; malloced, or NULL: they are. */
static char *why_no_numbers(const struct claw_covering *covering)
{
	const struct claw_evidence *evidence = &covering->evidence;
	const struct claw_coverage *coverage = &covering->coverage;
	char *text = NULL, *why = NULL;
	int made = 0;

	if (!claw_evidence_has_handshake(evidence)) {
		why = claw_program_why_not(&covering->program, evidence);
		made = asprintf(&text, "no OpenCL call of %s was seen: %s",
				covering->argv[0], why ? why : "no reason is "
				"known");
	} else if ((why = claw_coverage_why_nothing(coverage)) != NULL) {
		made = asprintf(&text, "%s%s%s", why, coverage->gap ? "; " : "",
				coverage->gap ? coverage->gap : "");
	} else if (coverage->gap) {
		made = asprintf(&text, "%s", coverage->gap);
	} else if (claw_runner_left_processes()) {
		made = asprintf(&text, "%s left processes that are still "
				"running", covering->argv[0]);
	}
	free(why);
	if (made < 0)
		die_no_memory();
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
	if (asprintf(&both, "%s; %s", failure, why) < 0)
		die_no_memory();
	free(failure);
	free(why);
	return both;
}

/* ---- files --------------------------------------------------------------- */

/* Something that was asked for: said, and never a pass. */
static void miss(struct claw_covering *covering, char *why)
{
	if (!why)
		return;
	claw_warn("%s", why);
	claw_records_note(covering->records, why);
	covering->is_incomplete = true;
	free(why);
}

static bool capture_host(struct claw_covering *covering)
{
	const char *given = covering->given->host;
	char *own, *why = NULL;
	int ret;

	if (!given)
		return false;
	own = claw_path_in(covering->session->directory, "gcov");
	ret = own ? claw_coverage_capture_host(*given ? given : own, !*given,
					       covering->directory, &why) :
		-CLAW_E_NO_MEMORY;
	free(own);
	if (ret < 0)
		die_no_memory();
	if (!why)
		return true;
	miss(covering, why);
	return false;
}

static void write_files(struct claw_covering *covering)
{
	const struct claw_cover_given *given = covering->given;
	struct claw_coverage_output output = {
		.directory = covering->directory, .root = covering->root,
		.test_name = "openclaw", .cobertura = given->cobertura,
		.has_host = capture_host(covering),
	};
	char *path, *why = NULL;
	int ret = claw_coverage_output_write(&covering->coverage, &output,
					     &path);

	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", path ? path :
			 covering->shown_directory, ret == -CLAW_E_IO ?
			 strerror(errno) : claw_error_text(ret));
	if (given->html && covering->coverage.count + output.has_host > 0 &&
	    claw_coverage_make_page(covering->directory, given->baseline,
				    covering->name, &why) < 0)
		die_no_memory();
	miss(covering, why);
}

/* ---- words --------------------------------------------------------------- */

static void say_lines(struct claw_covering *covering, const char *what,
		      const char *lines, size_t count)
{
	char *text;

	if (asprintf(&text, "%zu line%s %s the baseline%s%s", count,
		     count == 1 ? "" : "s", what, count ? ":\n" : "",
		     lines) < 0)
		die_no_memory();
	text[strlen(text) - (count > 0)] = '\0';
	claw_warn_lines(text);
	claw_records_note(covering->records, text);
	free(text);
}

/* The tracefile that was just written has the host's sections, too; where it
 * has none at all, nothing is added. */
static void read_host(const struct claw_covering *covering,
		      struct claw_code_lines *host)
{
	char *path = claw_path_in(covering->directory, "coverage.info");
	char error[256];

	if (!path || claw_tracefile_read(path, host, error, sizeof(error)) ==
	    -CLAW_E_NO_MEMORY)
		die_no_memory();
	free(path);
}

static void say_changes(struct claw_covering *covering)
{
	struct claw_coverage_change change;
	struct claw_code_lines host = { .items = NULL };

	if (!covering->given->baseline)
		return;
	if (covering->given->host)
		read_host(covering, &host);
	if (claw_coverage_compare(&covering->coverage, &host,
				  &covering->baseline, &change) < 0)
		die_no_memory();
	claw_code_lines_release(&host);
	if (*change.files) {
		change.files[strlen(change.files) - 1] = '\0';
		claw_warn_lines(change.files);
		claw_records_note(covering->records, change.files);
	}
	say_lines(covering, "ran that did not in", change.covered,
		  change.covered_count);
	say_lines(covering, "did not run that did in", change.uncovered,
		  change.uncovered_count);
	claw_coverage_change_release(&change);
}

static void record(struct claw_covering *covering, const char *unknown,
		   const char *little, const char *headline, const char *table)
{
	struct claw_coverage_sum total =
		claw_coverage_total(&covering->coverage);
	char *metrics = claw_coverage_metrics(&total), *message = NULL;
	struct claw_result result = {
		.suite = "cover", .name = covering->name,
		.configuration = "native", .attempt = 1,
		.duration_us = covering->run.duration_us,
		.detail = table, .metrics = metrics,
		.verdict = little ? CLAW_FAILED : !unknown ? CLAW_PASSED :
			claw_evidence_has_handshake(&covering->evidence) ?
			CLAW_NOT_REACHED : CLAW_NOT_INJECTED,
	};

	if (!metrics || asprintf(&message, "%s%s%s%s%s", headline,
				 little ? "; " : "", little ? little : "",
				 unknown ? "; " : "", unknown ? unknown :
				 "") < 0)
		die_no_memory();
	result.message = message;
	claw_records_result(covering->records, &result);
	free(metrics);
	free(message);
}

static void say(const struct claw_covering *covering, const char *unknown,
		const char *little, const char *headline, const char *table)
{
	bool has_some = covering->coverage.count > 0;

	if (has_some || !unknown) {
		claw_warn("%s", headline);
		if (!covering->given->quiet)
			fputs(table, stderr);
	}
	if (little)
		claw_warn("%s", little);
	if (unknown)
		claw_warn("%s: %s", has_some ? "not everything is known" :
			  "nothing can be said", unknown);
	if (!covering->given->quiet)
		fprintf(stderr, "reports: %s\n", covering->shown_directory);
}

int claw_cmd_cover_finish(struct claw_covering *covering)
{
	const struct claw_report_head head = {
		.verb = "cover", .source_root = covering->root,
	};
	char *headline = claw_coverage_headline(&covering->coverage);
	char *table = claw_coverage_table(&covering->coverage, covering->root);
	char *unknown = why_unknown(covering);
	char *little = claw_coverage_too_little(&covering->coverage,
						covering->least);
	int status;

	if (!headline || !table)
		die_no_memory();
	write_files(covering);
	say(covering, unknown, little, headline, table);
	say_changes(covering);
	record(covering, unknown, little, headline, table);
	status = little ? (int)covering->given->error_exitcode :
		unknown || covering->is_incomplete ? CLAW_EXIT_UNKNOWN :
		CLAW_EXIT_CLEAN;
	if (claw_records_end(covering->records, status, false) < 0)
		claw_die(CLAW_EXIT_INFRA, "the records could not be written: "
			 "%s", strerror(errno));
	claw_records_free(covering->records);
	if (claw_report_write_all(covering->directory, &head) < 0)
		claw_die(CLAW_EXIT_INFRA, "the reports in %s could not be "
			 "written", covering->shown_directory);
	free(headline);
	free(table);
	free(unknown);
	free(little);
	return status;
}

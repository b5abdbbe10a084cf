/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of one run of "openclaw check": what its ledgers say, whether that is
 * everything, lines, records, reports, and the exit status.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_check.h"
#include "harness/records/cmd_ended.h"
#include "harness/base/errors.h"
#include "reports/write/report_files.h"
#include "harness/base/memory.h"
#include "harness/evidence/why_not.h"

/* An error exit is what an injected fault asks for. */
static char *own_failure(const struct claw_checking *checking)
{
	const struct claw_run_result *run = &checking->run;

	if (run->end == CLAW_END_EXIT && checking->plan.rules.count > 0)
		return NULL;
	return claw_cmd_own_failure(run, checking->argv[0],
				    checking->given->timeout_ms);
}

/* No launch at all is no answer either. */
static char *kernels_gap(const struct claw_checking *checking)
{
	const struct claw_probe_sum *sum = &checking->scan.probes;

	if (sum->launches == 0 && claw_probe_sum_plain(sum) == 0 && !sum->gap)
		return claw_strdup("no kernel was launched");
	return claw_probe_sum_gap(sum, claw_probe_options_are_part(
					  &checking->given->probes));
}

/* Why "no leaks" and the like could be a lie, malloced, or NULL: they are
 * none. */
static char *why_unknown(const struct claw_checking *checking)
{
	const struct claw_fault_plan *plan = &checking->plan;
	const struct claw_evidence *evidence = &checking->evidence;
	size_t unreached = claw_evidence_first_unreached(evidence,
							plan->rules.rules);
	const char *gap = claw_cmd_check_gap(&checking->scan);
	char *text = NULL;

	if (!claw_evidence_has_handshake(evidence)) {
		char *why = claw_program_why_not(&checking->program, evidence);

		text = claw_format("no OpenCL call of %s was seen: %s",
				   checking->argv[0],
				   why ? why : "unknown reason");
		free(why);
	} else if (gap || checking->unseen) {
		text = claw_strdup(gap ? gap : checking->unseen);
	} else if (unreached < plan->rules.count) {
		text = claw_format("the fault %s did not fire",
				   plan->given[unreached]);
	} else if (claw_runner_left_processes()) {
		text = claw_format("%s left processes running",
				   checking->argv[0]);
	} else {
		text = own_failure(checking);
		if (!text && checking->view.find & CLAW_FOUND_GUARDS)
			text = claw_found_guards_gap(&checking->scan.found);
		if (!text && checking->view.find & CLAW_FOUND_KERNELS)
			text = kernels_gap(checking);
	}
	return text;
}

static enum claw_verdict verdict_of(const struct claw_checking *checking,
				    const char *unknown)
{
	if (!unknown)
		return CLAW_PASSED;
	return claw_evidence_has_handshake(&checking->evidence) ?
		CLAW_NOT_REACHED : CLAW_NOT_INJECTED;
}

/* The one result of a program that has nothing to report. */
static void record_program(const struct claw_checking *checking,
			   const char *unknown, const char *summary)
{
	char *message = unknown ? claw_format("inconclusive: %s",
					      unknown) : NULL;
	struct claw_result result = {
		.suite = "check",
		.name = checking->name,
		.configuration = "native",
		.verdict = verdict_of(checking, unknown),
		.duration_us = checking->run.duration_us,
		.attempt = 1,
		.message = message ? message : summary,
		.reproduce = unknown ? checking->again : NULL,
	};

	claw_records_result(checking->output.records, &result);
	free(message);
}

static void record_all(const struct claw_checking *checking,
		       const char *unknown, const char *summary)
{
	const struct claw_fault_plan *plan = &checking->plan;
	struct claw_check_tally tally = claw_check_tally(&checking->view,
							 &checking->scan);
	bool is_found = claw_check_findings(&tally) > 0;
	const char *fault = plan->rules.count ? plan->given[0] : NULL;

	for (size_t i = 0; i < plan->rules.count; i++)
		claw_records_rule(checking->output.records, plan->given[i],
				  checking->evidence.rules[i].matched,
				  checking->evidence.rules[i].fired);
	claw_check_record(checking->output.records, &checking->view,
			  &checking->scan,
			  checking->name, fault, checking->again,
			  checking->run.duration_us);
	if (!is_found)
		record_program(checking, unknown, summary);
	else if (unknown)
		claw_records_note(checking->output.records, unknown);
	if (is_found)
		claw_records_note(checking->output.records, summary);
}

static void print_all(const struct claw_checking *checking, const char *unknown,
		      const char *summary)
{
	const struct claw_check_view *view = &checking->view;
	struct claw_check_tally tally = claw_check_tally(view, &checking->scan);
	bool is_found = claw_check_findings(&tally) > 0;
	char *failure = own_failure(checking);

	claw_check_print(stderr, view, &checking->scan);
	claw_check_print_counts(stderr, view, &checking->scan);
	if (checking->given->verbose)
		claw_check_print_unused(stderr, view, &checking->suppressions);
	if (is_found || !unknown)
		claw_warn("%s", summary);
	if (unknown && is_found)
		claw_warn("incomplete: %s", unknown);
	else if (unknown)
		claw_warn("inconclusive: %s", unknown);
	if (failure && (!unknown || strcmp(failure, unknown) != 0))
		claw_warn("%s", failure);
	free(failure);
}

/* The leaks that are reported, in a form that --suppressions takes. */
static void generate(const struct claw_checking *checking)
{
	FILE *out = checking->generated;

	if (!out)
		return;
	claw_check_write_suppressions(out, &checking->view, &checking->scan);
	if (out != stderr && fclose(out) != 0)
		claw_die(CLAW_EXIT_INFRA, "--gen-suppressions: %s: %s",
			 checking->given->generate, strerror(errno));
}

static void write_reports(const struct claw_checking *checking)
{
	const struct claw_check_given *given = checking->given;
	const struct claw_report_head head = {
		.verb = "check",
		.source_root = claw_report_source_root(given->source_root),
	};

	claw_report_files_write(checking->output.directory,
				checking->output.shown,
				&given->files, &head);
}

enum { MAX_SLOW = 20 };

/* Records, reports, and the status of a run that is over. */
int claw_cmd_check_finish(struct claw_checking *checking)
{
	char *unknown = NULL, *summary, *slow;
	struct claw_check_tally tally;
	bool is_found;
	int status;

	if (claw_evidence_read(checking->session, checking->plan.rules.count,
			       &checking->evidence) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot read the journals in %s",
			 checking->session->directory);
	if (checking->evidence.plan_error)
		claw_die(CLAW_EXIT_INFRA, "the layer refused the plan: %s",
			 checking->evidence.plan_error);
	claw_cmd_check_scan(checking->session, &checking->view,
			    claw_cmd_check_wanted(checking),
			    &checking->suppressions, &checking->scan);
	if (checking->run.end != CLAW_END_EXIT)
		checking->view.when = "at the time it was killed";
	tally = claw_check_tally(&checking->view, &checking->scan);
	summary = claw_check_summary(&checking->view, &checking->scan);
	unknown = why_unknown(checking);
	is_found = claw_check_findings(&tally) > 0;
	status = is_found ? (int)checking->given->error_exitcode :
		unknown ? CLAW_EXIT_UNKNOWN : CLAW_EXIT_CLEAN;
	print_all(checking, unknown, summary);
	slow = claw_evidence_slow(&checking->evidence, MAX_SLOW);
	claw_warn_lines(slow);
	free(slow);
	generate(checking);
	record_all(checking, unknown, summary);
	claw_cmd_output_end(&checking->output, status, false);
	write_reports(checking);
	if (is_found)
		fprintf(stderr, "reproduce: %s\n", checking->again);
	claw_evidence_release(&checking->evidence);
	claw_cmd_check_scan_release(&checking->scan);
	free(summary);
	free(unknown);
	return status;
}

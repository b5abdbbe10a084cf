/* SPDX-License-Identifier: Apache-2.0 */
/* What "openclaw run --coverage" keeps. */
#include "config.h"

#include "cmd_run_coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "reports/write/report_files.h"
#include "harness/base/memory.h"
#include "harness/cases/run/run_coverage.h"
#include "harness/base/text.h"

char *claw_run_directory(const char *output, bool *ret_has_json)
{
	size_t length = output ? strlen(output) : 0;

	*ret_has_json = length > 5 &&
		strcmp(output + length - 5, ".json") == 0;
	if (!output)
		return NULL;
	return *ret_has_json ?
		claw_format("%.*s.d", (int)length - 5, output) :
		claw_strdup(output);
}

static void plan(struct claw_run_covering *covering,
		 const struct claw_clw *clw, const char *test_name)
{
	for (size_t i = 0; i < clw->test_count; i++) {
		const struct claw_planned planned = {
			.suite = covering->title,
			.name = clw->tests[i].case_name,
		};

		if (!test_name || strcmp(test_name, planned.name) == 0)
			claw_records_planned(covering->output.records,
					     &planned);
	}
}

/* The records are those of tests. */
static void open_records(struct claw_run_covering *covering, int argc,
			 char *const *argv, uint64_t planned)
{
	if (claw_records_new(covering->output.directory, "test", argc, argv,
			     planned, 0, &covering->output.records) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot write the records in %s",
			 covering->output.shown);
	claw_cmd_output_facts(covering->output.records, false);
}

void claw_run_cover_begin(struct claw_run_covering *covering,
			  const char *directory, bool force, int argc,
			  char *const *argv, const struct claw_clw *clw,
			  const char *test_name)
{
	covering->title = claw_base_name(clw->path);
	covering->root = realpath(".", NULL);
	covering->end.needs_all = true;
	claw_cmd_output_directory(directory, "run", force, &covering->output);
	open_records(covering, argc, argv, test_name ? 1 : clw->test_count);
	plan(covering, clw, test_name);
	claw_test_coverage_init(&covering->end.coverage,
				covering->output.directory, covering->root);
}

void claw_run_cover_result(struct claw_run_covering *covering,
			   const struct claw_clw_test *test,
			   const struct claw_workload_result *result,
			   uint64_t attempts)
{
	static const enum claw_verdict verdicts[CLAW_WORKLOAD_END_COUNT] = {
		[CLAW_WORKLOAD_OK] = CLAW_PASSED,
		[CLAW_WORKLOAD_FAILED] = CLAW_FAILED,
		[CLAW_WORKLOAD_CRASH] = CLAW_CRASH,
		[CLAW_WORKLOAD_HANG] = CLAW_HANG,
		[CLAW_WORKLOAD_SKIPPED] = CLAW_SKIPPED,
		[CLAW_WORKLOAD_REFUSED] = CLAW_INFRA,
		[CLAW_WORKLOAD_NOT_INJECTED] = CLAW_NOT_INJECTED,
		[CLAW_WORKLOAD_CANCELLED] = CLAW_UNKNOWN,
		[CLAW_WORKLOAD_INFRA] = CLAW_INFRA,
	};
	const struct claw_result record = {
		.suite = covering->title, .name = test->case_name,
		.verdict = verdicts[result->end],
		.duration_us = result->duration_us,
		.message = *result->message ? result->message : NULL,
		.code = result->code, .attempt = (unsigned int)attempts,
		.findings = &result->report.findings,
	};

	claw_records_result(covering->output.records, &record);
}

int claw_run_cover_end(struct claw_run_covering *covering, int status,
		       int error_exitcode, bool cancelled)
{
	const struct claw_report_head head = {
		.verb = "test", .source_root = covering->root,
	};

	status = claw_cmd_coverage_finish(&covering->end, &covering->output,
					  covering->root, covering->title,
					  false, status, error_exitcode);
	claw_cmd_output_end(&covering->output, status, cancelled);
	if (claw_report_write_all(covering->output.directory, &head) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot write the reports in %s",
			 covering->output.shown);
	fprintf(stderr, "reports: %s\n", covering->output.shown);
	claw_cmd_coverage_release(&covering->end);
	claw_cmd_output_release(&covering->output);
	free(covering->root);
	return status;
}

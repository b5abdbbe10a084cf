/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judge a libcheck program that knows nothing of openclaw: a result a
 * START_TEST, and one of the program where something cannot be said of one
 * test.
 */
#include "config.h"

#include "run_judge.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "run_expect.h"
#include "run_filter.h"
#include "run_plan.h"
#include "run_reproduce.h"
#include "run_where.h"

static size_t count_failed(const struct claw_libcheck_log *log)
{
	size_t count = 0;

	for (size_t i = 0; i < log->count; i++)
		count += log->tests[i].word != CLAW_LIBCHECK_SUCCESS;
	return count;
}

/* Only the tests that --filter chooses count. */
static void choose_tests(struct claw_judging *judging)
{
	const struct claw_test_case *what = judging->try->what;
	struct claw_libcheck_log *log = &judging->log;
	size_t kept = 0;

	for (size_t i = 0; i < log->count; i++)
		if (claw_filter_has_test(&what->selection->filters,
					 what->suite, judging->about,
					 log->tests[i].name))
			log->tests[kept++] = log->tests[i];
		else
			claw_libcheck_test_release(&log->tests[i]);
	log->count = kept;
}

static bool is_narrowed(const struct claw_judging *judging)
{
	const struct claw_test_case *what = judging->try->what;

	return claw_filter_case(&what->selection->filters, what->suite,
				judging->about) == CLAW_FILTER_TESTS;
}

/* Checks by libcheck's own count, which has the unchecked fixtures that
 * failed, too; 0 when it is not known. */
static size_t count_checks(const char *path)
{
	static const char before[] = "Checks: ";
	FILE *in = path ? claw_outside_fopen(path) : NULL;
	char line[512], *at;
	size_t count = 0;

	while (in && fgets(line, sizeof(line), in)) {
		at = strstr(line, before);
		if (at && strstr(at, ", Failures: "))
			count = strtoul(at + strlen(before), NULL, 10);
	}
	if (in)
		fclose(in);
	return count;
}

/* A log that is whole, of a program that exited. */
static void judge_log(struct claw_judging *judging)
{
	int code = judging->run->code;
	size_t all = judging->log.count;
	size_t checks = count_checks(judging->try->log_path);

	if (checks > all) {
		claw_judging_decide(judging, CLAW_FAILED, "%zu unchecked "
				    "fixture%s failed: the tests of %s did "
				    "not run", checks - all,
				    checks - all == 1 ? "" : "s",
				    checks - all == 1 ? "its case" :
				    "their cases");
		choose_tests(judging);
		return;
	}
	if (all == 0 && !is_narrowed(judging)) {
		claw_judging_decide(judging, CLAW_INFRA, "exited with status "
				    "%d and ran no test", code);
		return;
	}
	if (code != 0 && count_failed(&judging->log) == 0) {
		claw_judging_decide(judging, CLAW_FAILED, "exited with status "
				    "%d, but every test in its log passed",
				    code);
		return;
	}
	choose_tests(judging);
	judging->is_unchosen = judging->log.count == 0;
	if (judging->is_unchosen)
		claw_judging_decide(judging, CLAW_SKIPPED, "--filter matches "
				    "none of its tests");
	else
		judging->verdict = CLAW_PASSED;
}

void claw_judging_libcheck(struct claw_judging *judging)
{
	int code = judging->run->code;
	char error[256];
	int ret = claw_libcheck_read(judging->try->xml_path, &judging->log,
				     error, sizeof(error));

	if (ret == -CLAW_E_NOT_FOUND) {
		claw_judging_decide(judging, CLAW_INFRA, "exited with status "
				    "%d and wrote no libcheck log", code);
	} else if (ret < 0) {
		claw_judging_decide(judging, CLAW_INFRA, "exited with status "
				    "%d and its log is unusable: %s", code,
				    error);
	} else if (judging->log.is_cut) {
		claw_judging_decide(judging, CLAW_FAILED, "exited with status "
				    "%d during its tests: its log has %zu "
				    "tests and no end",
				    code, judging->log.count);
		choose_tests(judging);
	} else {
		judge_log(judging);
	}
}

/* ---- one test -------------------------------------------------------- */

static enum claw_verdict verdict_of(const struct claw_libcheck_test *test)
{
	if (test->word == CLAW_LIBCHECK_SUCCESS)
		return CLAW_PASSED;
	if (test->word == CLAW_LIBCHECK_ERROR &&
	    strstr(test->message, "Received signal "))
		return CLAW_CRASH;
	if (test->word == CLAW_LIBCHECK_ERROR &&
	    strstr(test->message, "Test timeout expired"))
		return CLAW_HANG;
	return CLAW_FAILED;
}

static bool is_failure(enum claw_verdict verdict)
{
	return verdict == CLAW_FAILED || verdict == CLAW_CRASH ||
	       verdict == CLAW_HANG;
}

/* What stands in the way of a pass: no handshake, a rule that never fired. */
static bool spoils_passes(enum claw_verdict verdict)
{
	return verdict == CLAW_NOT_INJECTED || verdict == CLAW_NOT_REACHED ||
	       verdict == CLAW_INFRA || verdict == CLAW_SKIPPED;
}

/* Where nothing passed, there is nothing to say. */
static bool is_about_passes(enum claw_verdict verdict)
{
	return verdict == CLAW_NOT_INJECTED || verdict == CLAW_NOT_REACHED;
}

static void add_test(const struct claw_judging *judging,
		     const struct claw_result *program,
		     const struct claw_libcheck_test *test,
		     struct claw_test_outcome *outcome)
{
	const struct claw_suite_case *about = judging->about;
	enum claw_verdict verdict = verdict_of(test);
	bool is_known = is_failure(verdict) && about->expect_fail;
	bool is_spoilt = (verdict == CLAW_PASSED &&
			  spoils_passes(judging->verdict)) ||
			 (is_known && is_about_passes(judging->verdict));
	char *name = NULL, *known = NULL, *reproduce = NULL;
	struct claw_result result = {
		.suite = program->suite,
		.configuration = program->configuration,
		.verdict = is_spoilt ? judging->verdict : verdict,
		.duration_us = test->duration_us, .fault = program->fault,
		.message = is_spoilt ? program->message :
			   verdict == CLAW_PASSED ? NULL : test->message,
		.file = is_failure(verdict) && test->line ? test->file : NULL,
		.line = is_failure(verdict) ? test->line : 0,
		.attempt = program->attempt,
	};

	name = claw_format("%s.%s", about->name, test->name);
	result.name = name;
	if (verdict == CLAW_HANG && judging->are_hangs_launches)
		result.code = "clw-kernel-timeout";
	if (is_known && !is_spoilt) {
		result.verdict = CLAW_XFAIL;
		known = claw_format("%s (%s)", about->reason, test->message);
		result.message = known;
	}
	if (strchr("fun", claw_verdict_class(result.verdict)))
		reproduce = claw_test_reproduce(judging->try->what,
						test->name);
	result.reproduce = reproduce;
	claw_result_copy(&result, &outcome->results[outcome->count++]);
	free(reproduce);
	free(known);
	free(name);
}

/* ---- all of them ----------------------------------------------------- */

/* The program failed, or held, as a whole; what is known to fail must. */
static void add_program(const struct claw_judging *judging,
			const struct claw_result *program, size_t failed,
			struct claw_test_outcome *outcome)
{
	const struct claw_suite_case *about = judging->about;
	struct claw_result result = *program;
	char *known = NULL;

	if (about->expect_fail && is_failure(result.verdict)) {
		known = claw_format("%s (%s)", about->reason,
				    result.message ? result.message : "");
		result.verdict = CLAW_XFAIL;
		result.message = known;
	} else if (about->expect_fail && failed == 0 &&
		   result.verdict == CLAW_PASSED) {
		known = claw_format("passed, but is expected to fail: %s",
				    about->reason);
		result.verdict = CLAW_XPASS;
		result.message = known;
		result.reproduce = judging->try->what->reproduce;
	}
	claw_result_copy(&result, &outcome->results[outcome->count++]);
	free(known);
}

/* Which process ran which test is not known: what is true of all. */
static bool are_launches(const struct claw_judging *judging)
{
	const struct claw_libcheck_log *log = &judging->log;
	size_t hangs = 0;

	for (size_t i = 0; i < log->count; i++)
		hangs += verdict_of(&log->tests[i]) == CLAW_HANG;
	return hangs > 0 &&
	       claw_test_where_count(judging->try->session) >= hangs;
}

void claw_judging_libcheck_results(struct claw_judging *judging,
				   const struct claw_result *program,
				   struct claw_test_outcome *outcome)
{
	const struct claw_suite_case *about = judging->about;
	const struct claw_libcheck_log *log = &judging->log;
	size_t failed = count_failed(log);
	/* What is true of all is said of each. */
	bool is_said = judging->verdict == CLAW_PASSED ||
		       (log->count > failed &&
			spoils_passes(judging->verdict)) ||
		       (log->count > 0 && is_about_passes(judging->verdict));
	bool is_own = log->count == 0 || !is_said ||
		      claw_expect_has_findings(&about->expect) ||
		      about->expect.fault ||
		      (about->expect_fail && failed == 0);

	judging->are_hangs_launches = are_launches(judging);
	outcome->is_unchosen = judging->is_unchosen;
	outcome->results = claw_calloc(log->count + 1,
				       sizeof(*outcome->results));
	for (size_t i = 0; i < log->count; i++)
		add_test(judging, program, &log->tests[i], outcome);
	if (is_own)
		add_program(judging, program, failed, outcome);
}

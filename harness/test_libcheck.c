/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judge a libcheck program that knows nothing of openclaw: a result a
 * START_TEST, and one of the program where something cannot be said of one
 * test.
 */
#include "config.h"

#include "test_judge.h"

#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "test_expect.h"

static size_t count_failed(const struct claw_libcheck_log *log)
{
	size_t count = 0;

	for (size_t i = 0; i < log->count; i++)
		count += log->tests[i].word != CLAW_LIBCHECK_SUCCESS;
	return count;
}

void claw_judging_libcheck(struct claw_judging *judging)
{
	int code = judging->run->code;
	char error[256];
	int ret = claw_libcheck_read(judging->try->xml_path, &judging->log,
				     error, sizeof(error));

	if (ret == -CLAW_E_NOT_FOUND)
		claw_judging_decide(judging, CLAW_INFRA, "it ended with %d "
				    "and wrote no log of libcheck", code);
	else if (ret < 0)
		claw_judging_decide(judging, CLAW_INFRA, "it ended with %d, "
				    "and its log cannot be used: %s", code,
				    error);
	else if (judging->log.count == 0)
		claw_judging_decide(judging, CLAW_INFRA, "it ended with %d "
				    "and ran no test", code);
	else if (code != 0 && count_failed(&judging->log) == 0)
		claw_judging_decide(judging, CLAW_FAILED, "it ended with %d, "
				    "and every test of its log passed", code);
	else
		judging->verdict = CLAW_PASSED;
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

/* "PROGRAM.TEST", and what is needed to make it one of a kind. */
static char *name_of(const struct claw_judging *judging,
		     const struct claw_libcheck_test *test)
{
	char number[16] = "", *name, *fit;

	if (test->is_loop)
		snprintf(number, sizeof(number), ".%u", test->iteration);
	if (asprintf(&name, "%s.%s%s%s%s", judging->about->name,
		     test->is_shared ? test->tcase : "",
		     test->is_shared ? "." : "", test->id, number) < 0)
		return NULL;
	for (fit = name; *fit; fit++)
		if (*fit == '/' || *fit == ' ')
			*fit = '_';
	return name;
}

/* What stands in the way of a pass: no handshake, a rule that never fired. */
static bool spoils_passes(enum claw_verdict verdict)
{
	return verdict == CLAW_NOT_INJECTED || verdict == CLAW_NOT_REACHED ||
	       verdict == CLAW_INFRA || verdict == CLAW_SKIPPED;
}

static int add_test(const struct claw_judging *judging,
		    const struct claw_result *program,
		    const struct claw_libcheck_test *test,
		    struct claw_test_outcome *outcome)
{
	const struct claw_suite_case *about = judging->about;
	enum claw_verdict verdict = verdict_of(test);
	bool is_spoilt = verdict == CLAW_PASSED &&
			 spoils_passes(judging->verdict);
	char *name = name_of(judging, test), *known = NULL;
	struct claw_result result = {
		.suite = program->suite, .name = name,
		.configuration = program->configuration,
		.verdict = is_spoilt ? judging->verdict : verdict,
		.duration_us = test->duration_us, .fault = program->fault,
		.message = is_spoilt ? program->message :
			   verdict == CLAW_PASSED ? NULL : test->message,
		.file = is_failure(verdict) && test->line ? test->file : NULL,
		.line = is_failure(verdict) ? test->line : 0,
		.attempt = program->attempt,
	};
	int ret;

	if (!name)
		return -CLAW_E_NO_MEMORY;
	if (verdict == CLAW_HANG)
		result.code = "clw-kernel-timeout";
	if (is_failure(verdict) && about->expect_fail) {
		result.verdict = CLAW_XFAIL;
		if (asprintf(&known, "%s (%s)", about->reason,
			     test->message) < 0)
			known = NULL;
		result.message = known;
	}
	if (strchr("fun", claw_verdict_class(result.verdict)))
		result.reproduce = judging->try->what->reproduce;
	ret = claw_result_copy(&result, &outcome->results[outcome->count]);
	outcome->count += ret == 0;
	free(known);
	free(name);
	return ret;
}

/* ---- all of them ----------------------------------------------------- */

/* The program failed, or held, as a whole; what is known to fail must. */
static int add_program(const struct claw_judging *judging,
		       const struct claw_result *program, size_t failed,
		       struct claw_test_outcome *outcome)
{
	const struct claw_suite_case *about = judging->about;
	struct claw_result result = *program;
	char *known = NULL;
	int ret;

	if (about->expect_fail && is_failure(result.verdict)) {
		if (asprintf(&known, "%s (%s)", about->reason,
			     result.message ? result.message : "") < 0)
			known = NULL;
		result.verdict = CLAW_XFAIL;
		result.message = known;
	} else if (about->expect_fail && failed == 0 &&
		   result.verdict == CLAW_PASSED) {
		if (asprintf(&known, "passed, but is expected to fail: %s",
			     about->reason) < 0)
			known = NULL;
		result.verdict = CLAW_XPASS;
		result.message = known;
		result.reproduce = judging->try->what->reproduce;
	}
	ret = claw_result_copy(&result, &outcome->results[outcome->count]);
	outcome->count += ret == 0;
	free(known);
	return ret;
}

int claw_judging_libcheck_results(struct claw_judging *judging,
				  const struct claw_result *program,
				  struct claw_test_outcome *outcome)
{
	const struct claw_suite_case *about = judging->about;
	const struct claw_libcheck_log *log = &judging->log;
	size_t failed = count_failed(log);
	/* What is true of all is said of each. */
	bool is_said = judging->verdict == CLAW_PASSED ||
		       (log->count > failed &&
			spoils_passes(judging->verdict));
	bool is_own = log->count == 0 || !is_said ||
		      claw_expect_has_findings(&about->expect) ||
		      about->expect.fault ||
		      (about->expect_fail && failed == 0);
	int ret = 0;

	outcome->results = calloc(log->count + 1, sizeof(*outcome->results));
	if (!outcome->results)
		return -CLAW_E_NO_MEMORY;
	for (size_t i = 0; ret == 0 && i < log->count; i++)
		ret = add_test(judging, program, &log->tests[i], outcome);
	if (ret == 0 && is_own)
		ret = add_program(judging, program, failed, outcome);
	return ret;
}

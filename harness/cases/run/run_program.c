/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the process of a case ended, and what that means for its kind.
 */
#include "config.h"

#include "run_judge.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_where.h"
#include "harness/base/text_clean.h"
#include "harness/base/words.h"

/* As suites/suite_main.h says, and openclaw-kernel does. */
enum {
	CASE_HELD = 0, CASE_FAILED = 1, CASE_USAGE = 64, CASE_SKIPPED = 77,
	NOT_LOADED = 127,
};
enum { SHELL_SIGNAL = 128 };	/* a shell says that a signal ended its child */

static const int fatal_signals[] = {
	SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGKILL,
};

static bool has_output(const struct claw_run_result *run, const char *text)
{
	return memmem(run->err.head, run->err.head_bytes, text, strlen(text));
}

static void set_outcome(struct claw_judging *judging, const char *outcome,
			const char *seen)
{
	snprintf(judging->outcome, sizeof(judging->outcome), "%s", outcome);
	snprintf(judging->seen, sizeof(judging->seen), "%s", seen);
}

/* ---- ends that are the same for all ---------------------------------- */

/* The dynamic loader has said on stderr what is wrong with libOpenCL. */
static void skip_without_loader(struct claw_judging *judging)
{
	const struct claw_capture *err = &judging->run->err;
	char *text = claw_text_clean(err->head, err->head_bytes);
	const char *what = text ? strstr(text, "libOpenCL.so") : NULL;

	while (what && what > text && what[-1] != ' ')	/* its directory */
		what--;
	claw_judging_decide(judging, CLAW_SKIPPED, "no OpenCL loader: %.*s "
			    "(Debian package ocl-icd-libopencl1)",
			    what ? (int)strcspn(what, "\n") : 0,
			    what ? what : "");
	free(text);
}

/* Whatever crashes before is no kernel. */
static bool was_launched(const struct claw_judging *judging)
{
	return claw_test_where_was_launched(judging->try->session);
}

static void judge_signal(struct claw_judging *judging, int number)
{
	const char *name = claw_signal_name(number);
	char text[96];

	snprintf(text, sizeof(text), "killed by %s", name);
	set_outcome(judging, text, name);
	if (strncmp(name, "SIG", 3) == 0)
		claw_judging_decide(judging, CLAW_CRASH,
				    "killed by signal %d, %s", number, name);
	else
		claw_judging_decide(judging, CLAW_CRASH, "killed by signal %d",
				    number);
	if (judging->about->kind == CLAW_CASE_CLW)
		judging->code = was_launched(judging) ? "clw-gpu-crash" :
							"clw-driver-crash";
}

/* ": in clFinish, ...", or "" where nothing is known. */
static void write_where(const struct claw_test_where *where, char *text,
			size_t size)
{
	if (!where->is_known)
		*text = '\0';
	else if (where->is_in_launch)
		snprintf(text, size, ": in %s, and a launch had not finished",
			 where->call);
	else if (*where->call)
		snprintf(text, size, ": in %s", where->call);
	else
		snprintf(text, size, ": not in a blocking OpenCL call");
}

/* Only a launch that was made and does not end is a kernel's timeout. */
static void judge_timeout(struct claw_judging *judging)
{
	const struct claw_test_try *try = judging->try;
	double seconds = (double)(try->spec.timeout_ms + try->granted_ms +
				  try->waited_ms) / 1000;
	bool is_libcheck = judging->about->kind == CLAW_CASE_LIBCHECK;
	struct claw_test_where where;
	char text[96], place[160];

	if (claw_test_where_read(try->session, is_libcheck, &where) < 0)
		where.is_known = false;
	write_where(&where, place, sizeof(place));
	snprintf(text, sizeof(text), "did not exit within %g s", seconds);
	set_outcome(judging, text, "hang");
	claw_judging_decide(judging, CLAW_HANG, "not finished after %g s%s", seconds,
			    place);
	judging->code = where.is_known ? claw_test_where_code(&where) : NULL;
}

/* ---- FRAME, CLW: what the program says in its report ----------------- */

static size_t count_words(const struct claw_case_report *report,
			  const char *word)
{
	size_t count = 0;

	for (size_t i = 0; i < report->test_count; i++)
		count += strcmp(report->tests[i].word, word) == 0;
	return count;
}

/* Did it run tests of this very case, every one to its end? */
static bool ran_the_case(const struct claw_judging *judging)
{
	const struct claw_case_report *report = judging->report;
	const struct claw_test_case *what = judging->try->what;

	if (!report->ended || report->test_count == 0)
		return false;
	/* openclaw-kernel knows the file's names, not the suite's. */
	if (what->about->kind == CLAW_CASE_CLW)
		return strcmp(report->name, what->about->test) == 0;
	return strcmp(report->suite, what->suite->name) == 0 &&
	       strcmp(report->name, what->about->name) == 0;
}

static void judge_held(struct claw_judging *judging)
{
	const struct claw_case_report *report = judging->report;
	size_t deviations = count_words(report, "XFAIL");

	if (!ran_the_case(judging))
		claw_judging_decide(judging, CLAW_INFRA, "its program exited "
				    "with status 0 but did not report this "
				    "case");
	else if (count_words(report, "PASSED") + deviations !=
		 report->test_count)
		claw_judging_decide(judging, CLAW_INFRA, "its program exited "
				    "with status 0, but not every test passed");
	else if (deviations > 0)
		claw_judging_decide(judging, CLAW_PASSED, "%zu of %zu tests "
				    "are known deviations of this driver",
				    deviations, report->test_count);
	else
		judging->verdict = CLAW_PASSED;
}

/* The first word that is an OpenCL code's name, or "". */
static void find_code_name(const char *text, char *name, size_t size)
{
	const char *at = strstr(text, "CL_");
	size_t length = 0;

	while (at && at > text && (isalnum((unsigned char)at[-1]) ||
				   at[-1] == '_'))
		at = strstr(at + 3, "CL_");
	while (at && (isupper((unsigned char)at[length]) ||
		      isdigit((unsigned char)at[length]) || at[length] == '_'))
		length++;
	snprintf(name, size, "%.*s", (int)length, at ? at : "");
}

static bool has_wrong_result(const struct claw_case_report *report)
{
	for (size_t i = 0; i < report->findings.count; i++)
		if (report->findings.items[i].kind ==
		    CLAW_FINDING_WRONG_RESULT)
			return true;
	return false;
}

/* In few words, how it failed. */
static void set_failure(struct claw_judging *judging,
			const struct claw_case_test *test)
{
	char code[64];

	find_code_name(test->message, code, sizeof(code));
	if (has_wrong_result(judging->report))
		set_outcome(judging, "wrong result", "wrong result");
	else
		set_outcome(judging, test->message, *code ? code : "failed");
	judging->outcome[strcspn(judging->outcome, "\n")] = '\0';
}

static void judge_failed(struct claw_judging *judging)
{
	const struct claw_case_report *report = judging->report;

	for (size_t i = 0; i < report->test_count; i++) {
		const struct claw_case_test *test = &report->tests[i];

		if (strcmp(test->word, "PASSED") == 0 ||
		    strcmp(test->word, "XFAIL") == 0)
			continue;
		if (judging->about->kind == CLAW_CASE_CLW)
			claw_judging_decide(judging, CLAW_FAILED, "%s",
					    test->message);
		else
			claw_judging_decide(judging, CLAW_FAILED, "%s: %s",
					    test->name, test->message);
		claw_judging_set_place(judging, test->place);
		set_failure(judging, test);
		return;
	}
	claw_judging_decide(judging, CLAW_INFRA, "its program exited with "
			    "status 1 but did not report which test failed");
}

/* What it refused is in the first line of its stderr. */
static void judge_refused(struct claw_judging *judging)
{
	const struct claw_capture *err = &judging->run->err;
	char *text = claw_text_clean(err->head, err->head_bytes);

	claw_judging_decide(judging, CLAW_INFRA, "its program exited with "
			    "status %d%s%s", judging->run->code,
			    text && *text ? ": " : "", text ? text : "");
	free(text);
}

static void judge_report(struct claw_judging *judging)
{
	const struct claw_case_report *report = judging->report;
	int code = judging->run->code;

	if (code == CASE_HELD)
		judge_held(judging);
	else if (code == CASE_FAILED)
		judge_failed(judging);
	else if (code == CASE_SKIPPED)
		claw_judging_decide(judging, CLAW_SKIPPED, "%s", report->skip ?
				    report->skip : "its program gave no "
				    "reason");
	else if (code == CASE_USAGE)
		judge_refused(judging);
	else
		claw_judging_decide(judging, CLAW_INFRA,
				    "its program exited with status %d", code);
	if (report->code)
		judging->code = report->code;
}

/* ---- COMMAND, SIM ---------------------------------------------------- */

static void judge_command(struct claw_judging *judging)
{
	const struct claw_case_expect *expect =
		&judging->about->expect;
	int code = judging->run->code, wanted = expect->exit_status;
	char text[64];

	judging->verdict = CLAW_PASSED;
	if (code == wanted)
		return;
	for (size_t i = 0; i < sizeof(fatal_signals) / sizeof(int); i++)
		if (code == SHELL_SIGNAL + fatal_signals[i]) {
			judge_signal(judging, fatal_signals[i]);
			return;
		}
	snprintf(text, sizeof(text), "exit status %d", code);
	set_outcome(judging, text, text);
	claw_judging_decide(judging, CLAW_FAILED, "expected exit status %d, "
			    "found %d", wanted, code);
}

/* ---- all ------------------------------------------------------------- */

static void judge_exit(struct claw_judging *judging)
{
	if (judging->run->code == NOT_LOADED &&
	    has_output(judging->run, "libOpenCL.so")) {
		skip_without_loader(judging);
		return;
	}
	switch (judging->about->kind) {
	case CLAW_CASE_FRAME:
	case CLAW_CASE_CLW:
		judge_report(judging);
		break;
	case CLAW_CASE_LIBCHECK:
		claw_judging_libcheck(judging);
		break;
	default:
		judge_command(judging);
	}
}

void claw_judging_end(struct claw_judging *judging)
{
	const struct claw_run_result *run = judging->run;

	switch (run->end) {
	case CLAW_END_EXIT:
		judge_exit(judging);
		break;
	case CLAW_END_SIGNAL:
		judge_signal(judging, run->code);
		break;
	case CLAW_END_TIMEOUT:
		judge_timeout(judging);
		break;
	case CLAW_END_CANCELLED:
		claw_judging_decide(judging, CLAW_INFRA, "interrupted");
		break;
	default:
		claw_judging_decide(judging, CLAW_INFRA,
				    "cannot start %s: %s",
				    judging->try->spec.argv[0],
				    strerror(run->end == CLAW_END_NOT_FOUND ?
					     ENOENT : run->code));
	}
}

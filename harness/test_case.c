/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start one case of a suite and judge it. A case that ran nothing is never a
 * pass: libcheck must say that it ran the tests of exactly this case, and the
 * layer's journal that its calls went through the layer.
 */
#include "config.h"

#include "test_case.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "errors.h"
#include "journal_reader.h"

/* As suites/suite_main.h says. */
enum { CASE_HELD = 0, CASE_FAILED = 1, CASE_SKIPPED = 77, NOT_LOADED = 127 };

enum { KEPT_BYTES = 64 << 20 };	/* of a stderr that a tool writes to */

static int make_path(const char *path)
{
	char part[PATH_MAX];

	if (snprintf(part, sizeof(part), "%s/", path) >= (int)sizeof(part)) {
		errno = ENAMETOOLONG;
		return -CLAW_E_IO;
	}
	for (char *c = part + 1; *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		if (mkdir(part, 0777) < 0 && errno != EEXIST)
			return -CLAW_E_IO;
		*c = '/';
	}
	return 0;
}

/* The session's variables, the tool's and the case's in one list. */
static int join_environment(struct claw_test_try *try)
{
	char *const *lists[] = {
		try->session->environment, try->under.environment, try->owned,
	};
	static char no_fork[] = "CK_FORK=no", one_case[] = "CK_RUN_CASE",
		    one_suite[] = "CK_RUN_SUITE";
	char *const fixed[] = { no_fork, one_case, one_suite };
	const size_t fixed_count = sizeof(fixed) / sizeof(*fixed);
	size_t count = fixed_count, at = 0;

	for (size_t i = 0; i < 3; i++)
		for (char *const *text = lists[i]; text && *text; text++)
			count++;
	try->environment = calloc(count + 1, sizeof(char *));
	if (!try->environment)
		return -CLAW_E_NO_MEMORY;
	for (size_t i = 0; i < 3; i++)
		for (char *const *text = lists[i]; text && *text; text++)
			try->environment[at++] = *text;
	for (size_t i = 0; i < fixed_count; i++)
		try->environment[at++] = fixed[i];
	return 0;
}

/* Where the result goes, and where the kernels are unless somebody said. */
static int set_own_variables(struct claw_test_try *try)
{
	char *kernels;

	if (asprintf(&try->result_path, "%s/result", try->directory) < 0)
		try->result_path = NULL;
	if (!try->result_path ||
	    asprintf(&try->owned[0], "OPENCLAW_CASE_RESULT=%s",
		     try->result_path) < 0) {
		try->owned[0] = NULL;
		return -CLAW_E_NO_MEMORY;
	}
	unlink(try->result_path);
	if (getenv("OPENCLAW_KERNELS"))
		return 0;
	kernels = claw_data_path("kernels");
	if (kernels && asprintf(&try->owned[1], "OPENCLAW_KERNELS=%s",
				kernels) < 0)
		try->owned[1] = NULL;
	free(kernels);
	return 0;
}

int claw_test_try_init(struct claw_test_try *try,
		       const struct claw_test_case *what, unsigned int number,
		       const char *directory,
		       const struct claw_under_config *config)
{
	static const struct claw_session_config session_config = {
		.record = CLAW_RECORD_LAST,
	};
	struct claw_under_config own = *config;
	char case_option[] = "--case";
	char *words[] = { what->suite->program, case_option,
			  what->about->name, NULL };
	char *session = NULL;
	int ret;

	memset(try, 0, sizeof(*try));
	try->what = what;
	try->number = number;
	own.api_errors_expected = what->suite->api_errors_expected;
	ret = make_path(directory);
	if (ret < 0)
		goto out;
	try->directory = strdup(directory);
	if (!try->directory ||
	    asprintf(&session, "%s/session", directory) < 0) {
		session = NULL;
		ret = -CLAW_E_NO_MEMORY;
		goto out;
	}
	ret = claw_session_new(session, NULL, 0, &session_config,
			       &try->session);
	if (ret == 0)
		ret = claw_under_start(what->under, &own, directory, words,
				       &try->under);
	if (ret == 0)
		ret = set_own_variables(try);
	if (ret == 0)
		ret = join_environment(try);
	if (ret < 0)
		goto out;
	try->spec = (struct claw_run_spec){
		.argv = try->under.argv,
		.set_env = try->environment,
		.timeout_ms = what->timeout_ms,
		.stderr_path = try->under.stderr_path,
		.file_max_bytes = KEPT_BYTES,
		.save_stacks = true,
		.no_core = true,
		/* Marks its descendants: no other run has this directory. */
		.case_id = try->directory,
	};
out:
	free(session);
	if (ret < 0) {
		int error = errno;

		claw_test_try_release(try);
		errno = error;
	}
	return ret;
}

void claw_test_try_release(struct claw_test_try *try)
{
	free(try->environment);
	for (size_t i = 0; i < sizeof(try->owned) / sizeof(*try->owned); i++)
		free(try->owned[i]);
	claw_under_run_release(&try->under);
	claw_session_free(try->session);
	free(try->result_path);
	free(try->directory);
	memset(try, 0, sizeof(*try));
}

/* ---- judging --------------------------------------------------------- */

/* A result under way: message and detail are written as texts grow. */
struct judging {
	const struct claw_test_try *try;
	const struct claw_run_result *run;
	struct claw_case_report *report;
	struct claw_findings findings;
	enum claw_verdict verdict;
	char message[1024];
	char file[512];
	unsigned int line;
	char *detail;
	size_t detail_size;
	FILE *to_detail;
};

__attribute__((format(printf, 3, 4)))
static void decide(struct judging *judging, enum claw_verdict verdict,
		   const char *format, ...)
{
	va_list args;

	judging->verdict = verdict;
	va_start(args, format);
	vsnprintf(judging->message, sizeof(judging->message), format, args);
	va_end(args);
	/* One line. */
	judging->message[strcspn(judging->message, "\n")] = '\0';
}

static bool has_output(const struct claw_run_result *run, const char *text)
{
	return memmem(run->err.head, run->err.head_bytes, text, strlen(text));
}

/* "file:line" of the first failed test. */
static void set_place(struct judging *judging, const char *place)
{
	const char *colon = strrchr(place, ':');

	if (!colon)
		return;
	snprintf(judging->file, sizeof(judging->file), "%.*s",
		 (int)(colon - place), place);
	judging->line = (unsigned int)strtoul(colon + 1, NULL, 10);
}

static size_t count_words(const struct claw_case_report *report,
			  const char *word)
{
	size_t count = 0;

	for (size_t i = 0; i < report->test_count; i++)
		count += strcmp(report->tests[i].word, word) == 0;
	return count;
}

/* Did libcheck run tests of this very case, every one to its end? */
static bool ran_the_case(const struct judging *judging)
{
	const struct claw_case_report *report = judging->report;
	const struct claw_test_case *what = judging->try->what;

	return report->ended && report->test_count > 0 &&
	       strcmp(report->suite, what->suite->name) == 0 &&
	       strcmp(report->name, what->about->name) == 0;
}

static void judge_held(struct judging *judging)
{
	const struct claw_case_report *report = judging->report;
	size_t deviations = count_words(report, "XFAIL");

	if (!ran_the_case(judging))
		decide(judging, CLAW_INFRA, "the suite program ended with 0 "
		       "and did not say that it ran this case");
	else if (count_words(report, "PASSED") + deviations !=
		 report->test_count)
		decide(judging, CLAW_INFRA, "the suite program ended with 0, "
		       "but not every test held");
	else if (deviations > 0)
		decide(judging, CLAW_PASSED, "%zu of %zu tests are known "
		       "deviations of this driver", deviations,
		       report->test_count);
	else
		judging->verdict = CLAW_PASSED;
}

static void judge_failed(struct judging *judging)
{
	const struct claw_case_report *report = judging->report;

	for (size_t i = 0; i < report->test_count; i++) {
		const struct claw_case_test *test = &report->tests[i];

		if (strcmp(test->word, "PASSED") == 0 ||
		    strcmp(test->word, "XFAIL") == 0)
			continue;
		decide(judging, CLAW_FAILED, "%s: %s", test->name,
		       test->message);
		set_place(judging, test->place);
		return;
	}
	decide(judging, CLAW_INFRA, "the suite program ended with 1 and did "
	       "not say which test failed");
}

/* The dynamic loader has said on stderr what is wrong with libOpenCL. */
static void skip_without_loader(struct judging *judging)
{
	const struct claw_capture *err = &judging->run->err;
	char *text = claw_text_clean(err->head, err->head_bytes);
	const char *what = text ? strstr(text, "libOpenCL.so") : NULL;

	while (what && what > text && what[-1] != ' ')	/* its directory */
		what--;
	decide(judging, CLAW_SKIPPED, "no OpenCL loader: %.*s (Debian package "
	       "ocl-icd-libopencl1)", what ? (int)strcspn(what, "\n") : 0,
	       what ? what : "");
	free(text);
}

static void judge_exit(struct judging *judging)
{
	int code = judging->run->code;

	if (code == CASE_HELD)
		judge_held(judging);
	else if (code == CASE_FAILED)
		judge_failed(judging);
	else if (code == CASE_SKIPPED)
		decide(judging, CLAW_SKIPPED, "%s", judging->report->skip ?
		       judging->report->skip : "the suite program gave no "
		       "reason");
	else if (code == NOT_LOADED &&
		 has_output(judging->run, "libOpenCL.so"))
		skip_without_loader(judging);
	else
		decide(judging, CLAW_INFRA, "the suite program ended with %d",
		       code);
}

/* How it ended, by the runner. */
static void judge_end(struct judging *judging)
{
	const struct claw_run_result *run = judging->run;
	const char *name;

	switch (run->end) {
	case CLAW_END_EXIT:
		judge_exit(judging);
		break;
	case CLAW_END_SIGNAL:
		name = sigabbrev_np(run->code);
		decide(judging, CLAW_CRASH, "ended by signal %d%s%s", run->code,
		       name ? ", SIG" : "", name ? name : "");
		break;
	case CLAW_END_TIMEOUT:
		decide(judging, CLAW_HANG, "no end after %g s",
		       (double)judging->try->spec.timeout_ms / 1000);
		break;
	case CLAW_END_CANCELLED:
		decide(judging, CLAW_INFRA, "interrupted");
		break;
	default:
		decide(judging, CLAW_INFRA, "%s could not be started: %s",
		       judging->try->spec.argv[0],
		       strerror(run->end == CLAW_END_NOT_FOUND ? ENOENT :
				run->code));
	}
}

/* Which test was running when the process ended. */
static void write_tests(const struct judging *judging)
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
		fprintf(judging->to_detail, "ended in the test after %s\n",
			report->tests[report->test_count - 1].name);
}

static void write_stream(const struct judging *judging, const char *name,
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

static bool counts(const struct judging *judging,
		   const struct claw_finding *finding)
{
	return !finding->is_api ||
	       !judging->try->what->suite->api_errors_expected;
}

/* What the tool under the case reported. */
static void judge_findings(struct judging *judging)
{
	const char *tool = judging->try->what->under->row->name;
	const struct claw_finding *first = NULL;
	char line[32] = "";
	size_t count = 0;

	for (size_t i = 0; i < judging->findings.count; i++) {
		const struct claw_finding *finding =
			&judging->findings.items[i];

		if (!counts(judging, finding))
			continue;
		if (!first)
			first = finding;
		count++;
		fprintf(judging->to_detail, "--- %s, %u report%s\n%s", tool,
			finding->times, finding->times == 1 ? "" : "s",
			finding->text);
	}
	if (!first || judging->verdict != CLAW_PASSED)
		return;
	if (first->line)
		snprintf(line, sizeof(line), ", line %u", first->line);
	decide(judging, CLAW_FAILED, "%s: %s in %s%s%s", tool, first->kind,
	       *first->kernel ? first->kernel : "an unknown function", line,
	       count > 1 ? ", and others" : "");
	if (*first->file) {
		snprintf(judging->file, sizeof(judging->file), "%s",
			 first->file);
		judging->line = first->line;
	}
}

/* Calls that went through the layer, over all processes of the case. */
static int count_calls(const struct judging *judging, uint64_t *ret_hooked,
		       uint64_t *ret_calls)
{
	char **paths = NULL;
	size_t count = 0;
	int ret = claw_session_journals(judging->try->session, &paths, &count);

	*ret_hooked = *ret_calls = 0;
	for (size_t i = 0; ret == 0 && i < count; i++) {
		struct claw_journal *journal;

		if (claw_journal_read(paths[i], &journal) < 0)
			continue;
		*ret_hooked += claw_journal_get_header(journal)->hooked_slots;
		*ret_calls += claw_journal_get_total_calls(journal);
		claw_journal_free(journal);
	}
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
	return ret == -CLAW_E_NO_MEMORY ? ret : 0;
}

/* No handshake is never a pass. */
static int judge_handshake(struct judging *judging)
{
	uint64_t hooked, calls;
	int ret;

	if (judging->verdict != CLAW_PASSED)
		return 0;
	ret = count_calls(judging, &hooked, &calls);
	if (ret == 0 && hooked == 0)
		decide(judging, CLAW_NOT_INJECTED, "its tests passed, but the "
		       "OpenCL loader did not load the layer");
	else if (ret == 0 && calls == 0)
		decide(judging, CLAW_NOT_INJECTED, "its tests passed, but no "
		       "OpenCL call went through the layer");
	return ret;
}

static void judge_expectation(struct judging *judging)
{
	const struct claw_suite_case *about = judging->try->what->about;
	char message[sizeof(judging->message)];

	if (!about->expect_fail)
		return;
	snprintf(message, sizeof(message), "%s", judging->message);
	if (judging->verdict == CLAW_FAILED)
		decide(judging, CLAW_XFAIL, "%s (%s)", about->reason, message);
	else if (judging->verdict == CLAW_PASSED)
		decide(judging, CLAW_XPASS, "passed, but is expected to fail: "
		       "%s", about->reason);
}

static int write_result(struct judging *judging, struct claw_result *ret_result)
{
	const struct claw_test_case *what = judging->try->what;
	bool bad = strchr("fun", claw_verdict_class(judging->verdict)) != NULL;
	struct claw_result result = {
		.suite = what->suite->name,
		.name = what->about->name,
		.configuration = what->configuration,
		.verdict = judging->verdict,
		.duration_us = judging->run->duration_us,
		.message = judging->message[0] ? judging->message : NULL,
		.file = judging->line ? judging->file : NULL,
		.line = judging->line,
		.reproduce = bad ? what->reproduce : NULL,
		.attempt = judging->try->number,
	};

	if (fclose(judging->to_detail) != 0) {
		judging->to_detail = NULL;
		return -CLAW_E_NO_MEMORY;
	}
	judging->to_detail = NULL;
	if (judging->detail_size > 0)
		result.detail = judging->detail;
	return claw_result_copy(&result, ret_result);
}

int claw_test_try_judge(const struct claw_test_try *try,
			const struct claw_run_result *run,
			struct claw_result *ret_result,
			struct claw_case_report *ret_report)
{
	struct judging judging = { .try = try, .run = run,
				   .report = ret_report };
	bool wordy;
	int ret = claw_case_report_read(try->result_path, ret_report);

	if (ret < 0)
		return ret;
	judging.to_detail = open_memstream(&judging.detail,
					   &judging.detail_size);
	if (!judging.to_detail) {
		ret = -CLAW_E_NO_MEMORY;
		goto out;
	}
	judge_end(&judging);
	ret = try->what->under->row->read(&try->under, &judging.findings);
	if (ret == -CLAW_E_NO_MEMORY)
		goto out;
	if (ret < 0 && judging.verdict == CLAW_PASSED)
		decide(&judging, CLAW_INFRA, "%s left no log that can be read",
		       try->what->under->row->name);
	judge_findings(&judging);
	ret = judge_handshake(&judging);
	if (ret < 0)
		goto out;
	judge_expectation(&judging);
	wordy = judging.verdict != CLAW_PASSED &&
		judging.verdict != CLAW_SKIPPED;
	if (wordy || count_words(ret_report, "XFAIL") > 0)
		write_tests(&judging);
	if (wordy) {
		/* What it printed repeats its tests, unless it went wrong. */
		if (judging.verdict != CLAW_FAILED &&
		    judging.verdict != CLAW_XFAIL)
			write_stream(&judging, "stdout", &run->out);
		write_stream(&judging, "stderr", &run->err);
		if (run->stacks)
			fprintf(judging.to_detail, "--- stacks\n%s",
				run->stacks);
	}
	ret = write_result(&judging, ret_result);
out:
	if (judging.to_detail)
		fclose(judging.to_detail);
	free(judging.detail);
	claw_findings_release(&judging.findings);
	if (ret < 0)
		claw_case_report_release(ret_report);
	return ret;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judge one try at a case. A case that ran nothing is never a pass: the
 * program must say that it ran the tests of exactly this case, the layer's
 * journal that its calls went through the layer, and that every fault fired.
 */
#include "config.h"

#include "run_judge.h"

#include <stdarg.h>
#include <inttypes.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/evidence/evidence.h"
#include "harness/base/memory.h"
#include "harness/evidence/probe_sum.h"
#include "harness/files/shown_files.h"
#include "run_expect.h"
#include "run_plan.h"
#include "harness/base/text.h"
#include "harness/tools/tool_sim.h"

void claw_judging_decide(struct claw_judging *judging,
			 enum claw_verdict verdict, const char *format, ...)
{
	va_list args;

	judging->verdict = verdict;
	va_start(args, format);
	vsnprintf(judging->message, sizeof(judging->message), format, args);
	va_end(args);
	/* One line. */
	judging->message[strcspn(judging->message, "\n")] = '\0';
}

void claw_judging_set_place(struct claw_judging *judging, const char *place)
{
	const char *colon = strrchr(place, ':');

	if (!colon)
		return;
	snprintf(judging->file, sizeof(judging->file), "%.*s",
		 (int)(colon - place), place);
	judging->line = (unsigned int)strtoul(colon + 1, NULL, 10);
}

bool claw_judging_is_open(const struct claw_judging *judging)
{
	return judging->verdict == CLAW_PASSED ||
	       judging->verdict == CLAW_FAILED ||
	       judging->verdict == CLAW_CRASH || judging->verdict == CLAW_HANG;
}

/* ---- findings -------------------------------------------------------- */

/* The file that a kernel case's lines are in, or NULL. */
static const char *source_of(const struct claw_suite_case *about)
{
	return about->kind != CLAW_CASE_CLW ? NULL :
	       about->source ? about->source : about->file;
}

/* FOLDER/name, where there is such a file; malloced. */
static char *find_in(const char *folder, size_t length, const char *name)
{
	char *path = claw_format("%.*s/%s", (int)length, folder, name);
	char *found = realpath(path, NULL);

	free(path);
	return found;
}

/* Lines of a kernel's own header may be shown, wherever it is; #line can name
 * any other file. */
static bool is_header(const char *path)
{
	static const char *const suffixes[] = {
		".h", ".cl", ".clh", ".clc", ".hcl", ".ocl", ".hpp", ".inc",
	};
	const char *dot = strrchr(claw_base_name(path), '.');

	for (size_t i = 0; dot && i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (strcmp(dot, suffixes[i]) == 0)
			return true;
	return false;
}

/*
 * A file as the compiler names it. clang takes what is common to the working
 * directory off its path, so it is there or above; others count from the
 * source's folder. One that is nowhere ("#line" may say anything) stays as it
 * is. malloced.
 */
static char *find_included(const char *source, const char *name)
{
	const char *slash = strrchr(source, '/');
	char *here = getcwd(NULL, 0), *end, *found = NULL;

	if (*name == '/')
		found = realpath(name, NULL);
	while (here && *name != '/' && !found) {
		found = find_in(here, strlen(here), name);
		end = strrchr(here, '/');
		if (!end)
			break;
		*end = '\0';
	}
	if (!found && slash && *name != '/')
		found = find_in(source, (size_t)(slash - source), name);
	free(here);
	if (found && is_header(found))
		claw_shown_files_add(found);
	return found ? found : claw_strdup(name);
}

/* A kernel's lines are those of the file it is in, whatever the driver calls
 * the source; those of a file that it includes have that file's name. */
static void set_file(const struct claw_judging *judging,
		     struct claw_finding *finding)
{
	const char *source = source_of(judging->about);
	char *file;

	if (!source || !claw_finding_kind_is_kernel(finding->kind))
		return;
	file = finding->file && *finding->file ?
	       find_included(source, finding->file) : claw_strdup(source);
	free(finding->file);
	finding->file = file;
}

/* Guard zones of the layer. */
static int add_guards(struct claw_judging *judging,
		      struct claw_findings *found)
{
	const struct claw_test_try *try = judging->try;
	int ret;

	if (!claw_test_case_has_guards(try->what))
		return 0;
	ret = claw_guard_findings(try->session, judging->about->kind ==
				  CLAW_CASE_CLW, found, &judging->guards);
	if (ret == -CLAW_E_IO) {
		judging->guards.gap = claw_strdup("the session cannot be read");
		ret = 0;
	}
	return ret;
}

static void add_findings(struct claw_judging *judging,
			 const struct claw_findings *found)
{
	for (size_t i = 0; i < found->count; i++) {
		struct claw_finding copy = found->items[i];

		if (copy.kind == CLAW_FINDING_API_ERROR &&
		    judging->try->what->suite->api_errors_expected)
			continue;
		copy.file = claw_strdup_or_null(copy.file);
		set_file(judging, &copy);
		claw_findings_add(&judging->findings, &copy);
		free(copy.file);
	}
}

/* The tool's log, and what the case's program saw by itself. */
static int gather_findings(struct claw_judging *judging)
{
	const struct claw_under_row *row = judging->try->what->under->row;
	struct claw_findings found = { .count = 0 };
	int ret = judging->about->kind == CLAW_CASE_SIM ?
		  claw_sim_read(&judging->try->under, &found) :
		  row->read(&judging->try->under, &found);

	if (ret < 0 && (judging->verdict == CLAW_PASSED ||
			claw_expect_has_findings(&judging->about->expect)))
		claw_judging_decide(judging, CLAW_INFRA, "%s left no readable "
				    "log", row->name);
	ret = add_guards(judging, &found);
	add_findings(judging, &found);
	add_findings(judging, &judging->report->findings);
	claw_findings_release(&found);
	return ret;
}

/* ---- against what is expected ---------------------------------------- */

static void take_place(struct claw_judging *judging,
		       const struct claw_finding *finding)
{
	if (!finding || !finding->file || !*finding->file)
		return;
	snprintf(judging->file, sizeof(judging->file), "%s", finding->file);
	judging->line = finding->line;
}

/* The line that must be reported, and was not. */
static void take_expected_place(struct claw_judging *judging)
{
	const struct claw_case_expect *expect = &judging->about->expect;

	for (size_t i = 0; i < expect->finding_count; i++) {
		if (expect->findings[i].is_optional ||
		    expect->findings[i].line == 0 || !judging->about->file)
			continue;
		snprintf(judging->file, sizeof(judging->file), "%s",
			 source_of(judging->about) ?
			 source_of(judging->about) : judging->about->file);
		judging->line = expect->findings[i].line;
		return;
	}
}

static uint32_t checks_of(const struct claw_judging *judging)
{
	uint32_t checks = judging->try->what->under->row->checks;

	/* openclaw-kernel compares results itself. */
	if (judging->about->kind == CLAW_CASE_CLW)
		checks |= UINT32_C(1) << CLAW_FINDING_WRONG_RESULT;
	return checks;
}

static bool is_build_failure(const struct claw_judging *judging)
{
	return judging->code &&
	       strcmp(judging->code, "clw-kernel-build-failure") == 0;
}

/* A diagnosis from what was found, where the case has none of its own. */
static void take_code(struct claw_judging *judging)
{
	for (size_t i = 0; i < judging->findings.count && !judging->code; i++)
		judging->code = claw_finding_code(&judging->findings.items[i]);
}

/* Is what failed one of the findings that openclaw-kernel reports, and
 * nothing more? */
static bool is_finding_itself(const struct claw_judging *judging)
{
	const struct claw_case_report *report = judging->report;

	if (judging->about->kind != CLAW_CASE_CLW || report->test_count != 1 ||
	    strcmp(report->tests[0].word, "FAILED") != 0 || report->code)
		return false;
	for (size_t i = 0; i < report->findings.count; i++)
		if (report->findings.items[i].kind !=
		    CLAW_FINDING_WRONG_RESULT &&
		    strcmp(report->findings.items[i].what,
			   report->tests[0].message) == 0)
			return true;
	return false;
}

/* Nothing has to be found: findings fail what held by itself, and say more of
 * a kernel's failure than its results do. */
static void judge_unexpected(struct claw_judging *judging,
			     const struct claw_expect_output *output)
{
	bool is_better = judging->about->kind == CLAW_CASE_CLW &&
		judging->verdict == CLAW_FAILED && output->first &&
		output->first->kind != CLAW_FINDING_WRONG_RESULT;

	/* A guard zone that may be written to is no failure either. */
	if (output->answer == CLAW_EXPECT_NOTHING &&
	    judging->verdict == CLAW_FAILED && is_finding_itself(judging)) {
		claw_judging_decide(judging, CLAW_PASSED, "%s", "");
		judging->line = 0;
		return;
	}
	if (output->answer != CLAW_EXPECT_ANOTHER ||
	    (judging->verdict != CLAW_PASSED && !is_better))
		return;
	claw_judging_decide(judging, CLAW_FAILED, "%s", output->message);
	take_place(judging, output->first);
}

/* A planted bug: how the program itself fared says nothing about the tool. */
static void judge_planted(struct claw_judging *judging,
			  const struct claw_expect_output *output)
{
	switch (output->answer) {
	case CLAW_EXPECT_MET:
		claw_judging_decide(judging, CLAW_PASSED, "%s", "");
		judging->line = 0;
		break;
	case CLAW_EXPECT_UNCHECKED:
		if (is_build_failure(judging))
			break;	/* that is no outcome of the bug */
		claw_judging_decide(judging, CLAW_SKIPPED, "%s",
				    output->message);
		judging->line = 0;
		break;
	default:
		claw_judging_decide(judging, CLAW_FAILED, "%s",
				    output->message);
		judging->line = 0;
		if (output->first)
			take_place(judging, output->first);
		else
			take_expected_place(judging);
	}
}

static void judge_findings(struct claw_judging *judging)
{
	const struct claw_case_expect *expect = &judging->about->expect;
	struct claw_expect_input input = {
		.expect = expect, .findings = &judging->findings,
		.file = source_of(judging->about),
		.tool = judging->try->what->under->row->name,
		.checks = checks_of(judging),
		.outcome = *judging->outcome ? judging->outcome : NULL,
	};
	struct claw_expect_output output;

	take_code(judging);
	if (!claw_judging_is_open(judging))
		return;
	claw_shown_files_add(judging->about->file);
	claw_shown_files_add(judging->about->source);
	claw_expect_compare(&input, &output);
	if (claw_expect_has_findings(expect))
		judge_planted(judging, &output);
	else
		judge_unexpected(judging, &output);
}

/* A .sim file has what it must print beside it; that it found its bugs is not
 * enough. */
static void judge_reference(struct claw_judging *judging)
{
	struct claw_sim_difference difference;

	if (judging->about->kind != CLAW_CASE_SIM ||
	    judging->verdict != CLAW_PASSED)
		return;
	if (claw_sim_compare(&judging->try->under, &difference) < 0) {
		claw_judging_decide(judging, CLAW_INFRA, "its output cannot "
				    "be read");
	} else if (difference.text[0]) {
		claw_judging_decide(judging, CLAW_FAILED, "%s",
				    difference.text);
		snprintf(judging->file, sizeof(judging->file), "%s",
			 difference.file);
		judging->line = difference.line;
	}
}

/* A simulator runs no kernel's code of its own accord: where its library is
 * what crashed, and nothing was wrong before, that says nothing of the kernel. */
static void judge_simulator(struct claw_judging *judging)
{
	struct claw_evidence evidence;
	char *place;

	if (judging->verdict != CLAW_CRASH ||
	    judging->about->kind != CLAW_CASE_CLW || !judging->try->session ||
	    judging->findings.count || judging->try->plan.rules.count ||
	    judging->about->expect.fault ||
	    claw_evidence_read(judging->try->session, 0, &evidence) < 0)
		return;
	place = claw_evidence_crash(&evidence);
	claw_evidence_release(&evidence);
	if (place && strstr(place, "(liboclgrind")) {
		claw_judging_decide(judging, CLAW_INFRA, "oclgrind itself "
				    "crashed in %s: %s", place,
				    judging->seen);
		judging->code = NULL;
	}
	free(place);
}

/* Oclgrind makes its log when it is loaded. */
static void judge_driver(struct claw_judging *judging)
{
	const struct claw_test_try *try = judging->try;

	if (judging->verdict == CLAW_PASSED && !judging->about->no_opencl &&
	    try->what->under->row == &claw_under_oclgrind &&
	    try->under.kernel_log &&
	    access(try->under.kernel_log, F_OK) < 0)
		claw_judging_decide(judging, CLAW_INFRA, "oclgrind left no "
				    "log: its calls went to another driver");
}

/* Guard zones that were not looked at found nothing. */
static void judge_guards(struct claw_judging *judging)
{
	if (judging->verdict != CLAW_PASSED)
		return;
	/* What has to end badly leaves launches that nobody looks at. */
	if (judging->guards.gap && !*judging->outcome)
		claw_judging_decide(judging, CLAW_NOT_REACHED, "its guard "
				    "zones were not all checked: %s",
				    judging->guards.gap);
	else if (judging->guards.bare && !*judging->message)
		claw_judging_decide(judging, CLAW_PASSED, "%s",
				    judging->guards.bare);
}

/* Launches that had no probes found nothing, which is no answer. */
static void judge_probes(struct claw_judging *judging)
{
	const struct claw_test_try *try = judging->try;
	struct claw_probe_sum sum;
	char *gap;

	if (!(try->what->under->row->probes & CLAW_PROBE_CHECKS) ||
	    !try->session || judging->findings.count > 0 ||
	    !claw_judging_is_open(judging))
		return;
	if (claw_probe_sum_read(try->session, &sum) < 0) {
		claw_judging_decide(judging, CLAW_INFRA, "the counters of its "
				    "kernels could not be read");
		return;
	}
	gap = claw_probe_sum_gap(&sum, try->what->selection->probes.kernel ||
				 try->what->selection->probes.launch_skip ||
				 try->what->selection->probes.launch_count);
	if (gap && (judging->verdict == CLAW_PASSED ||
		    claw_expect_has_findings(&judging->about->expect)))
		claw_judging_decide(judging, CLAW_SKIPPED, "%s", gap);
	else if (sum.partly > 0 && judging->verdict == CLAW_PASSED) {
		claw_judging_decide(judging, CLAW_PASSED, "%" PRIu64 " launch%s "
				    "had accesses that were not checked",
				    sum.partly, sum.partly == 1 ? "" : "es");
		fprintf(judging->to_detail, "%s\n", sum.partly_why);
	}
	free(gap);
	claw_probe_sum_release(&sum);
}

/* Without a tool that looks for anything but wrong results, where nothing says
 * what the results must be: it ended, no more, which is no pass. */
static void judge_nothing(struct claw_judging *judging)
{
	const struct claw_under_row *row = judging->try->what->under->row;
	uint32_t looked_for = row->checks & ~(1u << CLAW_FINDING_WRONG_RESULT);

	if (judging->verdict == CLAW_PASSED && !*judging->message &&
	    judging->about->compares_nothing &&
	    !claw_expect_has_findings(&judging->about->expect) &&
	    !judging->about->expect.fault && !looked_for &&
	    !claw_test_case_has_guards(judging->try->what))
		claw_judging_decide(judging, CLAW_INCONCLUSIVE, "%s",
				    CLAW_NOTHING_COMPARED);
}

/* ---- known failures -------------------------------------------------- */

static const char *driver_fact(const struct claw_case_report *report,
			       const char *key)
{
	for (size_t i = 0; i < report->fact_count; i++)
		if (strcmp(report->facts[i].key, key) == 0)
			return report->facts[i].value;
	return "unknown";
}

/* A driver that is not known is not the one. */
static bool is_failing_driver(const struct claw_judging *judging)
{
	const char *pattern = judging->about->fail_driver;
	bool is_like = false;
	regex_t regex;
	char *text;

	if (!pattern)
		return true;
	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	text = claw_format("%s, driver %s",
			   driver_fact(judging->report, "platform"),
			   driver_fact(judging->report, "driver"));
	is_like = regexec(&regex, text, 0, NULL, 0) == 0;
	regfree(&regex);
	free(text);
	return is_like;
}

static void judge_xfail(struct claw_judging *judging)
{
	const struct claw_suite_case *one = judging->about;
	char message[sizeof(judging->message)];

	/* Tests of a libcheck program fail one by one. */
	if (!one->expect_fail || one->kind == CLAW_CASE_LIBCHECK ||
	    !is_failing_driver(judging))
		return;
	snprintf(message, sizeof(message), "%s", judging->message);
	if (judging->verdict == CLAW_FAILED ||
	    judging->verdict == CLAW_CRASH || judging->verdict == CLAW_HANG)
		claw_judging_decide(judging, CLAW_XFAIL, "%s (%s)",
				    one->reason, message);
	else if (judging->verdict == CLAW_PASSED)
		claw_judging_decide(judging, CLAW_XPASS, "passed, but is "
				    "expected to fail: %s", one->reason);
}

/* ---- the result ------------------------------------------------------ */

/* "gb_per_s=1.5 kernel_ms=0.3", malloced, or NULL. */
static char *metrics_text(const struct claw_case_report *report)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (report->metric_count == 0)
		return NULL;
	out = claw_text_begin(&text, &size);
	for (size_t i = 0; i < report->metric_count; i++)
		fprintf(out, "%s%s=%s", i ? " " : "", report->metrics[i].key,
			report->metrics[i].value);
	claw_text_end(out);
	return text;
}

/* "RULE; RULE", malloced, or NULL. */
static char *faults_text(const struct claw_judging *judging)
{
	const struct claw_fault_plan *plan = &judging->try->plan;
	char *text = NULL;
	size_t size;
	FILE *out;

	if (plan->rules.count == 0)
		return NULL;
	out = claw_text_begin(&text, &size);
	for (size_t i = 0; i < plan->rules.count; i++)
		fprintf(out, "%s%s", i ? "; " : "", plan->given[i]);
	claw_text_end(out);
	return text;
}

/* What was not looked for is not "nothing". */
static const char *outcome_seen(const struct claw_judging *judging)
{
	const struct claw_case_expect *expect = &judging->about->expect;

	if (*judging->seen)
		return judging->seen;
	if (judging->verdict == CLAW_SKIPPED &&
	    claw_expect_has_findings(expect))
		return "no check";
	return expect->fault && judging->code ? judging->code : NULL;
}

static void add_result(struct claw_judging *judging,
		       const struct claw_result *result,
		       struct claw_test_outcome *outcome)
{
	if (judging->about->kind == CLAW_CASE_LIBCHECK) {
		claw_judging_libcheck_results(judging, result, outcome);
		return;
	}
	outcome->results = claw_calloc(1, sizeof(*outcome->results));
	claw_result_copy(result, &outcome->results[outcome->count++]);
}

static void write_results(struct claw_judging *judging,
			  struct claw_test_outcome *outcome)
{
	const struct claw_test_case *what = judging->try->what;
	bool bad = strchr("fun", claw_verdict_class(judging->verdict)) != NULL;
	char *faults = faults_text(judging);
	char *metrics = metrics_text(judging->report);
	char *expects = claw_expect_text(&what->about->expect);
	char *seen = claw_expect_seen(&judging->findings,
				      outcome_seen(judging));
	struct claw_result result = {
		.suite = what->suite->name,
		.name = what->about->name,
		.configuration = what->configuration,
		.verdict = judging->verdict,
		.duration_us = judging->run->duration_us,
		.fault = faults, .metrics = metrics,
		.expects = expects, .seen = seen,
		.message = judging->message[0] ? judging->message : NULL,
		.detail = judging->detail_size > 0 ? judging->detail : NULL,
		.file = judging->line ? judging->file : NULL,
		.line = judging->line,
		.code = judging->code,
		.reproduce = bad ? what->reproduce : NULL,
		.attempt = judging->try->number,
		.findings = judging->findings.count ? &judging->findings :
			    NULL,
	};

	add_result(judging, &result, outcome);
	free(faults);
	free(metrics);
	free(expects);
	free(seen);
}

/* The journals, where somebody will be told of slow memory in them. What
 * cannot be read is told of elsewhere, where it matters. */
static void look_for_slow(struct claw_judging *judging)
{
	bool is_told = judging->try->what->selection->verbose ||
		       strchr("fu", claw_verdict_class(judging->verdict));

	if (is_told && judging->try->session)
		claw_judging_read_evidence(judging);
}

static void judge(struct claw_judging *judging)
{
	claw_judging_end(judging);
	if (gather_findings(judging) < 0 ||
	    (judging->try->plan.rules.count > 0 &&
	     claw_judging_read_evidence(judging) < 0))
		claw_judging_decide(judging, CLAW_INFRA, "the journals of its "
				    "session could not be read");
	if (*judging->try->problem)
		claw_judging_decide(judging, CLAW_INFRA, "%s",
				    judging->try->problem);
	judge_probes(judging);
	judge_simulator(judging);
	judge_findings(judging);
	judge_reference(judging);
	claw_judging_fault(judging);
	claw_judging_rules(judging);
	claw_judging_handshake(judging);
	judge_driver(judging);
	judge_guards(judging);
	judge_nothing(judging);
	judge_xfail(judging);
	look_for_slow(judging);
}

void claw_test_try_judge(const struct claw_test_try *try,
			 const struct claw_run_result *run,
			 struct claw_test_outcome *ret_outcome)
{
	struct claw_judging judging = {
		.try = try, .run = run, .about = try->what->about,
		.report = &ret_outcome->report,
	};

	memset(ret_outcome, 0, sizeof(*ret_outcome));
	if (try->result_path)
		claw_case_report_read(try->result_path, &ret_outcome->report);
	judging.to_detail = claw_text_begin(&judging.detail,
					    &judging.detail_size);
	judge(&judging);
	claw_judging_write_detail(&judging);
	claw_text_end(judging.to_detail);
	write_results(&judging, ret_outcome);
	free(judging.detail);
	claw_findings_release(&judging.findings);
	claw_libcheck_log_release(&judging.log);
	claw_guard_look_release(&judging.guards);
	if (judging.has_evidence)
		claw_evidence_release(&judging.evidence);
}

void claw_test_outcome_release(struct claw_test_outcome *outcome)
{
	for (size_t i = 0; i < outcome->count; i++)
		claw_result_release(&outcome->results[i]);
	free(outcome->results);
	claw_case_report_release(&outcome->report);
	memset(outcome, 0, sizeof(*outcome));
}

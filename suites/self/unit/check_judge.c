/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a judgement that need no program: comparing results, finding
 * what a program said, the verdict as a function of what was seen, and the
 * words around it.
 */
#include "config.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/process/capture.h"
#include "harness/base/errors.h"
#include "harness/session/fault_plan.h"
#include "harness/session/program.h"
#include "harness/files/results.h"
#include "harness/process/runner.h"
#include "harness/session/session.h"
#include "reports/points.h"
#include "harness/files/unstable.h"
#include "harness/judge/verdict.h"
#include "suites/self/lib/run_suite.h"

static char directory[] = "/tmp/check-judge.XXXXXX";
static char a_path[64], b_path[64], empty_path[64];

static void setup(void)
{
	FILE *empty;

	memcpy(directory + sizeof(directory) - 7, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(a_path, sizeof(a_path), "%s/a", directory);
	snprintf(b_path, sizeof(b_path), "%s/b", directory);
	snprintf(empty_path, sizeof(empty_path), "%s/empty", directory);
	empty = fopen(empty_path, "w");
	ck_assert_ptr_nonnull(empty);
	fclose(empty);
}

static void teardown(void)
{
	claw_directory_remove(directory);
}

static void put(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	fclose(out);
}

/* ---- results */

static char *compare(const char *a, const char *b)
{
	char *difference;

	put(a_path, a);
	put(b_path, b);
	ck_assert_int_eq(claw_results_compare(a_path, b_path, "out",
					      &difference), 0);
	return difference;
}

START_TEST(results__equal_files_do_not_differ)
{
	ck_assert_ptr_null(compare("one\ntwo\n", "one\ntwo\n"));
	ck_assert_ptr_null(compare("", ""));
}
END_TEST

START_TEST(results__first_difference_is_named)
{
	char *text = compare("one\ntwo\n", "one\ntwo \x1b[31m\n");

	ck_assert_str_eq(text, "out, line 2: \"two\" and \"two #x1B[31m\"");
	free(text);
	text = compare("one\n", "one\ntwo\n");
	ck_assert_str_eq(text, "out, line 2: its end and \"two\"");
	free(text);
}
END_TEST

START_TEST(results__missing_file_differs)
{
	char *text;

	put(a_path, "x");
	ck_assert_int_eq(claw_results_compare(a_path, "/proc/nonexistent", "it",
					      &text), 0);
	ck_assert_str_eq(text, "it is there in one run and missing in the "
			 "other");
	free(text);
	ck_assert_int_eq(claw_results_compare("/proc/nonexistent", "/proc/nonexistent",
					      "it", &text), 0);
	ck_assert_ptr_null(text);
}
END_TEST

static const struct {
	const char *before, *now;
	bool on_stderr;
	const char *said;	/* or NULL */
} sayings[] = {
	{ "sum 10\n", "sum 7\n", false, NULL },
	{ "sum 10\n", "sum nan\n", false, NULL },
	{ "sum 1.5e+10 us\n", "sum  -3 us\n", false, NULL },
	{ "sum ten\n", "sum less\n", false, NULL },
	{ "sum 10\n", "sum 10\nincomplete\n", false, "incomplete" },
	{ "a 1\nb 2\nc 3\n", "Tests skipped\n", false, "Tests skipped" },
	{ "ok\n", "CL_OUT_OF_RESOURCES\n", false, "CL_OUT_OF_RESOURCES" },
	{ "a\nb\nc 3\n", "a\nclGetPlatformIDs (-6)\n", false,
	  "clGetPlatformIDs (-6)" },
	{ "a\nb\n", "no platforms found\n", false, "no platforms found" },
	{ "a\nb\n", "It is not here\n", false, "It is not here" },
	{ "sorted: yes\n", "sorted: no\n", false, NULL },
	{ "a north\nb\n", "a noble one\n", false, NULL },
	{ "runs on clover\n", "runs on clang\n", false, NULL },
	{ "", "cannot go on\n", true, "cannot go on" },
	{ "took 5 ms\n", "took 7 ms\n", true, NULL },
	{ "", "openclaw: 1 fault\n", true, NULL },
	{ "", "-----\n", true, NULL },
	{ "error: 1\n", "error: 1\nerror: 2\n", false, "error: 1" },
	{ "error: 1\n", "error: 1\nerror: 2\n", true, "error: 1" },
	{ "error: 1\nsum 1\n", "sum 2\nerror: 2\n", false, NULL },
	{ "polled\n", "polled\npolled\n", true, NULL },
};

/* Learn from two texts, then compare two others; the difference or NULL. */
static char *compare_unstable(const char *a, const char *b, const char *base,
			      const char *text)
{
	struct claw_unstable unstable = { .lines = NULL };
	char *difference;

	put(a_path, a);
	put(b_path, b);
	ck_assert_int_eq(claw_unstable_learn(&unstable, a_path, b_path), 0);
	ck_assert_int_eq(claw_unstable_spread(&unstable, a_path), 0);
	put(a_path, base);
	put(b_path, text);
	ck_assert_int_eq(claw_unstable_compare(&unstable, a_path, b_path,
					       "out", &difference), 0);
	claw_unstable_release(&unstable);
	return difference;
}

static const struct {
	const char *first, *second, *text;
	const char *difference;		/* from first, or NULL */
} unstable_cases[] = {
	{ "a 1\nb\n", "a 2\nb\n", "a 3\nb\n", NULL },
	{ "a 1\nb\n", "a 2\nb\n", "a 3\nc\n",
	  "out, line 2: \"b\" and \"c\"" },
	{ "a 1 of 5\n", "a 2 of 5\n", "a 3 of 5\n", NULL },
	{ "a 1 of 5\n", "a 2 of 5\n", "a 3 of 4\n",
	  "out, line 1: \"a 1 of 5\" and \"a 3 of 4\"" },
	{ "t  1.5 s\n", "t 12.5 s\n", "t   0.25 s\n", NULL },
	{ "t 1.5 s\n", "t 2.5 s\n", "t none\n",
	  "out, line 1: \"t 1.5 s\" and \"t none\"" },
	{ "p 0x7f\nend\n", "p nil\nend\n", "p what\nend\n", NULL },
	{ "a 1\n", "a 2\n", "a 3\nb\n", "out has more lines in one run" },
	{ "a 1\n", "a 2\n", "", "out has more lines in one run" },
	{ "x 1: 5\nx 2: 5\n", "x 1: 6\nx 2: 5\n", "x 1: 5\nx 2: 7\n", NULL },
	{ "x 1: 5\nx 2: 5\n", "x 1: 6\nx 2: 5\n", "x 1: 5\nx 3: 5\n",
	  "out, line 2: \"x 2: 5\" and \"x 3: 5\"" },
	{ "1 5\n2 5\n", "1 6\n2 5\n", "1 5\n2 7\n",
	  "out, line 2: \"2 5\" and \"2 7\"" },
	{ "Time: 0.0 s\n", "Time: 0.0 s\n", "Time: 0.1 s\n", NULL },
	{ "Time: 0.0 s, 5 of 6\n", "Time: 0.0 s, 5 of 6\n",
	  "Time: 0.1 s, 4 of 6\n", "out, line 1: \"Time: 0.0 s, 5 of 6\" and "
	  "\"Time: 0.1 s, 4 of 6\"" },
	{ "same\n", "same\n", "same \n",
	  "out, line 1: \"same\" and \"same \"" },
};

START_TEST(results__unstable_lines_are_set_aside_and_no_others)
{
	char *difference = compare_unstable(unstable_cases[_i].first,
					    unstable_cases[_i].second,
					    unstable_cases[_i].first,
					    unstable_cases[_i].text);

	if (!unstable_cases[_i].difference)
		ck_assert_ptr_null(difference);
	else
		ck_assert_pstr_eq(difference, unstable_cases[_i].difference);
	free(difference);
}
END_TEST

static const struct {
	const char *first, *second;
	const char *said;		/* or NULL: nothing */
} set_aside[] = {
	{ "a 1\nb\n", "a 1\nb\n", NULL },
	{ "a 1\nb\n", "a 2\nb\n", "the numbers of 1 line of standard output" },
	{ "a 1\nb 1\n", "a 2\nb 2\n",
	  "the numbers of 2 lines of standard output" },
	{ "a\nb\n", "a\nc\n", "1 line of standard output" },
	{ "a\nb\n", "c\nd\n", "2 lines of standard output" },
	{ "a 1\nb\n", "a 2\nc\n",
	  "1 line of standard output, and the numbers of 1" },
};

static const struct {
	const char *first, *second;
	size_t lines, compared, part;
} amounts[] = {
	{ "", "", 0, 0, 0 },
	{ "a 1\n\nb\n", "a 1\n\nb\n", 2, 2, 0 },
	{ "a 1\nb\n", "a 2\nb\n", 2, 1, 0 },
	{ "a 1 of 5\nb\n", "a 2 of 5\nb\n", 2, 2, 1 },
	{ "a  b\n", "a b\n", 1, 1, 1 },
	{ "a\nb\n", "c\nd\n", 2, 0, 0 },
};

START_TEST(results__what_is_compared_is_counted)
{
	struct claw_unstable unstable = { .lines = NULL };
	struct claw_unstable_amount amount;

	put(a_path, amounts[_i].first);
	put(b_path, amounts[_i].second);
	ck_assert_int_eq(claw_unstable_learn(&unstable, a_path, b_path), 0);
	ck_assert_int_eq(claw_unstable_count(&unstable, a_path, &amount), 0);
	ck_assert_uint_eq(amount.lines, amounts[_i].lines);
	ck_assert_uint_eq(amount.compared, amounts[_i].compared);
	ck_assert_uint_eq(amount.part, amounts[_i].part);
	claw_unstable_release(&unstable);
}
END_TEST

START_TEST(results__what_is_set_aside_is_told)
{
	struct claw_unstable unstable = { .lines = NULL };
	char *text;

	put(a_path, set_aside[_i].first);
	put(b_path, set_aside[_i].second);
	ck_assert_int_eq(claw_unstable_learn(&unstable, a_path, b_path), 0);
	text = claw_unstable_text(&unstable);
	ck_assert_pstr_eq(text, set_aside[_i].said);
	free(text);
	claw_unstable_release(&unstable);
}
END_TEST

START_TEST(results__outputs_of_other_length_teach_nothing)
{
	struct claw_unstable unstable = { .lines = NULL };

	put(a_path, "a\n");
	put(b_path, "a\nb\n");
	ck_assert_int_eq(claw_unstable_learn(&unstable, a_path, b_path),
			 -CLAW_E_LIMIT);
	ck_assert_ptr_null(claw_unstable_text(&unstable));
	claw_unstable_release(&unstable);
}
END_TEST

START_TEST(results__what_was_said_is_found)
{
	struct claw_results_output known = { empty_path, empty_path };
	struct claw_results_output now = { empty_path, empty_path };
	char *said;

	put(a_path, sayings[_i].before);
	put(b_path, sayings[_i].now);
	if (sayings[_i].on_stderr) {
		known.err = a_path;
		now.err = b_path;
	} else {
		known.out = a_path;
		now.out = b_path;
	}
	said = claw_results_said(&now, &known, 1);
	if (sayings[_i].said)
		ck_assert_pstr_eq(said, sayings[_i].said);
	else
		ck_assert_msg(!said, "%d: \"%s\" was found", _i, said);
	free(said);
}
END_TEST

START_TEST(signature__of_a_shorter_stack_is_the_same)
{
	ck_assert(claw_sweep_same_signature("SIGABRT built",
					    "SIGABRT built < main"));
	ck_assert(claw_sweep_same_signature("hang clFinish at main",
					    "hang clFinish at main"));
	ck_assert(!claw_sweep_same_signature("SIGABRT built",
					     "SIGABRT builtin"));
	ck_assert(!claw_sweep_same_signature("SIGABRT built < a",
					     "SIGABRT built < b"));
	ck_assert(!claw_sweep_same_signature("leak buffer f",
					     "leak buffer f < main"));
}
END_TEST

/* ---- verdicts */

static struct claw_run_result run_result, baseline_result;
static struct claw_evidence evidence, baseline;
static struct claw_rule rules[2];
static struct claw_rule_count counts[2];
static struct claw_verdict_input input;

/* A run whose one rule fired once, and that ended well. */
static void setup_verdict(void)
{
	memset(&run_result, 0, sizeof(run_result));
	memset(&baseline_result, 0, sizeof(baseline_result));
	memset(&evidence, 0, sizeof(evidence));
	memset(&baseline, 0, sizeof(baseline));
	memset(&rules, 0, sizeof(rules));
	rules[0].percent = -1;
	snprintf(rules[0].text, sizeof(rules[0].text), "the-rule");
	counts[0] = (struct claw_rule_count) { .matched = 1, .fired = 1 };
	evidence.rules = counts;
	evidence.rule_count = 1;
	evidence.hooked_slots = baseline.hooked_slots = 100;
	evidence.calls = baseline.calls = 10;
	run_result.end = baseline_result.end = CLAW_END_EXIT;
	input = (struct claw_verdict_input) {
		.run = &run_result, .baseline_run = &baseline_result,
		.evidence = &evidence, .baseline = &baseline, .rules = rules,
	};
}

static void assert_verdict(enum claw_verdict expected, const char *words)
{
	struct claw_verdict_output output;

	claw_verdict_decide(&input, &output);
	ck_assert_msg(output.verdict == expected, "got %s (%s), expected %s",
		      claw_verdict_name(output.verdict), output.message,
		      claw_verdict_name(expected));
	ck_assert_msg(strstr(output.message, words) != NULL,
		      "\"%s\" lacks \"%s\"", output.message, words);
	claw_verdict_release(&output);
}

START_TEST(verdict__recovery_is_handled)
{
	assert_verdict(CLAW_HANDLED, "recovered");
}
END_TEST

START_TEST(verdict__own_error_exit_is_handled)
{
	run_result.code = 255;
	input.difference = "out";
	evidence.live[CLAW_OBJ_MEM] = 3;
	assert_verdict(CLAW_HANDLED, "status 255");
	input.leak_check_all = true;
	assert_verdict(CLAW_LEAK, "3 MEM");
}
END_TEST

START_TEST(verdict__other_result_with_a_word_is_degraded)
{
	input.difference = "out";
	input.said = "skipped";
	evidence.live[CLAW_OBJ_MEM] = 3;
	assert_verdict(CLAW_DEGRADED, "said \"skipped\"");
}
END_TEST

START_TEST(verdict__other_result_without_a_word_is_swallowed)
{
	input.difference = "line 3";
	assert_verdict(CLAW_SWALLOWED, "line 3");
}
END_TEST

START_TEST(verdict__error_exit_that_became_success_is_swallowed)
{
	baseline_result.code = 3;
	assert_verdict(CLAW_SWALLOWED, "exit status");
}
END_TEST

/* A status that it has without faults is no error of its own. */
START_TEST(verdict__status_of_the_baseline_tells_nothing)
{
	run_result.code = baseline_result.code = 1;
	input.difference = "line 3";
	assert_verdict(CLAW_SWALLOWED, "exit status 1 (as without faults)");
	input.said = "skipped";
	assert_verdict(CLAW_DEGRADED, "said \"skipped\"");
	input.difference = input.said = NULL;
	assert_verdict(CLAW_HANDLED, "recovered");
	run_result.code = 2;
	assert_verdict(CLAW_HANDLED, "status 2");
	run_result.code = baseline_result.code = 128 + SIGSEGV;
	assert_verdict(CLAW_HANDLED, "recovered");
}
END_TEST

START_TEST(verdict__equal_status_alone_is_inconclusive)
{
	input.nothing = "it prints nothing";
	assert_verdict(CLAW_INCONCLUSIVE, "it prints nothing");
	run_result.code = 3;
	assert_verdict(CLAW_HANDLED, "status 3");
	run_result.code = 0;
	evidence.live[CLAW_OBJ_MEM] = 2;
	assert_verdict(CLAW_LEAK, "2 MEM");
	input.nothing = NULL;
	input.compared = "exit status, 2 of 3 lines";
	evidence.live[CLAW_OBJ_MEM] = 0;
	assert_verdict(CLAW_HANDLED, "(compared: exit status, 2 of 3 lines)");
}
END_TEST

START_TEST(verdict__objects_after_recovery_are_a_leak)
{
	evidence.live[CLAW_OBJ_MEM] = 2;
	evidence.live[CLAW_OBJ_EVENT] = 1;
	baseline.live[CLAW_OBJ_EVENT] = 1;
	assert_verdict(CLAW_LEAK, "2 MEM");
	baseline.live[CLAW_OBJ_MEM] = 2;
	assert_verdict(CLAW_HANDLED, "recovered");
}
END_TEST

START_TEST(verdict__signal_is_a_crash)
{
	run_result.end = CLAW_END_SIGNAL;
	run_result.code = SIGSEGV;
	assert_verdict(CLAW_CRASH, "SIGSEGV");
}
END_TEST

START_TEST(verdict__fatal_status_of_a_shell_is_a_crash)
{
	run_result.code = 128 + SIGABRT;
	assert_verdict(CLAW_CRASH, "SIGABRT");
	run_result.code = 128 + SIGPIPE;
	assert_verdict(CLAW_HANDLED, "141");
}
END_TEST

START_TEST(verdict__timeout_is_a_hang)
{
	run_result.end = CLAW_END_TIMEOUT;
	run_result.duration_us = 2000000;
	assert_verdict(CLAW_HANG, "not in an OpenCL call");
	evidence.status_polls = 100000;
	assert_verdict(CLAW_HANG, "polling: 100000 status queries");
	baseline.status_polls = 90000;
	assert_verdict(CLAW_HANG, "not in an OpenCL call");
	counts[0].api = (char *)"clCreateBuffer";
	counts[0].fired = 5000;
	assert_verdict(CLAW_HANG, "retrying: 5000 calls failed");
	counts[0].fired = 1;
	counts[0].consequences = 5000;
	assert_verdict(CLAW_HANG, "5001 calls failed, the first clCreateBuffer");
}
END_TEST

START_TEST(verdict__misuse_counts_beyond_the_baseline)
{
	evidence.misuse = 2;
	run_result.code = 1;
	assert_verdict(CLAW_MISUSE, "NULL or dead handle");
	baseline.misuse = 2;
	assert_verdict(CLAW_HANDLED, "status 1");
}
END_TEST

START_TEST(verdict__rule_that_did_not_fire_is_not_reached)
{
	counts[0].fired = 0;
	assert_verdict(CLAW_NOT_REACHED, "the-rule never fired: 1 call");
	run_result.end = CLAW_END_SIGNAL;
	run_result.code = SIGSEGV;
	assert_verdict(CLAW_NOT_REACHED, "SIGSEGV by itself");
}
END_TEST

START_TEST(verdict__chance_counts_as_reached_when_it_matched)
{
	rules[0].percent = 10;
	counts[0].fired = 0;
	counts[0].matched = 0;
	assert_verdict(CLAW_NOT_REACHED, "never fired");
	counts[0].matched = 1;
	rules[1] = rules[0];
	counts[1] = (struct claw_rule_count) { .matched = 1, .fired = 1 };
	evidence.rule_count = 2;
	assert_verdict(CLAW_HANDLED, "recovered");
}
END_TEST

START_TEST(verdict__nothing_fired_by_chance_is_not_reached)
{
	rules[0].percent = 10;
	counts[0].fired = 0;
	assert_verdict(CLAW_NOT_REACHED, "the-rule never fired: 1 call");
	ck_assert_uint_eq(claw_evidence_first_unreached(&evidence, rules), 0);
	rules[0].percent = 0;
	rules[1] = rules[0];
	counts[1] = (struct claw_rule_count) { .matched = 1, .fired = 1 };
	evidence.rule_count = 2;
	ck_assert_uint_eq(claw_evidence_first_unreached(&evidence, rules), 0);
}
END_TEST

START_TEST(verdict__incomplete_evidence_is_no_pass)
{
	input.gap = "1 journal could not be read";
	assert_verdict(CLAW_INFRA, "1 journal could not be read");
	input.difference = "out";
	assert_verdict(CLAW_SWALLOWED, "no error message");
}
END_TEST

START_TEST(verdict__no_handshake_is_not_injected)
{
	evidence.calls = 0;
	input.why_not = "it is static";
	assert_verdict(CLAW_NOT_INJECTED, "it is static");
	evidence.calls = 10;
	evidence.hooked_slots = 0;
	assert_verdict(CLAW_NOT_INJECTED, "it is static");
}
END_TEST

START_TEST(verdict__refused_plan_is_infra)
{
	char refusal[] = "column 3";

	evidence.plan_error = refusal;
	assert_verdict(CLAW_INFRA, "column 3");
}
END_TEST

/* ---- words */

START_TEST(quote__shell_reads_the_word_again)
{
	static const char *const words[][2] = {
		{ "plain-word_1.2:3=@x%", "plain-word_1.2:3=@x%" },
		{ "", "''" },
		{ "a b", "'a b'" },
		{ "clEnqueue*:oom", "'clEnqueue*:oom'" },
		{ "it's", "'it'\\''s'" },
		{ "$HOME`x`\"\\", "'$HOME`x`\"\\'" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char *text = claw_shell_quote(words[i][0]);

		ck_assert_str_eq(text, words[i][1]);
		free(text);
	}
}
END_TEST

/* Does sh (dash, where there is one) make the word of its quoted form? */
static bool is_read_back(const char *word, const char *quoted)
{
	const char *shell = access("/bin/dash", X_OK) == 0 ? "/bin/dash" :
		"/bin/sh";
	char *command = NULL, *argv[4] = { (char *)(uintptr_t)shell };
	char dash_c[] = "-c";
	struct claw_run_result result;
	bool same;

	ck_assert_int_gt(asprintf(&command, "printf %%s %s", quoted), 0);
	argv[1] = dash_c;
	argv[2] = command;
	ck_assert_int_eq(claw_run_once(&(struct claw_run_spec){
		.argv = argv, .timeout_ms = 10000 }, &result), 0);
	same = result.out.head_bytes == strlen(word) &&
		memcmp(result.out.head, word, strlen(word)) == 0;
	claw_run_result_release(&result);
	free(command);
	return same;
}

START_TEST(quote__pasted_line_is_printable)
{
	static const char *const words[][2] = {
		{ "a b", "'a b'" },
		{ "\xc3\xa4 b", "'\xc3\xa4 b'" },
		{ "a\nb", "\"$(printf 'a\\012b')\"" },
		{ "\033[31m'\\", "\"$(printf '\\033[31m\\047\\134')\"" },
		{ "-\xff%s", "\"$(printf '\\055\\377%%s')\"" },
		{ "\xe2\x80\xae" "b", "\"$(printf '\\342\\200\\256b')\"" },
		{ "\t$`\"\n\n", "\"$(printf '\\011$`\"')\n\n\"" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char *text = claw_shell_quote_printable(words[i][0]);

		ck_assert_str_eq(text, words[i][1]);
		ck_assert(is_read_back(words[i][0], text));
		free(text);
	}
}
END_TEST

START_TEST(layers__others_stay_and_ours_is_there_once)
{
	static const char *const cases[][2] = {
		{ NULL, "/b/libopenclaw-layer.so" },
		{ "", "/b/libopenclaw-layer.so" },
		{ "/x/a.so", "/b/libopenclaw-layer.so:/x/a.so" },
		{ "/x/a.so:/old/libopenclaw-layer.so::b.so",
		  "/b/libopenclaw-layer.so:/x/a.so:b.so" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = claw_session_layers("/b/libopenclaw-layer.so",
						 cases[i][0]);

		ck_assert_str_eq(text, cases[i][1]);
		free(text);
	}
}
END_TEST

START_TEST(capture__any_split_gives_the_same)
{
	char bytes[1000];
	struct claw_capture whole, pieces;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 7);
	for (size_t total = 0; total <= sizeof(bytes); total += 37) {
		struct claw_capture_writer writer;

		claw_capture_writer_init(&writer, 100, 130);
		claw_capture_writer_add(&writer, bytes, total);
		claw_capture_writer_finish(&writer, &whole);
		for (size_t at = 0; at < total;) {
			size_t part = at % 61 + 1;

			if (part > total - at)
				part = total - at;
			claw_capture_writer_add(&writer, bytes + at, part);
			at += part;
		}
		claw_capture_writer_finish(&writer, &pieces);
		ck_assert_uint_eq(whole.total_bytes, total);
		ck_assert_uint_eq(pieces.total_bytes, total);
		ck_assert_uint_eq(pieces.head_bytes, whole.head_bytes);
		ck_assert_uint_eq(pieces.tail_bytes, whole.tail_bytes);
		ck_assert_uint_eq(pieces.cut_bytes, whole.cut_bytes);
		ck_assert_uint_eq(whole.head_bytes + whole.tail_bytes +
				  whole.cut_bytes, total);
		if (whole.tail_bytes) {
			const char *end = bytes + total - whole.tail_bytes;

			ck_assert_int_eq(memcmp(whole.tail, end,
						whole.tail_bytes), 0);
			ck_assert_int_eq(memcmp(pieces.tail, end,
						whole.tail_bytes), 0);
		}
		claw_capture_release(&whole);
		claw_capture_release(&pieces);
	}
}
END_TEST

START_TEST(program__script_and_python_are_seen)
{
	struct claw_program program;
	char *self;
	int why;

	put(a_path, "#!/usr/bin/env python3\n");
	ck_assert_int_eq(chmod(a_path, 0755), 0);
	ck_assert_int_eq(claw_program_look(a_path, &program, &why), 0);
	ck_assert(program.is_script);
	ck_assert(program.is_python);
	ck_assert(!program.is_elf);
	claw_program_release(&program);
	self = realpath("/proc/self/exe", NULL);
	ck_assert_ptr_nonnull(self);
	ck_assert_int_eq(claw_program_look(self, &program, &why), 0);
	free(self);
	ck_assert(program.is_elf);
	ck_assert(!program.is_static);
	ck_assert(!program.is_script);
	ck_assert_uint_gt(program.library_count, 0);
	claw_program_release(&program);
	ck_assert_int_eq(claw_program_look("/proc/nonexistent", &program, &why),
			 -CLAW_E_IO);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("judge");
	TCase *results = tcase_create("results");
	TCase *verdicts = tcase_create("verdicts");
	TCase *words = tcase_create("words");

	tcase_add_checked_fixture(results, setup, teardown);
	tcase_add_test(results, results__equal_files_do_not_differ);
	tcase_add_test(results, results__first_difference_is_named);
	tcase_add_test(results, results__missing_file_differs);
	tcase_add_loop_test(results,
			    results__unstable_lines_are_set_aside_and_no_others,
			    0, (int)(sizeof(unstable_cases) /
				     sizeof(unstable_cases[0])));
	tcase_add_loop_test(results, results__what_is_set_aside_is_told, 0,
			    (int)(sizeof(set_aside) / sizeof(*set_aside)));
	tcase_add_loop_test(results, results__what_is_compared_is_counted, 0,
			    (int)(sizeof(amounts) / sizeof(*amounts)));
	tcase_add_test(results, results__outputs_of_other_length_teach_nothing);
	tcase_add_test(verdicts, signature__of_a_shorter_stack_is_the_same);
	tcase_add_loop_test(results, results__what_was_said_is_found, 0,
			    sizeof(sayings) / sizeof(sayings[0]));
	tcase_add_test(results, program__script_and_python_are_seen);
	tcase_add_checked_fixture(verdicts, setup_verdict, NULL);
	tcase_add_test(verdicts, verdict__recovery_is_handled);
	tcase_add_test(verdicts, verdict__own_error_exit_is_handled);
	tcase_add_test(verdicts,
		       verdict__other_result_with_a_word_is_degraded);
	tcase_add_test(verdicts,
		       verdict__other_result_without_a_word_is_swallowed);
	tcase_add_test(verdicts,
		       verdict__error_exit_that_became_success_is_swallowed);
	tcase_add_test(verdicts, verdict__status_of_the_baseline_tells_nothing);
	tcase_add_test(verdicts, verdict__equal_status_alone_is_inconclusive);
	tcase_add_test(verdicts, verdict__objects_after_recovery_are_a_leak);
	tcase_add_test(verdicts, verdict__signal_is_a_crash);
	tcase_add_test(verdicts, verdict__fatal_status_of_a_shell_is_a_crash);
	tcase_add_test(verdicts, verdict__timeout_is_a_hang);
	tcase_add_test(verdicts, verdict__misuse_counts_beyond_the_baseline);
	tcase_add_test(verdicts,
		       verdict__rule_that_did_not_fire_is_not_reached);
	tcase_add_test(verdicts,
		       verdict__chance_counts_as_reached_when_it_matched);
	tcase_add_test(verdicts,
		       verdict__nothing_fired_by_chance_is_not_reached);
	tcase_add_test(verdicts, verdict__incomplete_evidence_is_no_pass);
	tcase_add_test(verdicts, verdict__no_handshake_is_not_injected);
	tcase_add_test(verdicts, verdict__refused_plan_is_infra);
	tcase_add_test(words, quote__shell_reads_the_word_again);
	tcase_add_test(words, quote__pasted_line_is_printable);
	tcase_add_test(words, layers__others_stay_and_ours_is_there_once);
	tcase_add_test(words, capture__any_split_gives_the_same);
	suite_add_tcase(suite, results);
	suite_add_tcase(suite, verdicts);
	suite_add_tcase(suite, words);
	return run_suite(suite);
}

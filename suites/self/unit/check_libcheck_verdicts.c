/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results of a libcheck program, one a START_TEST, made of its log; and what
 * several runs of a case come to.
 */
#include "config.h"

#include "suites/self/lib/judging_maker.h"
#include "suites/self/lib/run_suite.h"

#include "harness/cases/run/run_tally.h"

/* ---- a program's log --------------------------------------------------- */

#define TEST(word_, name_, message_)					\
	"<test result=\"" word_ "\"><path>.</path><fn>a.c:4</fn><id>"	\
	name_ "</id><iteration>0</iteration><duration>0.5</duration>"	\
	"<description>core</description><message>" message_		\
	"</message></test>"
#define LOG(tests_)							\
	"<?xml version=\"1.0\"?><testsuites xmlns=\"http://check.source" \
	"forge.net/ns\"><datetime>x</datetime><suite><title>S</title>"	\
	tests_ "</suite><duration>1</duration></testsuites>"

static void put_log(const char *text)
{
	put_file("xml", text, strlen(text));
}

static void setup(void)
{
	setup_judging();
	w.about.kind = CLAW_CASE_LIBCHECK;
	w.about.name = (char *)"prog";
}

#define NTH_IS(index_, verdict_, words_)				\
	assert_result(index_, verdict_, words_, __LINE__)

START_TEST(tests__have_a_result_each)
{
	w.run.code = 1;
	put_log(LOG(TEST("success", "good", "Passed")
		    TEST("failure", "bad", "1 is not 2")
		    TEST("error", "dead", "Received signal 11")
		    TEST("error", "slow", "Test timeout expired")
		    TEST("error", "odd", "Early exit")));
	judge_anew();
	ck_assert_uint_eq(w.outcome.count, 5);
	NTH_IS(0, CLAW_PASSED, "");
	NTH_IS(1, CLAW_FAILED, "1 is not 2");
	NTH_IS(2, CLAW_CRASH, "Received signal 11");
	NTH_IS(3, CLAW_HANG, "Test timeout expired");
	NTH_IS(4, CLAW_FAILED, "Early exit");
	ck_assert_pstr_eq(w.outcome.results[1].name, "prog.core.bad");
	PLACE_IS(NULL, 0);
	ck_assert_uint_eq(w.outcome.results[1].line, 4);
	ck_assert_pstr_eq(w.outcome.results[3].code, NULL);
}
END_TEST

START_TEST(tests__that_hang_in_launches_are_kernels_timeouts)
{
	put_call(MADE_LAUNCH, 1, 0);
	put_call(MADE_FINISH, 1, CLAW_REC_BLOCKS);
	put_journal();
	w.run.code = 1;
	put_log(LOG(TEST("error", "slow", "Test timeout expired")));
	judge_anew();
	NTH_IS(0, CLAW_HANG, "Test timeout expired");
	CODE_IS("clw-kernel-timeout");
}
END_TEST

START_TEST(tests__pass_only_with_a_handshake)
{
	w.journal.thread.calls[MADE_FINISH] = 0;
	put_journal();
	put_log(LOG(TEST("success", "good", "Passed")));
	IS(CLAW_NOT_INJECTED, "its tests passed, but no OpenCL call");
	w.about.no_opencl = true;
	IS(CLAW_PASSED, "");
}
END_TEST

START_TEST(tests__that_were_not_chosen_are_left_out)
{
	const char *filters[] = { "prog.core.good" };

	w.selection.filters = (struct claw_strings){ filters, 1 };
	w.run.code = 1;
	put_log(LOG(TEST("success", "good", "Passed")
		    TEST("failure", "bad", "1 is not 2")));
	judge_anew();
	ck_assert_uint_eq(w.outcome.count, 1);
	NTH_IS(0, CLAW_PASSED, "");
	filters[0] = "prog.core.neither";
	IS(CLAW_SKIPPED, "--filter matches none of its tests");
	ck_assert(w.outcome.is_unchosen);
	put_log(LOG(""));
	w.run.code = 0;
	IS(CLAW_SKIPPED, "--filter matches none of its tests");
}
END_TEST

START_TEST(program__without_a_whole_log_is_no_pass)
{
	IS(CLAW_INFRA, "exited with status 0 and wrote no libcheck log");
	put_log("nothing like it");
	IS(CLAW_INFRA, "its log is unusable: ");
	put_log(LOG(""));
	IS(CLAW_INFRA, "exited with status 0 and ran no test");
	w.run.code = 1;
	put_log(LOG(TEST("success", "good", "Passed")));
	IS(CLAW_PASSED, "");
	NTH_IS(1, CLAW_FAILED, "exited with status 1, but every test in its log");
	put_log("<?xml version=\"1.0\"?><testsuites xmlns=\"http://check."
		"sourceforge.net/ns\"><suite><title>S</title>"
		TEST("success", "good", "Passed"));
	judge_anew();
	NTH_IS(1, CLAW_FAILED, "during its tests: its log has 1 tests and");
}
END_TEST

START_TEST(program__whose_fixture_failed_did_not_run_its_tests)
{
	static const char count[] = "50%: Checks: 2, Failures: 1, Errors: 0\n";
	static const char more[] = "50%: Checks: 3, Failures: 1, Errors: 0\n";

	w.run.code = 1;
	put_log(LOG(TEST("success", "good", "Passed")));
	put_file("log", count, strlen(count));
	judge_anew();
	NTH_IS(0, CLAW_PASSED, "");
	NTH_IS(1, CLAW_FAILED, "1 unchecked fixture failed: the tests of its");
	put_file("log", more, strlen(more));
	judge_anew();
	NTH_IS(1, CLAW_FAILED, "2 unchecked fixtures failed: the tests of the");
}
END_TEST

START_TEST(program__that_a_signal_ended_has_one_result)
{
	w.run.end = CLAW_END_SIGNAL;
	w.run.code = 11;
	IS(CLAW_CRASH, "killed by signal 11, SIGSEGV");
	ck_assert_uint_eq(w.outcome.count, 1);
}
END_TEST

START_TEST(known__failures_are_told_one_by_one)
{
	w.about.expect_fail = true;
	w.about.reason = (char *)"bug 7";
	w.run.code = 1;
	put_log(LOG(TEST("success", "good", "Passed")
		    TEST("failure", "bad", "1 is not 2")));
	judge_anew();
	ck_assert_uint_eq(w.outcome.count, 2);
	NTH_IS(0, CLAW_PASSED, "");
	NTH_IS(1, CLAW_XFAIL, "bug 7 (1 is not 2)");
	w.run.code = 0;
	put_log(LOG(TEST("success", "good", "Passed")));
	judge_anew();
	NTH_IS(1, CLAW_XPASS, "passed, but is expected to fail: bug 7");
	w.run.code = 1;
	judge_anew();
	NTH_IS(1, CLAW_XFAIL, "bug 7 (exited with status 1, but every test");
	w.journal.thread.calls[MADE_FINISH] = 0;
	put_journal();
	put_log(LOG(TEST("failure", "bad", "1 is not 2")));
	judge_anew();
	NTH_IS(0, CLAW_NOT_INJECTED, "its tests passed, but no OpenCL call");
}
END_TEST

/* ---- several runs ------------------------------------------------------ */

static struct claw_test_tally tally;

static struct claw_result result_of(const char *name, enum claw_verdict verdict)
{
	return (struct claw_result){
		.suite = "s", .name = name, .verdict = verdict,
		.message = verdict == CLAW_PASSED ? NULL : "it went wrong",
		.duration_us = 10, .attempt = 1,
	};
}

static void retry(const char *name, enum claw_verdict verdict)
{
	struct claw_result result = result_of(name, verdict);

	claw_test_tally_retry(&tally, &result, 1);
}

static void repeat(const char *name, enum claw_verdict verdict)
{
	struct claw_result result = result_of(name, verdict);

	claw_test_tally_repeat(&tally, &result, 1);
}

static void finish(uint64_t most)
{
	claw_test_tally_finish(&tally, most);
}

static void setup_tally(void)
{
	tally = (struct claw_test_tally){ .items = NULL };
}

static void teardown_tally(void)
{
	claw_test_tally_release(&tally);
}

#define COUNTED_IS(verdict_, flaky_, words_)				\
	do {								\
		const struct claw_result *got_ = &tally.items[0].result; \
		ck_assert_uint_eq(got_->verdict, verdict_);		\
		ck_assert_uint_eq(got_->flaky, flaky_);			\
		ck_assert_ptr_nonnull(got_->message);			\
		ck_assert_msg(strstr(got_->message, words_) != NULL,	\
			      "\"%s\" lacks \"%s\"", got_->message, words_); \
	} while (0)

START_TEST(tries__the_last_one_counts_and_earlier_ones_are_told)
{
	retry("c", CLAW_FAILED);
	retry("c", CLAW_PASSED);
	finish(3);
	COUNTED_IS(CLAW_PASSED, true, "2");
	ck_assert_ptr_nonnull(strstr(tally.items[0].result.detail,
				     "it went wrong"));
}
END_TEST

START_TEST(tries__that_all_failed_are_no_flaky_case)
{
	retry("c", CLAW_FAILED);
	retry("c", CLAW_CRASH);
	finish(2);
	COUNTED_IS(CLAW_CRASH, false, "it went wrong");
	ck_assert_uint_eq(tally.items[0].runs, 2);
}
END_TEST

START_TEST(tries__whose_results_no_later_one_has_are_kept_in_words)
{
	retry("prog.a", CLAW_FAILED);
	retry("prog.b", CLAW_PASSED);
	finish(2);
	ck_assert_uint_eq(tally.count, 1);
	COUNTED_IS(CLAW_PASSED, true, "passed on try 2 of 2");
	ck_assert_ptr_nonnull(strstr(tally.items[0].result.detail,
				     "prog.a: try 1: FAILED: it went wrong"));
}
END_TEST

START_TEST(tries__of_namesakes_show_the_worst)
{
	const struct claw_result both[] = {
		result_of("prog.a", CLAW_FAILED),
		result_of("prog.a", CLAW_PASSED),
		result_of("prog.a", CLAW_CRASH),
	};

	claw_test_tally_retry(&tally, both, 2);
	ck_assert_uint_eq(tally.count, 1);
	finish(1);
	COUNTED_IS(CLAW_FAILED, false, "it went wrong");
	claw_test_tally_release(&tally);
	claw_test_tally_retry(&tally, both + 1, 2);
	COUNTED_IS(CLAW_CRASH, false, "it went wrong");
}
END_TEST

START_TEST(repetitions__of_which_nothing_can_be_said_are_told)
{
	repeat("c", CLAW_PASSED);
	repeat("c", CLAW_INFRA);
	repeat("c", CLAW_SKIPPED);
	finish(0);
	COUNTED_IS(CLAW_INFRA, true, "1 of 3 failed: it went wrong");
	ck_assert_uint_eq(tally.items[0].result.duration_us, 10);
}
END_TEST

START_TEST(repetitions__the_worst_is_shown)
{
	repeat("c", CLAW_PASSED);
	repeat("c", CLAW_FAILED);
	repeat("c", CLAW_PASSED);
	finish(0);
	COUNTED_IS(CLAW_FAILED, true, "1 of 3");
}
END_TEST

START_TEST(repetitions__that_all_held_say_nothing)
{
	repeat("c", CLAW_PASSED);
	repeat("c", CLAW_PASSED);
	finish(0);
	ck_assert_uint_eq(tally.items[0].result.verdict, CLAW_PASSED);
	ck_assert(!tally.items[0].result.flaky);
	ck_assert_uint_eq(tally.items[0].failures, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("libcheck verdicts");
	TCase *logs = tcase_create("logs");
	TCase *runs = tcase_create("runs");

	tcase_add_checked_fixture(logs, setup, teardown_judging);
	tcase_add_test(logs, tests__have_a_result_each);
	tcase_add_test(logs, tests__that_hang_in_launches_are_kernels_timeouts);
	tcase_add_test(logs, tests__pass_only_with_a_handshake);
	tcase_add_test(logs, tests__that_were_not_chosen_are_left_out);
	tcase_add_test(logs, program__without_a_whole_log_is_no_pass);
	tcase_add_test(logs,
		       program__whose_fixture_failed_did_not_run_its_tests);
	tcase_add_test(logs, program__that_a_signal_ended_has_one_result);
	tcase_add_test(logs, known__failures_are_told_one_by_one);
	suite_add_tcase(suite, logs);
	tcase_add_checked_fixture(runs, setup_tally, teardown_tally);
	tcase_add_test(runs,
		       tries__the_last_one_counts_and_earlier_ones_are_told);
	tcase_add_test(runs, tries__that_all_failed_are_no_flaky_case);
	tcase_add_test(runs,
		       tries__whose_results_no_later_one_has_are_kept_in_words);
	tcase_add_test(runs, tries__of_namesakes_show_the_worst);
	tcase_add_test(runs, repetitions__of_which_nothing_can_be_said_are_told);
	tcase_add_test(runs, repetitions__the_worst_is_shown);
	tcase_add_test(runs, repetitions__that_all_held_say_nothing);
	suite_add_tcase(suite, runs);
	return run_suite(suite);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a try at a case comes to by what a tool saw in it and what the case
 * expects to be seen: a planted bug is found, missed, or not looked for.
 */
#include "config.h"

#include <signal.h>

#include "suites/self/lib/judging_maker.h"
#include "suites/self/lib/run_suite.h"

/* One more that is expected, or allowed. */
static void expect(const char *text, bool is_optional)
{
	struct claw_case_expect *all = &w.about.expect;
	char error[128];

	all->findings = realloc(all->findings, (all->finding_count + 1) *
				sizeof(*all->findings));
	ck_assert_ptr_nonnull(all->findings);
	ck_assert_int_eq(claw_expected_finding_parse(text,
		&all->findings[all->finding_count], error, sizeof(error)), 0);
	all->findings[all->finding_count++].is_optional = is_optional;
}

/* A kernel file whose one test passed, or failed by a finding of its own. */
static void set_kernel(bool held)
{
	w.about.kind = CLAW_CASE_CLW;
	w.about.file = (char *)"/k.clw";
	w.run.code = !held;
	put_report(held ?
		   "case\t\tc\ntest\tt\tPASSED\t5\t\t\t\nend\tc\t1\t0\n" :
		   "case\t\tc\ntest\tt\tFAILED\t5\tk.clw:9\tit is wrong\t\n"
		   "end\tc\t1\t1\n");
}

START_TEST(finding__that_nobody_expects_fails_what_held)
{
	put_seen(CLAW_FINDING_HOST_LEAK, CLAW_SPACE_UNKNOWN, "a.c", 4);
	IS(CLAW_FAILED, "sharp: host-leak");
	PLACE_IS("a.c", 4);
	put_seen(CLAW_FINDING_HOST_READ, CLAW_SPACE_UNKNOWN, "b.c", 5);
	IS(CLAW_FAILED, "and others");
	ck_assert_pstr_eq(w.outcome.results[0].seen,
			  "host-leak, host-invalid-read");
	ck_assert_ptr_nonnull(strstr(w.outcome.results[0].detail, "there"));
	w.run.code = 3;		/* it had failed already */
	IS(CLAW_FAILED, "found 3");
}
END_TEST

START_TEST(finding__of_wrong_calls_may_be_on_purpose)
{
	put_seen(CLAW_FINDING_API_ERROR, CLAW_SPACE_UNKNOWN, "", 0);
	IS(CLAW_FAILED, "api-error");
	w.suite.api_errors_expected = true;
	IS(CLAW_PASSED, "");
}
END_TEST

START_TEST(finding__of_a_kernel_says_more_than_its_result)
{
	set_kernel(false);
	put_seen(CLAW_FINDING_RACE, CLAW_SPACE_LOCAL, "", 6);
	IS(CLAW_FAILED, "sharp: race");
	PLACE_IS("/k.clw", 6);
	/* A file that it includes has its own name. */
	claw_findings_release(&w.seen);
	put_file("part.h", "", 0);
	char *part = path_of("part.h");

	put_seen(CLAW_FINDING_RACE, CLAW_SPACE_LOCAL, part, 6);
	IS(CLAW_FAILED, "sharp: race");
	PLACE_IS(part, 6);
	free(part);
	claw_findings_release(&w.seen);
	put_seen(CLAW_FINDING_RACE, CLAW_SPACE_LOCAL, "nowhere.h", 6);
	IS(CLAW_FAILED, "sharp: race");
	PLACE_IS("nowhere.h", 6);
}
END_TEST

START_TEST(finding__beside_the_source_is_of_that_file)
{
	char *source = path_of("k.clw"), *part = path_of("part.h");

	put_file("part.h", "", 0);
	set_kernel(true);
	w.about.source = source;
	put_seen(CLAW_FINDING_RACE, CLAW_SPACE_LOCAL, "part.h", 6);
	IS(CLAW_FAILED, "sharp: race");
	PLACE_IS(part, 6);
	free(source);
	free(part);
}
END_TEST

START_TEST(finding__that_may_be_there_is_no_failure)
{
	set_kernel(true);
	put_seen(CLAW_FINDING_RACE, CLAW_SPACE_LOCAL, "", 6);
	expect("race local 6", true);
	IS(CLAW_PASSED, "");
	/* Neither is the test that failed by it alone. */
	set_kernel(false);
	put_report("case\t\tc\ntest\tt\tFAILED\t5\tk.clw:9\tit is wrong\t\n"
		   "finding\trace\tlocal\tk\t\t6\t1\t4\tit is wrong\n"
		   "end\tc\t1\t1\n");
	IS(CLAW_PASSED, "");
	PLACE_IS(NULL, 0);
}
END_TEST

START_TEST(planted__is_found_missed_or_not_looked_for)
{
	set_kernel(true);
	expect("invalid-read global 12", false);
	IS(CLAW_FAILED, "expected invalid-read global at line 12, found nothing");
	PLACE_IS("/k.clw", 12);
	ck_assert_pstr_eq(w.outcome.results[0].expects,
			  "invalid-read global 12");
	put_seen(CLAW_FINDING_INVALID_READ, CLAW_SPACE_UNKNOWN, "", 12);
	IS(CLAW_PASSED, "");
	CODE_IS("clw-buffer-overflow");
	put_seen(CLAW_FINDING_RACE, CLAW_SPACE_LOCAL, "", 14);
	IS(CLAW_FAILED, "found invalid-read at line 12 and race local at");
	claw_findings_release(&w.seen);
	w.row.checks = 0;
	IS(CLAW_SKIPPED, "sharp has no check for invalid-read");
	ck_assert_pstr_eq(w.outcome.results[0].seen, "no check");
	w.run.end = CLAW_END_SIGNAL;
	w.run.code = SIGBUS;
	IS(CLAW_SKIPPED, "killed by SIGBUS");
	ck_assert_pstr_eq(w.outcome.results[0].seen, "SIGBUS");
}
END_TEST

START_TEST(planted__at_other_lines_or_for_other_tools)
{
	set_kernel(true);
	expect("invalid-read global 12-14", false);
	put_seen(CLAW_FINDING_INVALID_READ, CLAW_SPACE_GLOBAL, "", 14);
	IS(CLAW_PASSED, "");
	claw_findings_release(&w.seen);
	put_seen(CLAW_FINDING_INVALID_READ, CLAW_SPACE_GLOBAL, "", 15);
	IS(CLAW_FAILED, "at line 12 to 14, found invalid-read global at li");
	claw_findings_release(&w.seen);
	put_seen(CLAW_FINDING_INVALID_READ, CLAW_SPACE_GLOBAL, "/other.h", 12);
	IS(CLAW_FAILED, "found invalid-read global at line 12 of /other.h");
	claw_findings_release(&w.seen);
	w.about.expect.finding_count = 0;
	expect("invalid-read !sharp", false);
	IS(CLAW_SKIPPED, "sharp has no check for invalid-read");
	w.about.expect.finding_count = 0;
	expect("invalid-read 3", false);
	expect("race", false);
	expect("divergence", false);
	IS(CLAW_FAILED, "expected invalid-read at line 3, race and diverg");
	put_seen(CLAW_FINDING_INVALID_READ, CLAW_SPACE_GLOBAL, "", 3);
	IS(CLAW_SKIPPED, "sharp has no check for race, divergence");
}
END_TEST

START_TEST(planted__result_is_found_by_its_cause)
{
	set_kernel(true);
	expect("wrong-result", false);
	expect("race 9", true);
	IS(CLAW_FAILED, "expected wrong-result, found nothing");
	put_seen(CLAW_FINDING_RACE, CLAW_SPACE_LOCAL, "", 9);
	IS(CLAW_PASSED, "");
	w.about.expect.finding_count = 0;
	expect("race", false);
	put_report("case\t\tc\ntest\tt\tFAILED\t5\tk.clw:9\tvalue 3\t\n"
		   "finding\twrong-result\t\tk\tk.clw\t9\t1\t4\tvalue 3\n"
		   "end\tc\t1\t1\n");
	w.run.code = 1;
	IS(CLAW_PASSED, "");
	ck_assert_ptr_nonnull(strstr(w.outcome.results[0].detail,
				     "found what it expects; wrong result"));
}
END_TEST

START_TEST(planted__that_cannot_be_built_stays_so)
{
	set_kernel(false);
	expect("race", false);
	put_report("case\t\tc\ntest\tt\tFAILED\t5\tk.clw:9\tno build\t\n"
		   "code\tclw-kernel-build-failure\tit\nend\tc\t1\t1\n");
	IS(CLAW_FAILED, "no build");
}
END_TEST

START_TEST(log__that_cannot_be_read_is_no_pass)
{
	w.read = -CLAW_E_DAMAGED;
	IS(CLAW_INFRA, "sharp left no readable log");
	w.run.code = 3;
	IS(CLAW_FAILED, "found 3");
	expect("race", false);
	IS(CLAW_INFRA, "sharp left no readable log");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("expected");
	TCase *all = tcase_create("all");

	tcase_add_checked_fixture(all, setup_judging, teardown_judging);
	tcase_add_test(all, finding__that_nobody_expects_fails_what_held);
	tcase_add_test(all, finding__of_wrong_calls_may_be_on_purpose);
	tcase_add_test(all, finding__of_a_kernel_says_more_than_its_result);
	tcase_add_test(all, finding__beside_the_source_is_of_that_file);
	tcase_add_test(all, finding__that_may_be_there_is_no_failure);
	tcase_add_test(all, planted__is_found_missed_or_not_looked_for);
	tcase_add_test(all, planted__at_other_lines_or_for_other_tools);
	tcase_add_test(all, planted__result_is_found_by_its_cause);
	tcase_add_test(all, planted__that_cannot_be_built_stays_so);
	tcase_add_test(all, log__that_cannot_be_read_is_no_pass);
	suite_add_tcase(suite, all);
	return run_suite(suite);
}

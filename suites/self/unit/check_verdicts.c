/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a try at a case comes to: by how its process ended, by its report, by
 * what a tool saw and the case expects, and by its faults. Nothing that has
 * not run is a pass.
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>

#include "suites/self/lib/judging_maker.h"
#include "suites/self/lib/probe_maker.h"
#include "suites/self/lib/run_suite.h"

static void load(const char *first, const char *second)
{
	const char *texts[] = { first, second };
	const struct claw_fault_options options = {
		.faults = { .items = texts, .count = second ? 2 : 1 },
		.seed = "1",
	};
	char error[256] = "";

	ck_assert_msg(claw_fault_plan_load(&options, &w.try.plan, error,
					   sizeof(error)) == 0, "%s", error);
}

/* ---- how it ended ------------------------------------------------------ */

START_TEST(command__ends_as_expected_or_not)
{
	IS(CLAW_PASSED, "");
	w.run.code = 3;
	IS(CLAW_FAILED, "expected exit status 0, found 3");
	w.about.expect.exit_status = 3;
	IS(CLAW_PASSED, "");
	w.run.code = 128 + SIGSEGV;
	IS(CLAW_CRASH, "killed by signal 11, SIGSEGV");
	w.run.code = 128 + SIGPIPE;
	IS(CLAW_FAILED, "expected exit status 3, found 141");
}
END_TEST

START_TEST(process__that_a_signal_ended_is_a_crash)
{
	w.run.end = CLAW_END_SIGNAL;
	w.run.code = SIGSEGV;
	IS(CLAW_CRASH, "killed by signal 11, SIGSEGV");
	CODE_IS(NULL);
	w.run.code = 77;
	IS(CLAW_CRASH, "killed by signal 77");
	w.about.kind = CLAW_CASE_CLW;
	IS(CLAW_CRASH, "killed by signal 77");
	CODE_IS("clw-driver-crash");
	put_call(MADE_LAUNCH, 1, 0);
	put_journal();
	IS(CLAW_CRASH, "killed by signal 77");
	CODE_IS("clw-gpu-crash");
	/* The simulator's own crash is nothing of the kernel's. */
	made_frame(&w.journal.made, "/usr/lib/oclgrind/liboclgrind-rt.so");
	made_crash(&w.journal.made, SIGSEGV, 1);
	w.journal.made.site.commit = claw_journal_entry_commit(
		&w.journal.made.site, sizeof(w.journal.made.site), 1);
	put_journal();
	IS(CLAW_INFRA, "oclgrind itself crashed in ?? (liboclgrind-rt.so");
	CODE_IS(NULL);
}
END_TEST

START_TEST(process__that_did_not_end_is_a_hang_and_says_where)
{
	w.run.end = CLAW_END_TIMEOUT;
	IS(CLAW_HANG, "not finished after 2.5 s: not in a blocking OpenCL call");
	CODE_IS(NULL);
	w.journal.made.header.state = CLAW_JOURNAL_CLOSED;
	put_journal();
	IS(CLAW_HANG, "not finished after 2.5 s");
	begin_journal();
	put_call(MADE_FINISH, 1, CLAW_REC_BLOCKS);
	put_journal();
	IS(CLAW_HANG, ": in clFinish");
	CODE_IS(NULL);
	begin_journal();
	put_call(MADE_BUILD, 1, CLAW_REC_BLOCKS);
	put_journal();
	IS(CLAW_HANG, ": in clBuildProgram");
	CODE_IS("clw-kernel-compile-timeout");
}
END_TEST

START_TEST(process__is_in_a_launch_until_its_queue_is_finished)
{
	w.run.end = CLAW_END_TIMEOUT;
	put_call(MADE_LAUNCH, 1, 0);
	put_call(MADE_FINISH, 1, CLAW_REC_BLOCKS);
	put_journal();
	IS(CLAW_HANG, "in clFinish, and a launch had not finished");
	CODE_IS("clw-kernel-timeout");
	begin_journal();
	put_call(MADE_LAUNCH, 1, 0);
	put_call(MADE_FINISH, 1, 0);
	put_call(MADE_FINISH, 2, CLAW_REC_BLOCKS);
	put_journal();
	IS(CLAW_HANG, ": in clFinish");
	CODE_IS(NULL);
	begin_journal();
	put_call(MADE_LAUNCH, 1, 0);
	w.journal.thread.calls[MADE_POLL] = 5000;
	put_journal();
	IS(CLAW_HANG, "in clGetEventInfo, and a launch had not finished");
	CODE_IS("clw-kernel-timeout");
	/* Entered, and not come back: a driver may compile in it. */
	begin_journal();
	w.journal.thread.calls[MADE_LAUNCH] = 1;
	put_journal();
	IS(CLAW_HANG, ": in clEnqueueNDRangeKernel");
	CODE_IS(NULL);
}
END_TEST

/* What the layer tells of by itself: a wait that it holds up, a crash. */
static void put_event(unsigned int api, uint16_t flags)
{
	w.journal.made.event = (struct claw_journal_record){
		.api = (uint16_t)api, .flags = flags, .thread = 1,
	};
	w.journal.made.event.commit =
		claw_journal_record_commit(&w.journal.made.event, 1);
	w.journal.made.header.events.used = 1;
}

START_TEST(process__that_the_layer_holds_up_is_in_that_call)
{
	w.run.end = CLAW_END_TIMEOUT;
	put_call(MADE_LAUNCH, 1, 0);
	put_call(MADE_LAUNCH, 2, 0);
	put_call(MADE_FINISH, 1, 0);
	put_event(MADE_FINISH, CLAW_REC_BLOCKS);
	put_journal();
	put_file("journal.4712.0", "no journal", 10);
	IS(CLAW_HANG, "in clFinish, and a launch had not finished");
	CODE_IS("clw-kernel-timeout");
	/* One that crashed is not what was waited for. */
	put_event(MADE_FINISH, CLAW_REC_CRASH);
	put_journal();
	IS(CLAW_HANG, "not finished after 2.5 s");
	CODE_IS(NULL);
}
END_TEST

START_TEST(process__that_did_not_start_is_no_pass)
{
	static char *const words[] = { (char *)"./it", NULL };

	w.try.spec.argv = words;
	w.run.end = CLAW_END_NOT_FOUND;
	IS(CLAW_INFRA, "cannot start ./it: No such file");
	w.run.end = CLAW_END_NOT_EXECUTABLE;
	w.run.code = 13;
	IS(CLAW_INFRA, "cannot start ./it: Permission denied");
	w.run.end = CLAW_END_CANCELLED;
	IS(CLAW_INFRA, "interrupted");
}
END_TEST

START_TEST(process__without_a_loader_is_skipped)
{
	w.run.code = 127;
	set_err("./it: error while loading: /opt/libOpenCL.so.1: no such\n");
	IS(CLAW_SKIPPED, "no OpenCL loader: /opt/libOpenCL.so.1: no such (D");
	set_err("sh: it: not found\n");
	IS(CLAW_FAILED, "found 127");
}
END_TEST

START_TEST(problem__is_no_pass)
{
	snprintf(w.try.problem, sizeof(w.try.problem), "at= is nowhere");
	IS(CLAW_INFRA, "at= is nowhere");
}
END_TEST

/* ---- its own report ---------------------------------------------------- */

#define HEAD "case\ts\tc\nfact\tdevice\ta stub\n"
#define TEST(word_) "test\tt\t" word_ "\t5\ta.c:7\tgot 1\\nand 2\t\n"
#define END(tests_, failed_) "end\tc\t" tests_ "\t" failed_ "\n"

static const struct {
	int code;
	const char *report;
	enum claw_verdict verdict;
	const char *words;
} reports[] = {
	{ 0, HEAD TEST("PASSED") END("1", "0"), CLAW_PASSED, "" },
	{ 0, HEAD TEST("PASSED") TEST("XFAIL") END("2", "0"), CLAW_PASSED,
	  "1 of 2 tests are known deviations" },
	{ 0, "", CLAW_INFRA, "did not report this case" },
	{ 0, HEAD TEST("PASSED"), CLAW_INFRA, "did not report this case" },
	{ 0, HEAD END("0", "0"), CLAW_INFRA, "did not report this case" },
	{ 0, "case\ts\tother\n" TEST("PASSED") "end\tother\t1\t0\n",
	  CLAW_INFRA, "did not report this case" },
	{ 0, "case\tother\tc\n" TEST("PASSED") END("1", "0"), CLAW_INFRA,
	  "did not report this case" },
	{ 0, HEAD TEST("FAILED") END("1", "1"), CLAW_INFRA,
	  "not every test passed" },
	{ 1, HEAD TEST("PASSED") TEST("XFAIL") TEST("FAILED") END("3", "1"),
	  CLAW_FAILED, "t: got 1" },
	{ 1, HEAD TEST("PASSED") END("1", "0"), CLAW_INFRA,
	  "did not report which test failed" },
	{ 77, HEAD "skip\tno such device\n", CLAW_SKIPPED, "no such device" },
	{ 77, HEAD, CLAW_SKIPPED, "gave no reason" },
	{ 64, HEAD, CLAW_INFRA, "exited with status 64: what is that" },
	{ 5, HEAD TEST("PASSED") END("1", "0"), CLAW_INFRA, "exited with "
							    "status 5" },
};

START_TEST(report__says_what_the_status_must_agree_with)
{
	w.about.kind = CLAW_CASE_FRAME;
	w.run.code = reports[_i].code;
	if (w.run.code == 64)
		set_err("what is that");
	put_report(reports[_i].report);
	IS(reports[_i].verdict, reports[_i].words);
	if (reports[_i].verdict == CLAW_FAILED)
		PLACE_IS("a.c", 7);
}
END_TEST

START_TEST(report__of_a_kernel_file_has_findings_and_a_code)
{
	w.about.kind = CLAW_CASE_CLW;
	w.about.file = (char *)"/k.clw";
	w.run.code = 1;
	put_report("case\t\tc\nmetric\tms\t3\nmetric\tgb_per_s\t1\n"
		   "test\tt\tFAILED\t5\tk.clw:3\tclFinish gave CL_INVALID_VALUE"
		   "\t\ncode\tclw-gpu-crash\tit\nend\tc\t1\t1\n");
	IS(CLAW_FAILED, "clFinish gave CL_INVALID_VALUE");
	CODE_IS("clw-gpu-crash");
	ck_assert_pstr_eq(w.outcome.results[0].metrics, "ms=3 gb_per_s=1");
	ck_assert_pstr_eq(w.outcome.results[0].seen, "CL_INVALID_VALUE");
	put_report("case\t\tc\ntest\tt\tFAILED\t5\tk.clw:3\tvalue 3\t\n"
		   "finding\twrong-result\t\tk\tk.clw\t3\t1\t4\tvalue 3\n"
		   "end\tc\t1\t1\n");
	IS(CLAW_FAILED, "value 3");
	ck_assert_pstr_eq(w.outcome.results[0].seen, "wrong result");
}
END_TEST

/* ---- the handshake ----------------------------------------------------- */

START_TEST(handshake__is_needed_for_a_pass)
{
	w.journal.thread.calls[MADE_FINISH] = 0;
	put_journal();
	IS(CLAW_NOT_INJECTED, "it ended as expected, but no OpenCL call");
	w.journal.made.header.hooked_slots = 0;
	put_journal();
	IS(CLAW_NOT_INJECTED, "loader did not load the layer");
	set_err("openclaw: cannot write a journal: disk full");
	IS(CLAW_INFRA, "could not write its journal");
	w.about.no_opencl = true;
	IS(CLAW_PASSED, "");
	w.about.no_opencl = false;
	w.run.code = 4;
	IS(CLAW_FAILED, "found 4");
}
END_TEST

START_TEST(oclgrind__that_left_no_log_was_not_called)
{
	struct claw_under_run *under = &w.try.under;
	int pipe_fd;

	w.under.row = &claw_under_oclgrind;
	under->kernel_log = path_of("kernel-log");
	under->stderr_path = path_of("stderr");
	put_file("stderr", "", 0);
	ck_assert_int_eq(claw_tool_log_new(under->kernel_log,
					   &under->gathered), 0);
	IS(CLAW_INFRA, "oclgrind left no log: its calls went to another dr");
	w.about.no_opencl = true;
	IS(CLAW_PASSED, "");
	w.about.no_opencl = false;
	claw_tool_log_free(under->gathered);
	ck_assert_int_eq(claw_tool_log_new(under->kernel_log,
					   &under->gathered), 0);
	pipe_fd = open(claw_tool_log_path(under->gathered), O_WRONLY);
	ck_assert_int_ge(pipe_fd, 0);
	close(pipe_fd);
	IS(CLAW_PASSED, "");
	claw_tool_log_free(under->gathered);
	free(under->kernel_log);
	free(under->stderr_path);
}
END_TEST

START_TEST(probes__that_no_launch_had_are_no_answer)
{
	struct made_probes probes;

	w.row.probes = CLAW_PROBE_ASAN;
	made_probes_init(&probes, CLAW_PROBE_ASAN);
	probes.header.launches = 0;
	probes.header.plain_kernel = 2;
	put_file("probes.4711.0.0", &probes, sizeof(probes));
	IS(CLAW_SKIPPED, "none of 2 launches was checked");
	w.run.code = 3;		/* which has nothing to do with it */
	IS(CLAW_FAILED, "found 3");
	w.run.code = 0;
	probes.header.launches = 2;
	probes.header.plain_kernel = 0;
	put_file("probes.4711.0.0", &probes, sizeof(probes));
	IS(CLAW_PASSED, "");
}
END_TEST

START_TEST(zones__that_nobody_looked_at_are_no_pass)
{
	w.selection.guards = true;
	IS(CLAW_NOT_REACHED, "its guard zones were not all checked: ");
	w.run.code = 3;
	IS(CLAW_FAILED, "found 3");
	w.run.code = 0;
	w.about.no_opencl = true;
	w.session.directory = (char *)"/nonexistent";
	IS(CLAW_NOT_REACHED, "were not all checked: the session cannot be read");
	w.selection.guards = false;
	IS(CLAW_PASSED, "");
	load("clCreateBuffer:oom", NULL);
	IS(CLAW_INFRA, "the journals of its session could not be read");
}
END_TEST

/* ---- failures that are known ------------------------------------------- */

START_TEST(known__failure_is_none_and_a_pass_is_one)
{
	w.about.expect_fail = true;
	w.about.reason = (char *)"bug 7";
	w.run.code = 3;
	IS(CLAW_XFAIL, "bug 7 (expected exit status 0, found 3)");
	w.run.end = CLAW_END_SIGNAL;
	IS(CLAW_XFAIL, "bug 7 (killed by signal 3");
	w.run.end = CLAW_END_EXIT;
	w.run.code = 0;
	IS(CLAW_XPASS, "passed, but is expected to fail: bug 7");
	w.read = -CLAW_E_DAMAGED;
	IS(CLAW_INFRA, "sharp left no readable log");
}
END_TEST

/* A program that fails before it comes to OpenCL shows another bug. */
START_TEST(known__failure_without_the_layer_is_not_it)
{
	w.about.expect_fail = true;
	w.about.reason = (char *)"bug 7";
	w.run.code = 3;
	w.journal.thread.calls[MADE_FINISH] = 0;
	put_journal();
	IS(CLAW_NOT_INJECTED, "it failed as expected, but no OpenCL call");
	w.journal.made.header.hooked_slots = 0;
	put_journal();
	IS(CLAW_NOT_INJECTED, "loader did not load the layer");
	w.about.no_opencl = true;
	IS(CLAW_XFAIL, "bug 7");
}
END_TEST

START_TEST(kernel__that_nobody_compares_is_inconclusive)
{
	w.about.kind = CLAW_CASE_CLW;
	w.about.compares_nothing = true;
	put_report("case\t\tc\ntest\tt\tPASSED\t5\t\t\t\nend\tc\t1\t0\n");
	w.row.checks = 1u << CLAW_FINDING_WRONG_RESULT;
	IS(CLAW_INCONCLUSIVE, CLAW_NOTHING_COMPARED);
	w.row.checks |= 1u << CLAW_FINDING_INVALID_READ;
	IS(CLAW_PASSED, "");
	ck_assert_ptr_null(w.outcome.results[0].message);
}
END_TEST

/* ---- faults ------------------------------------------------------------ */

START_TEST(rule__that_did_not_fire_makes_a_pass_worth_nothing)
{
	load("clCreateBuffer:oom", "clFinish:oom-host:when=4");
	put_rule(1, 1);
	put_rule(2, 0);
	put_journal();
	IS(CLAW_NOT_REACHED, "never fired: clFinish:oom-host:when=4 (matched "
	   "2 times)");
	ck_assert_pstr_eq(w.outcome.results[0].fault,
			  "clCreateBuffer:oom; clFinish:oom-host:when=4");
	w.journal.rules[1].fired = 1;
	put_journal();
	IS(CLAW_PASSED, "");
	w.run.code = 3;
	IS(CLAW_FAILED, "found 3");
	w.journal.made.header.plan_error_string =
		made_string(&w.journal.made, "column 3");
	put_journal();
	IS(CLAW_INFRA, "the layer refused the faults: column 3");
}
END_TEST

START_TEST(diagnosis__is_of_a_fault_that_fired)
{
	w.about.expect.fault = (char *)"clw-out-of-memory";
	load("clCreateBuffer:oom", NULL);
	put_rule(1, 0);
	put_journal();
	IS(CLAW_FAILED, "expected clw-out-of-memory, found nothing");
	w.journal.rules[0].fired = 1;
	put_journal();
	IS(CLAW_PASSED, "");
	CODE_IS("clw-out-of-memory");
	ck_assert_pstr_eq(w.outcome.results[0].expects, "clw-out-of-memory");
	w.run.code = 3;
	IS(CLAW_PASSED, "diagnosed what it expects; expected exit status 0");
	w.about.expect.has_exit = true;
	IS(CLAW_FAILED, "found 3");
	w.about.expect.has_exit = false;
	put_seen(CLAW_FINDING_HOST_LEAK, CLAW_SPACE_UNKNOWN, "a.c", 1);
	IS(CLAW_FAILED, "found 3");
}
END_TEST

START_TEST(diagnosis__forgives_a_crash_or_a_hang_only_as_that)
{
	w.about.expect.fault = (char *)"clw-out-of-memory";
	w.run.end = CLAW_END_SIGNAL;
	w.run.code = SIGSEGV;
	IS(CLAW_FAILED, "expected clw-out-of-memory, found nothing; killed by");
	w.about.expect.fault = (char *)"clw-gpu-crash";
	IS(CLAW_PASSED, "diagnosed what it expects; killed by signal 11");
	w.run.end = CLAW_END_TIMEOUT;
	IS(CLAW_FAILED, "expected clw-gpu-crash, found nothing; not finished");
	w.about.expect.fault = (char *)"clw-kernel-timeout";
	put_call(MADE_LAUNCH, 1, 0);
	put_call(MADE_FINISH, 1, CLAW_REC_BLOCKS);
	put_journal();
	IS(CLAW_PASSED, "diagnosed what it expects; not finished after 2.5 s");
}
END_TEST

START_TEST(diagnosis__may_be_that_of_a_finding)
{
	w.about.expect.fault = (char *)"clw-memory-timeout";
	put_seen(CLAW_FINDING_HOST_LEAK, CLAW_SPACE_UNKNOWN, "a.c", 1);
	IS(CLAW_FAILED, "expected clw-memory-timeout, found nothing");
	put_seen(CLAW_FINDING_HOST_PEAK, CLAW_SPACE_UNKNOWN, "", 0);
	claw_findings_release(&w.seen);
	put_seen(CLAW_FINDING_HOST_PEAK, CLAW_SPACE_UNKNOWN, "", 0);
	IS(CLAW_PASSED, "diagnosed what it expects; sharp: host-memory-peak");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("verdicts");
	TCase *all = tcase_create("all");

	tcase_add_checked_fixture(all, setup_judging, teardown_judging);
	tcase_add_test(all, command__ends_as_expected_or_not);
	tcase_add_test(all, process__that_a_signal_ended_is_a_crash);
	tcase_add_test(all, process__that_did_not_end_is_a_hang_and_says_where);
	tcase_add_test(all, process__is_in_a_launch_until_its_queue_is_finished);
	tcase_add_test(all, process__that_the_layer_holds_up_is_in_that_call);
	tcase_add_test(all, process__that_did_not_start_is_no_pass);
	tcase_add_test(all, process__without_a_loader_is_skipped);
	tcase_add_test(all, problem__is_no_pass);
	tcase_add_loop_test(all, report__says_what_the_status_must_agree_with,
			    0, (int)(sizeof(reports) / sizeof(*reports)));
	tcase_add_test(all, report__of_a_kernel_file_has_findings_and_a_code);
	tcase_add_test(all, handshake__is_needed_for_a_pass);
	tcase_add_test(all, oclgrind__that_left_no_log_was_not_called);
	tcase_add_test(all, probes__that_no_launch_had_are_no_answer);
	tcase_add_test(all, zones__that_nobody_looked_at_are_no_pass);
	tcase_add_test(all, known__failure_is_none_and_a_pass_is_one);
	tcase_add_test(all, known__failure_without_the_layer_is_not_it);
	tcase_add_test(all, kernel__that_nobody_compares_is_inconclusive);
	tcase_add_test(all,
		       rule__that_did_not_fire_makes_a_pass_worth_nothing);
	tcase_add_test(all, diagnosis__is_of_a_fault_that_fired);
	tcase_add_test(all, diagnosis__forgives_a_crash_or_a_hang_only_as_that);
	tcase_add_test(all, diagnosis__may_be_that_of_a_finding);
	suite_add_tcase(suite, all);
	return run_suite(suite);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A judged run with faults beside its baselines, as if they had been run: what
 * their journals, their outputs and a tool say together.
 */
#include "config.h"

#include <sys/stat.h>

#include "harness/judge/judge.h"
#include "harness/judge/judged_found.h"
#include "harness/base/text.h"
#include "suites/self/lib/found_maker.h"
#include "suites/self/lib/judging_maker.h"
#include "suites/self/lib/run_suite.h"

static struct claw_judge judge;
static struct claw_judge_baseline baseline;
static struct claw_judged_tool tool;
static struct claw_judged_run faulted;
static struct claw_rule rules[MADE_RULES];
static struct claw_judgement judgement;

/* Its own directory, with the journal that is made now and what it printed. */
static void make_run(struct claw_judged_run *run, const char *name,
		     const char *output)
{
	char *path = path_of(name), *file;
	FILE *out;

	ck_assert_int_eq(mkdir(path, 0777), 0);
	run->directory = path;
	run->setup = &baseline.setup;
	run->session = calloc(1, sizeof(*run->session));
	run->session->directory = strdup(path);
	run->out_path = claw_path_in(path, "stdout");
	run->err_path = claw_path_in(path, "stderr");
	out = fopen(run->out_path, "w");
	fputs(output, out);
	fclose(out);
	fclose(fopen(run->err_path, "w"));
	file = claw_path_in(path, "journal.1.0");
	out = fopen(file, "w");
	ck_assert_uint_eq(fwrite(&w.journal, sizeof(w.journal), 1, out), 1);
	fclose(out);
	free(file);
}

static void read_run(struct claw_judged_run *run, size_t rule_count)
{
	claw_evidence_release(&run->evidence);
	ck_assert_int_eq(claw_evidence_read(run->session, rule_count,
					    &run->evidence), 0);
}

/* Two runs that made a call, and one in which a rule fired. */
static void setup(void)
{
	setup_judging();
	judge = (struct claw_judge){ .argv = NULL, .rules = rules };
	baseline = (struct claw_judge_baseline){
		.judge = &judge, .compared.lines = { .lines = 1, .compared = 1 },
	};
	tool = (struct claw_judged_tool){ .under.row = &w.row };
	faulted = (struct claw_judged_run){ .end = CLAW_JUDGED_DONE };
	memset(rules, 0, sizeof(rules));
	rules[0].percent = rules[1].percent = -1;
	snprintf(rules[0].text, sizeof(rules[0].text), "clCreateBuffer:oom");
	put_call(MADE_FINISH, 1, 0);
	make_run(&baseline.runs[0], "first", "42\n");
	make_run(&baseline.runs[1], "second", "42\n");
	put_rule(1, 1);
	make_run(&faulted, "faulted", "42\n");
	read_run(&baseline.runs[0], 0);
	read_run(&baseline.runs[1], 0);
	read_run(&faulted, 1);
}

static void teardown(void)
{
	claw_judgement_release(&judgement);
	claw_judged_release(&faulted);
	claw_judge_end(&baseline);
	teardown_judging();
}

static void decide(void)
{
	claw_judgement_release(&judgement);
	claw_judge_decide(&baseline, &faulted, rules, &judgement);
}

static void assert_verdict(enum claw_verdict verdict, const char *words,
			   int line)
{
	const struct claw_verdict_output *output = &judgement.output;

	ck_assert_int_eq(judgement.end, CLAW_JUDGE_DONE);
	ck_assert_msg(output->verdict == verdict,
		      "line %d: got %s (%s), expected %s", line,
		      claw_verdict_name(output->verdict), output->message,
		      claw_verdict_name(verdict));
	ck_assert_msg(strstr(output->message, words) != NULL,
		      "line %d: \"%s\" lacks \"%s\"", line, output->message,
		      words);
}
#define IS_JUDGED(verdict_, words_)					\
	(decide(), assert_verdict(verdict_, words_, __LINE__))

static void add_found(struct claw_judged_run *run, enum claw_finding_kind kind,
		      const char *kernel)
{
	const struct claw_finding one = {
		.kind = kind, .kernel = (char *)kernel,
		.what = (char *)"CL_SUCCESS in it",
		.text = (char *)"  \nthe tool's words\nmore", .times = 1,
	};

	claw_findings_add(&run->found, &one);
}

/* ---- a verdict --------------------------------------------------------- */

START_TEST(run__with_the_same_result_is_handled)
{
	faulted.result.duration_us = 70;
	IS_JUDGED(CLAW_HANDLED, "recovered");
	ck_assert_uint_eq(judgement.duration_us, 70);
}
END_TEST

START_TEST(run__with_another_result_is_told_by_its_difference)
{
	FILE *out = fopen(faulted.out_path, "w");

	fputs("41\n", out);
	fclose(out);
	IS_JUDGED(CLAW_SWALLOWED, "standard output, line 1: \"42\" and \"41\"");
}
END_TEST

START_TEST(run__shows_what_it_printed_without_what_is_left_out)
{
	faulted.result.out = (struct claw_capture){
		.head = strdup("a"), .head_bytes = 1, .tail = strdup("z"),
		.tail_bytes = 1, .cut_bytes = 5, .total_bytes = 7,
	};
	decide();
	ck_assert_pstr_eq(judgement.out_text, "a\n... 5 bytes cut ...\nz");
	ck_assert_pstr_eq(judgement.err_text, "");
}
END_TEST

static const struct {
	enum claw_judged_end end;
	enum claw_judge_end comes_to;
	int status;
} not_made[] = {
	{ CLAW_JUDGED_INFRA, CLAW_JUDGE_INFRA, CLAW_EXIT_INFRA },
	{ CLAW_JUDGED_NO_PROGRAM, CLAW_JUDGE_NO_PROGRAM,
	  CLAW_EXIT_NO_PROGRAM },
	{ CLAW_JUDGED_NOT_EXECUTABLE, CLAW_JUDGE_NOT_EXECUTABLE,
	  CLAW_EXIT_NOT_EXECUTABLE },
	{ CLAW_JUDGED_CANCELLED, CLAW_JUDGE_CANCELLED, CLAW_EXIT_UNKNOWN },
};

START_TEST(run__that_was_not_made_has_no_verdict)
{
	faulted.end = not_made[_i].end;
	faulted.why = strdup("for that reason");
	decide();
	ck_assert_int_eq(judgement.end, not_made[_i].comes_to);
	ck_assert_pstr_eq(judgement.why, "for that reason");
	ck_assert_int_eq(claw_judge_status(judgement.end),
			 not_made[_i].status);
}
END_TEST

START_TEST(run__whose_journals_do_not_tell_all_is_no_pass)
{
	faulted.evidence.torn = 1;	/* what its thread was writing */
	IS_JUDGED(CLAW_HANDLED, "recovered");
	faulted.evidence.torn = 5;
	IS_JUDGED(CLAW_INFRA, "5 journal records are damaged");
	faulted.evidence.torn = 0;
	faulted.evidence.unreadable = 1;
	IS_JUDGED(CLAW_INFRA, "1 journal");
	faulted.evidence.unreadable = 0;
	faulted.found_gap = strdup("its tool left no log");
	IS_JUDGED(CLAW_INFRA, "its tool left no log");
}
END_TEST

START_TEST(run__without_a_known_guard_zone_is_no_pass)
{
	judge.config.find = CLAW_FOUND_GUARDS;
	IS_JUDGED(CLAW_INFRA, "");
	free(faulted.session->directory);
	faulted.session->directory = strdup("/nonexistent");
	decide();
	ck_assert_int_eq(judgement.end, CLAW_JUDGE_INFRA);
}
END_TEST

START_TEST(run__that_broke_a_guard_zone_is_a_finding)
{
	static struct made_found found;

	made_found_init(&found);
	found.header.modes = CLAW_FOUND_GUARDS;
	made_found_add(&found, CLAW_FOUND_GUARD_BROKEN, "square");
	put_file("faulted/found.1.0", &found, sizeof(found));
	IS_JUDGED(CLAW_HANDLED, "recovered");	/* nobody asked */
	judge.config.find = CLAW_FOUND_GUARDS;
	IS_JUDGED(CLAW_SANITIZER, "square");
	ck_assert_ptr_nonnull(strstr(judgement.output.detail, "square"));
}
END_TEST

/* ---- what a tool saw --------------------------------------------------- */

START_TEST(tool__report_only_with_the_fault_is_a_finding)
{
	judge.tool = baseline.setup.tool = &tool;
	add_found(&baseline.runs[0], CLAW_FINDING_HOST_READ, "old");
	add_found(&faulted, CLAW_FINDING_HOST_READ, "old");
	IS_JUDGED(CLAW_HANDLED, "recovered");
	add_found(&faulted, CLAW_FINDING_HOST_UNINIT, "load");
	IS_JUDGED(CLAW_SANITIZER, "host-uninitialized in load");
	ck_assert_uint_eq(judgement.found.count, 1);
	ck_assert_ptr_nonnull(strstr(judgement.output.detail,
				     "    the tool's words\n    more\n"));
}
END_TEST

START_TEST(tool__leak_on_the_way_out_of_an_error_is_a_note)
{
	judge.tool = baseline.setup.tool = &tool;
	add_found(&faulted, CLAW_FINDING_HOST_LEAK, "load");
	IS_JUDGED(CLAW_SANITIZER, "host-leak in load");
	faulted.result.code = 3;
	IS_JUDGED(CLAW_HANDLED, "status 3");
	ck_assert_ptr_nonnull(strstr(judgement.output.detail,
		"note: not released at an error exit: host-leak in load"));
	judge.leak_check_all = true;
	IS_JUDGED(CLAW_SANITIZER, "host-leak in load");
}
END_TEST

START_TEST(tool__report_about_a_call_has_its_place)
{
	struct claw_judged_found found;

	baseline.setup.tool = &tool;
	add_found(&faulted, CLAW_FINDING_API_ERROR, "clFinish");
	claw_judged_found_compare(&baseline.runs[0], &faulted, true, &found);
	ck_assert_ptr_nonnull(found.text);
	ck_assert_pstr_eq(found.chain, "api-error in clFinish under sharp");
	ck_assert_ptr_null(strstr(found.text, ", at "));
	claw_judged_found_release(&found);
	/* Now that the call's site is known. */
	made_frame(&w.journal.made, "/lib/it.so");
	w.journal.made.site.commit = claw_journal_entry_commit(
		&w.journal.made.site, sizeof(w.journal.made.site), 1);
	w.journal.calls[0].site = 1;
	w.journal.calls[0].commit =
		claw_journal_record_commit(&w.journal.calls[0], 1);
	put_file("faulted/journal.1.0", &w.journal, sizeof(w.journal));
	read_run(&faulted, 1);
	claw_judged_found_compare(&baseline.runs[0], &faulted, true, &found);
	ck_assert_ptr_nonnull(strstr(found.text, ", at ?? (it.so+0x10)"));
	claw_judged_found_release(&found);
}
END_TEST

/* ---- what the journals say in words -------------------------------------- */

START_TEST(memory__that_took_long_is_told)
{
	struct claw_journal_record *event = &w.journal.made.event;
	char *text;

	for (int i = 0; i < 2; i++) {
		*event = (struct claw_journal_record){
			.thread = 1, .flags = (uint16_t)(CLAW_REC_SLOW |
				(i ? CLAW_REC_UNSURE : CLAW_REC_INJECTED)),
			.handle = made_string(&w.journal.made,
					      "Allocation of 4 bytes"),
		};
		event->commit = claw_journal_record_commit(event, 1);
		w.journal.made.header.events.used = 1;
		put_file("faulted/journal.1.0", &w.journal,
			 sizeof(w.journal));
		read_run(&faulted, 1);
		text = claw_evidence_slow(&faulted.evidence, 3);
		ck_assert_ptr_nonnull(text);
		ck_assert_str_eq(text, i ? "note: Allocation of 4 bytes\n" :
				 "clw-memory-timeout: Allocation of 4 bytes "
				 "(INJECTED)\n");
		free(text);
	}
	text = claw_evidence_slow(&baseline.runs[0].evidence, 3);
	ck_assert_pstr_eq(text, NULL);
}
END_TEST

START_TEST(misuse__of_a_dead_handle_is_told)
{
	struct claw_journal_record *event = &w.journal.made.event;

	*event = (struct claw_journal_record){
		.thread = 1, .api = MADE_FINISH, .flags = CLAW_REC_MISUSE,
		.result = -36,
	};
	event->commit = claw_journal_record_commit(event, 1);
	w.journal.made.header.events.used = 1;
	w.journal.made.header.misuse_count = 1;
	put_file("faulted/journal.1.0", &w.journal, sizeof(w.journal));
	read_run(&faulted, 1);
	IS_JUDGED(CLAW_MISUSE, "clFinish");
}
END_TEST

START_TEST(plan__that_the_layer_refused_is_no_pass)
{
	w.journal.made.header.plan_error_string =
		made_string(&w.journal.made, "column 3");
	w.journal.made.header.door_left_out = CLAW_DOOR_ICD;
	put_file("faulted/journal.1.0", &w.journal, sizeof(w.journal));
	put_file("faulted/journal.2.0", "no journal", 10);
	read_run(&faulted, 1);
	ck_assert_uint_eq(faulted.evidence.unreadable, 1);
	ck_assert_uint_eq(faulted.evidence.door_left_out, CLAW_DOOR_ICD);
	IS_JUDGED(CLAW_INFRA, "column 3");
}
END_TEST

/* ---- two runs' calls --------------------------------------------------- */

static void assert_differ(const char *words)
{
	char *text;

	read_run(&baseline.runs[1], 0);
	text = claw_evidence_compare(&baseline.runs[0].evidence,
				     &baseline.runs[1].evidence);
	if (!words)
		ck_assert_pstr_eq(text, NULL);
	else
		ck_assert_msg(text && strstr(text, words), "\"%s\" lacks "
			      "\"%s\"", text, words);
	free(text);
}

START_TEST(calls__of_two_runs_are_compared_but_for_repeats)
{
	assert_differ(NULL);
	put_call(MADE_FINISH, 1, 0);
	put_file("second/journal.1.0", &w.journal, sizeof(w.journal));
	assert_differ(NULL);
	put_call(MADE_LAUNCH, 1, 0);
	put_file("second/journal.1.0", &w.journal, sizeof(w.journal));
	assert_differ("clEnqueueNDRangeKernel");
}
END_TEST

START_TEST(calls__that_do_not_fit_are_compared_by_function)
{
	w.journal.made.header.calls.used = 100;	/* of 4 that it holds */
	put_file("first/journal.1.0", &w.journal, sizeof(w.journal));
	put_file("second/journal.1.0", &w.journal, sizeof(w.journal));
	read_run(&baseline.runs[0], 0);
	assert_differ(NULL);
	w.journal.thread.calls[MADE_BUILD] = 1;
	put_file("second/journal.1.0", &w.journal, sizeof(w.journal));
	assert_differ("clBuildProgram is called in only one");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("judged");
	TCase *all = tcase_create("all");

	tcase_add_checked_fixture(all, setup, teardown);
	tcase_add_test(all, run__with_the_same_result_is_handled);
	tcase_add_test(all,
		       run__with_another_result_is_told_by_its_difference);
	tcase_add_test(all,
		       run__shows_what_it_printed_without_what_is_left_out);
	tcase_add_loop_test(all, run__that_was_not_made_has_no_verdict, 0,
			    (int)(sizeof(not_made) / sizeof(*not_made)));
	tcase_add_test(all, run__whose_journals_do_not_tell_all_is_no_pass);
	tcase_add_test(all, run__without_a_known_guard_zone_is_no_pass);
	tcase_add_test(all, run__that_broke_a_guard_zone_is_a_finding);
	tcase_add_test(all, tool__report_only_with_the_fault_is_a_finding);
	tcase_add_test(all, tool__leak_on_the_way_out_of_an_error_is_a_note);
	tcase_add_test(all, tool__report_about_a_call_has_its_place);
	tcase_add_test(all, memory__that_took_long_is_told);
	tcase_add_test(all, misuse__of_a_dead_handle_is_told);
	tcase_add_test(all, plan__that_the_layer_refused_is_no_pass);
	tcase_add_test(all, calls__of_two_runs_are_compared_but_for_repeats);
	tcase_add_test(all, calls__that_do_not_fit_are_compared_by_function);
	suite_add_tcase(suite, all);
	return run_suite(suite);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A try at a case for tests, as if it had been run: how its process ended, what
 * its tool saw, what the layer's journal and its own report say. claw_test_try_judge()
 * is asked what that comes to.
 */
#ifndef JUDGING_MAKER_H
#define JUDGING_MAKER_H

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/cases/run/run_case.h"
#include "harness/cases/run/run_plan.h"
#include "journal_maker.h"

enum { MADE_CALLS = 4, MADE_RULES = 2 };

/* Functions of made journals, by their numbers. */
enum { MADE_LAUNCH, MADE_FINISH, MADE_BUILD, MADE_POLL, MADE_APIS };

struct judged_journal {
	struct made_journal made;
	struct claw_journal_thread thread;
	struct claw_journal_rule rules[MADE_RULES];
	struct claw_journal_record calls[MADE_CALLS];
};

static struct {
	char directory[64];
	struct claw_suite suite;
	struct claw_suite_case about;
	struct claw_under_row row;
	struct claw_under under;
	struct claw_test_selection selection;
	struct claw_test_case what;
	struct claw_session session;
	struct claw_test_try try;
	struct claw_run_result run;
	struct claw_findings seen;		/* by the tool */
	int read;				/* what its reader says */
	struct judged_journal journal;
	struct claw_test_outcome outcome;
} w;

static int read_seen(const struct claw_under_run *run,
		     struct claw_findings *findings)
{
	(void)run;
	for (size_t i = 0; w.read == 0 && i < w.seen.count; i++)
		claw_findings_add(findings,
				  &w.seen.items[i]);
	return w.read;
}

static inline char *path_of(const char *name)
{
	char *path = NULL;

	ck_assert_int_gt(asprintf(&path, "%s/%s", w.directory, name), 0);
	return path;
}

static inline void put_file(const char *name, const void *bytes, size_t size)
{
	char *path = path_of(name);
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(bytes, 1, size, out), size);
	ck_assert_int_eq(fclose(out), 0);
	free(path);
}

/* What the case's program says of itself. */
static inline void put_report(const char *text)
{
	put_file("report", text, strlen(text));
}

/* A layer that was there, and one call. */
static inline void begin_journal(void)
{
	struct judged_journal *journal = &w.journal;
	struct claw_journal_header *header = &journal->made.header;

	memset(journal, 0, sizeof(*journal));
	made_journal_init(&journal->made);
	header->file_bytes = sizeof(*journal);
	header->hooked_slots = 100;
	header->api_count = MADE_APIS;
	header->api_names_string = made_string(&journal->made,
		"clEnqueueNDRangeKernel\nclFinish\nclBuildProgram\n"
		"clGetEventInfo");
	header->threads = made_area(offsetof(struct judged_journal, thread),
				    sizeof(journal->thread), 1, 1);
	header->rules = made_area(offsetof(struct judged_journal, rules),
				  sizeof(*journal->rules), MADE_RULES, 0);
	header->calls = made_area(offsetof(struct judged_journal, calls),
				  sizeof(*journal->calls), MADE_CALLS, 0);
	header->record_mode = CLAW_RECORD_FULL;
	journal->thread.thread = 1;
	journal->thread.calls[MADE_FINISH] = 1;
}

/* One more call, of that queue. */
static inline void put_call(unsigned int api, uint64_t queue, uint16_t flags)
{
	struct claw_journal_area *area = &w.journal.made.header.calls;
	struct claw_journal_record *call = &w.journal.calls[area->used++];

	ck_assert_uint_le(area->used, MADE_CALLS);
	*call = (struct claw_journal_record){
		.api = (uint16_t)api, .handle = queue, .flags = flags,
		.thread = 1,
	};
	call->commit = claw_journal_record_commit(call, area->used);
	w.journal.thread.calls[api]++;
}

static inline void put_rule(uint64_t matched, uint64_t fired)
{
	struct claw_journal_area *area = &w.journal.made.header.rules;

	w.journal.rules[area->used++] = (struct claw_journal_rule){
		.armed = 1, .matched = matched, .fired = fired,
	};
}

static inline void put_journal(void)
{
	put_file("journal.4711.0", &w.journal, sizeof(w.journal));
}

static inline void put_seen(enum claw_finding_kind kind,
			    enum claw_address_space space, const char *file,
			    unsigned int line)
{
	const struct claw_finding one = {
		.kind = kind, .space = space, .line = line,
		.what = (char *)"it is wrong", .kernel = (char *)"k",
		.file = (char *)file, .text = (char *)"it is wrong\nthere\n",
		.times = 1,
	};

	claw_findings_add(&w.seen, &one);
}

static inline void set_err(const char *text)
{
	w.run.err.head = (char *)text;
	w.run.err.head_bytes = w.run.err.total_bytes = strlen(text);
}

/* A command that ended with 0, and whose call went through the layer. */
static inline void setup_judging(void)
{
	memset(&w, 0, sizeof(w));
	snprintf(w.directory, sizeof(w.directory), "/tmp/check-judging.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(w.directory));
	w.suite.name = (char *)"s";
	w.about = (struct claw_suite_case){
		.kind = CLAW_CASE_COMMAND, .name = (char *)"c",
		.test = (char *)"c",
	};
	w.row = (struct claw_under_row){
		.name = "sharp", .read = read_seen,
		.checks = UINT32_C(1) << CLAW_FINDING_INVALID_READ,
	};
	w.under.row = &w.row;
	w.what = (struct claw_test_case){
		.suite = &w.suite, .about = &w.about, .under = &w.under,
		.selection = &w.selection, .reproduce = "again",
	};
	w.session.directory = w.directory;
	w.try = (struct claw_test_try){
		.what = &w.what, .number = 1, .session = &w.session,
		.result_path = path_of("report"), .xml_path = path_of("xml"),
		.log_path = path_of("log"),
		.spec = { .timeout_ms = 2500 },
	};
	w.run.end = CLAW_END_EXIT;
	begin_journal();
	put_journal();
}

static inline void judge_anew(void)
{
	claw_test_outcome_release(&w.outcome);
	claw_test_try_judge(&w.try, &w.run, &w.outcome);
}

static inline void teardown_judging(void)
{
	claw_test_outcome_release(&w.outcome);
	claw_findings_release(&w.seen);
	claw_fault_plan_release(&w.try.plan);
	free(w.try.result_path);
	free(w.try.xml_path);
	free(w.try.log_path);
	free(w.about.expect.findings);
	claw_directory_remove(w.directory);
}

static inline void assert_result(size_t index, enum claw_verdict verdict,
				 const char *words, int line)
{
	const struct claw_result *result = &w.outcome.results[index];
	const char *message = result->message ? result->message : "";

	ck_assert_uint_lt(index, w.outcome.count);
	ck_assert_msg(result->verdict == verdict,
		      "line %d: got %s (%s), expected %s", line,
		      claw_verdict_name(result->verdict), message,
		      claw_verdict_name(verdict));
	ck_assert_msg(*words ? strstr(message, words) != NULL : !*message,
		      "line %d: \"%s\" lacks \"%s\"", line, message, words);
	ck_assert_msg((result->reproduce != NULL) ==
		      (strchr("fun", claw_verdict_class(verdict)) != NULL),
		      "line %d: reproduce %s", line, result->reproduce);
}

/* What it comes to, and words of its message ("": it has none). */
#define IS(verdict_, words_)						\
	(judge_anew(), assert_result(0, verdict_, words_, __LINE__))
#define CODE_IS(code_) ck_assert_pstr_eq(w.outcome.results[0].code, code_)
#define PLACE_IS(file_, line_)						\
	do {								\
		ck_assert_pstr_eq(w.outcome.results[0].file, file_);	\
		ck_assert_uint_eq(w.outcome.results[0].line, line_);	\
	} while (0)

#endif

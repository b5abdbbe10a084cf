/* SPDX-License-Identifier: Apache-2.0 */
/*
 * records.jsonl: what is written is read again, and a file that is torn,
 * damaged or somebody else's is never taken for a finished run. Then the
 * reports made of it.
 */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/records/records.h"
#include "harness/session/session.h"
#include "harness/base/text_clean.h"
#include "reports/write/report_files.h"
#include "suites/self/lib/run_suite.h"

static char directory[] = "/tmp/openclaw-records-XXXXXX";
static char records_path[PATH_MAX], start_directory[PATH_MAX];

static void setup(void)
{
	memcpy(strrchr(directory, '-') + 1, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_ptr_nonnull(getcwd(start_directory,
				     sizeof(start_directory)));
	snprintf(records_path, sizeof(records_path), "%s/records.jsonl",
		 directory);
}

static void teardown(void)
{
	ck_assert_int_eq(chdir(start_directory), 0);
	claw_directory_remove(directory);
}

/* What a reader was told, as text that can be compared. */
struct heard {
	char text[8192];
	size_t length;
	unsigned int results, ends;
};

__attribute__((format(printf, 2, 3)))
static void hear(struct heard *heard, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	heard->length += (size_t)vsnprintf(heard->text + heard->length,
		sizeof(heard->text) - heard->length, format, args);
	va_end(args);
	ck_assert_uint_lt(heard->length, sizeof(heard->text));
}

static const char *shown(const char *text)
{
	return text ? text : "-";
}

static void hear_plan(void *user, const char *verb, const char *command,
		      uint64_t planned, uint64_t seed, const char *started)
{
	ck_assert_uint_gt(strlen(started), 10);
	hear(user, "plan %s|%s|%" PRIu64 "|%" PRIu64 "\n", verb, command,
	     planned, seed);
}

static void hear_planned(void *user, const struct claw_planned *planned)
{
	hear(user, "planned %s|%s|%s|%s|%d|%d\n", shown(planned->suite),
	     shown(planned->name), shown(planned->configuration),
	     shown(planned->operand), planned->elsewhere, planned->many);
}

static void hear_comparison(void *user, const char *old, const char *started,
			    const char *text)
{
	hear(user, "comparison %s|%s|%s\n", shown(old), shown(started),
	     shown(text));
}

static void hear_change(void *user, const struct claw_change *change)
{
	hear(user, "change %s|%s|%s|%s|%s\n",
	     claw_change_kind_name(change->kind), shown(change->suite),
	     shown(change->name), shown(change->configuration),
	     shown(change->text));
}

static void hear_environment(void *user, const char *configuration,
			     const char *key, const char *value)
{
	hear(user, "environment %s|%s|%s\n", shown(configuration), shown(key),
	     shown(value));
}

/* The newer members, and only where there are any. */
static void hear_more(struct heard *heard, const struct claw_result *result)
{
	if (result->item || result->expects || result->seen || result->metrics)
		hear(heard, "more %s|%s|%s|%s\n", shown(result->item),
		     shown(result->expects), shown(result->seen),
		     shown(result->metrics));
	for (size_t i = 0; result->findings && i < result->findings->count;
	     i++) {
		const struct claw_finding *one = &result->findings->items[i];

		hear(heard, "finding %s|%s|%s|%s|%s:%u:%u|%s|%" PRIu64
		     "|%s|%u\n", claw_finding_kind_name(one->kind),
		     claw_space_name(one->space), one->what, one->kernel,
		     one->file, one->line, one->column, one->work_item,
		     one->size_bytes, one->text, one->times);
	}
}

static void hear_result(void *user, const struct claw_result *result)
{
	((struct heard *)user)->results++;
	hear(user, "result %s|%s|%s|%s|%" PRIu64 "|%s|%s|%s|%s:%u|%s|%s|%u|%d\n",
	     shown(result->suite), shown(result->name),
	     shown(result->configuration), claw_verdict_name(result->verdict),
	     result->duration_us, shown(result->fault), shown(result->message),
	     shown(result->detail), shown(result->file), result->line,
	     shown(result->code), shown(result->reproduce), result->attempt,
	     result->flaky);
	hear_more(user, result);
}

static void hear_rule(void *user, const char *rule, uint64_t matched,
		      uint64_t fired)
{
	hear(user, "rule %s|%" PRIu64 "|%" PRIu64 "\n", rule, matched, fired);
}

static void hear_note(void *user, const char *text)
{
	hear(user, "note %s\n", shown(text));
}

static void hear_end(void *user, int exit_status, bool cancelled)
{
	((struct heard *)user)->ends++;
	hear(user, "end %d|%d\n", exit_status, cancelled);
}

static const struct claw_records_visitor visitor = {
	.plan = hear_plan, .planned = hear_planned,
	.environment = hear_environment, .result = hear_result,
	.rule = hear_rule, .note = hear_note, .comparison = hear_comparison,
	.change = hear_change, .end = hear_end,
};

static const struct claw_result passed = {
	.suite = "kernel_memory", .name = "test_alignment",
	.verdict = CLAW_PASSED, .duration_us = 12, .attempt = 2, .flaky = true,
	.message = "passed on try 2 of 3",
};
static const struct claw_result failed = {
	.suite = "kernel_memory", .name = "test_concurrent_access",
	.configuration = "oclgrind", .verdict = CLAW_FAILED,
	.duration_us = 3000000, .fault = "clFinish:oom",
	.message = "got \x1b[31m<7> & \"8\"", .detail = "one\ntwo\x01\n",
	.file = "suites/check.c", .line = 77, .code = "clw-out-of-memory",
	.reproduce = "openclaw test --suite kernel_memory", .attempt = 1,
};

/* A run of both results; ended: with its end record. */
static void write_run(bool ended)
{
	char word0[] = "openclaw", word1[] = "test", word2[] = "it's a file";
	char *argv[] = { word0, word1, word2, NULL };
	struct claw_records *records = NULL;

	ck_assert_int_eq(claw_records_new(directory, "test", 3, argv, 2,
					  UINT64_MAX, &records), 0);
	ck_assert_int_eq(claw_records_environment(records, "native", "device",
						  "pocl"), 0);
	ck_assert_int_eq(claw_records_result(records, &passed), 0);
	ck_assert_int_eq(claw_records_rule(records, "clFinish:oom", 3, 1), 0);
	ck_assert_int_eq(claw_records_result(records, &failed), 0);
	ck_assert_int_eq(claw_records_note(records, "n\xc3\xb6te"), 0);
	if (ended)
		ck_assert_int_eq(claw_records_end(records, 1, false), 0);
	claw_records_free(records);
}

static const char whole_run[] =
	"plan test|openclaw test 'it'\\''s a file'|2|18446744073709551615\n"
	"environment native|device|pocl\n"
	"result kernel_memory|test_alignment|-|PASSED|12|-|"
	"passed on try 2 of 3|-|-:0|-|-|2|1\n"
	"rule clFinish:oom|3|1\n"
	"result kernel_memory|test_concurrent_access|oclgrind|FAILED|3000000|"
	"clFinish:oom|got \x1b[31m<7> & \"8\"|one\ntwo\x01\n|suites/check.c:77|"
	"clw-out-of-memory|openclaw test --suite kernel_memory|1|0\n"
	"note n\xc3\xb6te\n"
	"end 1|0\n";

static int read_run(struct heard *heard, bool *ret_complete,
		    uint64_t *ret_damaged)
{
	memset(heard, 0, sizeof(*heard));
	*ret_complete = false;
	*ret_damaged = 0;
	return claw_records_read(records_path, &visitor, heard, ret_complete,
				 ret_damaged);
}

/* The whole file; the caller frees it. */
static char *slurp(const char *path, size_t *ret_size)
{
	struct stat about;
	char *bytes;
	FILE *in = fopen(path, "rb");

	ck_assert_ptr_nonnull(in);
	ck_assert_int_eq(fstat(fileno(in), &about), 0);
	*ret_size = (size_t)about.st_size;
	bytes = calloc(*ret_size + 1, 1);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_uint_eq(fread(bytes, 1, *ret_size, in), *ret_size);
	fclose(in);
	return bytes;
}

static void spew(const char *path, const char *bytes, size_t size)
{
	FILE *out = fopen(path, "wb");

	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(bytes, 1, size, out), size);
	ck_assert_int_eq(fclose(out), 0);
}

START_TEST(records__what_is_written_is_read)
{
	struct heard heard;
	uint64_t damaged;
	bool complete;

	write_run(true);
	ck_assert_int_eq(read_run(&heard, &complete, &damaged), 0);
	ck_assert_str_eq(heard.text, whole_run);
	ck_assert(complete);
	ck_assert_uint_eq(damaged, 0);
}
END_TEST

START_TEST(records__without_an_end_is_incomplete)
{
	struct heard heard;
	uint64_t damaged;
	bool complete;

	write_run(false);
	ck_assert_int_eq(read_run(&heard, &complete, &damaged), 0);
	ck_assert(!complete);
	ck_assert_uint_eq(heard.results, 2);
	ck_assert_uint_eq(damaged, 0);
}
END_TEST

/* Cut after every byte: never complete, never damaged, only whole lines. */
START_TEST(records__torn_tail_is_ignored)
{
	struct heard heard;
	uint64_t damaged;
	size_t size;
	bool complete;
	char *bytes;

	write_run(true);
	bytes = slurp(records_path, &size);
	for (size_t cut = 0; cut < size; cut++) {
		size_t lines = 0;
		int ret;

		for (size_t i = 0; i < cut; i++)
			lines += bytes[i] == '\n';
		spew(records_path, bytes, cut);
		ret = read_run(&heard, &complete, &damaged);
		ck_assert_int_eq(ret, lines ? 0 : -CLAW_E_DAMAGED);
		ck_assert(!complete);
		ck_assert_uint_eq(damaged, 0);
		ck_assert_int_eq(memcmp(whole_run, heard.text, heard.length),
				 0);
	}
	free(bytes);
}
END_TEST

/* Flip a bit of every byte: what is heard is a part of the truth, and what
 * is missing is counted. */
START_TEST(records__flipped_bit_is_noticed)
{
	struct heard heard;
	uint64_t damaged;
	size_t size;
	bool complete;
	char *bytes;

	write_run(true);
	bytes = slurp(records_path, &size);
	for (size_t at = 0; at < size; at++) {
		int ret;

		bytes[at] ^= (char)(1 << at % 8);
		spew(records_path, bytes, size);
		ret = read_run(&heard, &complete, &damaged);
		bytes[at] ^= (char)(1 << at % 8);
		/* The last newline torn off is a torn tail. */
		if (ret == 0)
			ck_assert_msg(damaged > 0 || !complete,
				      "byte %zu: nobody noticed", at);
		else
			ck_assert_int_eq(ret, -CLAW_E_DAMAGED);
		ck_assert_uint_lt(heard.length, sizeof(whole_run) - 1);
	}
	free(bytes);
}
END_TEST

START_TEST(records__missing_and_repeated_lines_are_counted)
{
	struct heard heard;
	uint64_t damaged;
	size_t size;
	bool complete;
	char *bytes, *second, *third, *copy;

	write_run(true);
	bytes = slurp(records_path, &size);
	second = strchr(bytes, '\n') + 1;
	third = strchr(second, '\n') + 1;
	copy = malloc(2 * size);
	ck_assert_ptr_nonnull(copy);

	memcpy(copy, bytes, (size_t)(second - bytes));
	memcpy(copy + (second - bytes), third, size - (size_t)(third - bytes));
	spew(records_path, copy, size - (size_t)(third - second));
	ck_assert_int_eq(read_run(&heard, &complete, &damaged), 0);
	ck_assert_uint_eq(damaged, 1);

	memcpy(copy, bytes, (size_t)(third - bytes));
	memcpy(copy + (third - bytes), second, size - (size_t)(second - bytes));
	spew(records_path, copy, size + (size_t)(third - second));
	ck_assert_int_eq(read_run(&heard, &complete, &damaged), 0);
	ck_assert_uint_eq(damaged, 1);
	ck_assert_str_eq(heard.text, whole_run);
	free(copy);
	free(bytes);
}
END_TEST

START_TEST(records__no_records_is_an_error)
{
	static const char *const texts[] = {
		"", "\n", "{}\n", "not json\n", "\0\0\0\n",
		"{\"v\":1,\"n\":0,\"t\":\"plan\",\"crc\":\"00000000\"}\n",
	};
	struct heard heard;
	uint64_t damaged;
	bool complete;

	ck_assert_int_eq(read_run(&heard, &complete, &damaged), -CLAW_E_IO);
	ck_assert_int_eq(errno, ENOENT);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		spew(records_path, texts[i], i == 4 ? 4 : strlen(texts[i]));
		ck_assert_int_eq(read_run(&heard, &complete, &damaged),
				 -CLAW_E_DAMAGED);
	}
}
END_TEST

/* What cannot be written is not forgotten: no later record, and not the end,
 * can make the run look whole. */
START_TEST(records__failed_write_is_remembered)
{
	char word[] = "openclaw", *argv[] = { word, NULL };
	struct claw_records *records = NULL;
	struct rlimit limit;
	uint64_t damaged;
	struct heard heard;
	bool complete;
	int ret = 0;

	ck_assert_int_eq(claw_records_new(directory, "test", 1, argv, 0, 0,
					  &records), 0);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = 1000;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int i = 0; i < 100 && ret == 0; i++)
		ret = claw_records_note(records, "a note of some length");
	ck_assert_int_eq(ret, -CLAW_E_IO);
	ck_assert_int_eq(errno, EFBIG);
	limit.rlim_cur = limit.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(claw_records_end(records, 0, false), -CLAW_E_IO);
	ck_assert_int_eq(errno, EFBIG);
	claw_records_free(records);
	ck_assert_int_eq(read_run(&heard, &complete, &damaged), 0);
	ck_assert(!complete);
}
END_TEST

START_TEST(text__bytes_that_are_no_text_are_shown)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *text;
	} rows[] = {
		{ "plain", 5, "plain" },
		{ "a\0b", 3, "a#x00b" },
		{ "\xff\xfe", 2, "#xFF#xFE" },
		{ "\xc3\xa4", 2, "\xc3\xa4" },
		{ "\xc3", 1, "#xC3" },
		{ "\xc0\xaf", 2, "#xC0#xAF" },		/* overlong */
		{ "\xed\xa0\x80", 3, "#xED#xA0#x80" },	/* surrogate */
		{ "\xf4\x90\x80\x80", 4, "#xF4#x90#x80#x80" },
		{ "\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80" },
		{ "\xe2\x82", 2, "#xE2#x82" },
		{ "\x1b[0m", 4, "\x1b[0m" },		/* XML's business */
		{ "", 0, "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *exact = malloc(rows[i].size ? rows[i].size : 1);
		char *text;

		ck_assert_ptr_nonnull(exact);
		memcpy(exact, rows[i].bytes, rows[i].size);
		text = claw_text_clean(exact, rows[i].size);
		ck_assert_str_eq(text, rows[i].text);
		free(text);
		free(exact);
	}
}
END_TEST

START_TEST(verdict__names_and_classes_agree)
{
	for (int i = 0; i < CLAW_VERDICT_COUNT; i++) {
		const char *name = claw_verdict_name((enum claw_verdict)i);

		ck_assert_int_eq(claw_verdict_find(name), i);
		ck_assert_ptr_nonnull(strchr("pfsun", claw_verdict_class(
			(enum claw_verdict)i)));
	}
	ck_assert_int_eq(claw_verdict_find("pass"), -1);
	ck_assert_int_eq(claw_verdict_class(CLAW_NOT_INJECTED), 'u');
	ck_assert_int_eq(claw_verdict_class(CLAW_INFRA), 'u');
}
END_TEST

/* ---- the output directory -------------------------------------------- */

static int open_output(const char *requested, bool force, char **ret_path)
{
	char error[PATH_MAX + 256];
	int ret = claw_output_open(requested, "test", force, ret_path, error,
				   sizeof(error));

	ck_assert((ret < 0) == (error[0] != '\0'));
	ck_assert_ptr_null(strchr(error, '\n'));
	return ret;
}

START_TEST(output__default_has_a_latest)
{
	char *first = NULL, *second = NULL, target[PATH_MAX];
	ssize_t length;

	ck_assert_int_eq(chdir(directory), 0);
	ck_assert_int_eq(open_output(NULL, false, &first), 0);
	ck_assert_int_eq(open_output(NULL, false, &second), 0);
	ck_assert_str_ne(first, second);
	ck_assert_int_eq(access(first, W_OK), 0);
	length = readlink("openclaw-out/latest", target, sizeof(target) - 1);
	ck_assert_int_gt(length, 0);
	target[length] = '\0';
	ck_assert_str_eq(target, second + strlen("openclaw-out/"));
	free(first);
	free(second);
}
END_TEST

START_TEST(output__finished_is_replaced_and_strangers_files_stay)
{
	char *path = NULL, mine[PATH_MAX], theirs[PATH_MAX];

	snprintf(mine, sizeof(mine), "%s/junit.xml", directory);
	snprintf(theirs, sizeof(theirs), "%s/notes.txt", directory);
	write_run(true);
	spew(mine, "x", 1);
	spew(theirs, "x", 1);
	ck_assert_int_eq(open_output(directory, false, &path), 0);
	ck_assert_int_lt(access(mine, F_OK), 0);
	ck_assert_int_lt(access(records_path, F_OK), 0);
	ck_assert_int_eq(access(theirs, F_OK), 0);
	free(path);
}
END_TEST

START_TEST(output__unfinished_wants_force)
{
	char *path = NULL;

	write_run(false);
	ck_assert_int_eq(open_output(directory, false, &path), -CLAW_E_USAGE);
	ck_assert_int_eq(access(records_path, F_OK), 0);
	ck_assert_int_eq(open_output(directory, true, &path), 0);
	ck_assert_int_lt(access(records_path, F_OK), 0);
	free(path);
}
END_TEST

START_TEST(output__in_use_is_refused)
{
	char word[] = "openclaw", *argv[] = { word, NULL };
	struct claw_records *records = NULL;
	char *path = NULL;

	ck_assert_int_eq(claw_records_new(directory, "test", 1, argv, 0, 0,
					  &records), 0);
	ck_assert_int_eq(open_output(directory, true, &path), -CLAW_E_USAGE);
	claw_records_free(records);
	ck_assert_int_eq(open_output(directory, true, &path), 0);
	free(path);
}
END_TEST

START_TEST(output__somebody_elses_is_refused)
{
	char *path = NULL, theirs[PATH_MAX];

	snprintf(theirs, sizeof(theirs), "%s/thesis.tex", directory);
	spew(theirs, "x", 1);
	ck_assert_int_eq(open_output(directory, true, &path), -CLAW_E_USAGE);
	spew(records_path, "a log of my own\n", 16);
	ck_assert_int_eq(open_output(directory, true, &path), -CLAW_E_USAGE);
	ck_assert_int_eq(access(records_path, F_OK), 0);
	ck_assert_int_eq(open_output(theirs, true, &path), -CLAW_E_USAGE);
	snprintf(theirs, sizeof(theirs), "%s/thesis.tex/below", directory);
	ck_assert_int_eq(open_output(theirs, false, &path), -CLAW_E_IO);
}
END_TEST

START_TEST(output__is_made_with_its_parents)
{
	char *path = NULL, deep[PATH_MAX];

	snprintf(deep, sizeof(deep), "%s/a/b/c", directory);
	ck_assert_int_eq(open_output(deep, false, &path), 0);
	ck_assert_str_eq(path, deep);
	ck_assert_int_eq(access(deep, W_OK), 0);
	free(path);
}
END_TEST

/* ---- plans, findings, comparisons -------------------------------------- */

static char kernel[] = "copy", source[] = "b.clw", item[] = "8,0,0",
	    report_text[] = "one\ntwo", words[] = "Invalid write";
static struct claw_finding write_finding = {
	.kind = CLAW_FINDING_INVALID_WRITE, .space = CLAW_SPACE_GLOBAL,
	.what = words, .kernel = kernel, .file = source, .line = 2,
	.column = 9, .work_item = item, .size_bytes = 4, .text = report_text,
	.times = 3,
};
static struct claw_findings one_finding = { &write_finding, 1 };

/* Two cases under oclgrind, one of them with a planted bug, compared. */
static void write_newer_run(enum claw_verdict verdict)
{
	static const struct claw_planned planned[] = {
		{ .suite = "s", .name = "a", .configuration = "oclgrind",
		  .operand = "k/a.clw" },
		{ .suite = "s", .name = "lib", .elsewhere = true,
		  .many = true },
	};
	struct claw_result result = {
		.suite = "s", .name = "a_bug", .configuration = "oclgrind",
		.verdict = verdict, .attempt = 1, .item = "lib",
		.expects = "invalid-write global 2", .seen = "invalid-write",
		.metrics = "kernel_ms=0.3", .findings = &one_finding,
	};
	char word[] = "openclaw", *argv[] = { word, NULL };
	struct claw_records *records = NULL;

	ck_assert_int_eq(claw_records_new(directory, "test", 1, argv, 2, 0,
					  &records), 0);
	ck_assert_int_eq(claw_records_planned(records, &planned[0]), 0);
	ck_assert_int_eq(claw_records_planned(records, &planned[1]), 0);
	ck_assert_int_eq(claw_records_result(records, &result), 0);
	result = (struct claw_result){ .suite = "s", .name = "a",
		.configuration = "oclgrind", .verdict = CLAW_PASSED };
	ck_assert_int_eq(claw_records_result(records, &result), 0);
	ck_assert_int_eq(claw_records_comparison(records, "old", "then",
						 NULL), 0);
	ck_assert_int_eq(claw_records_change(records, &(struct claw_change){
		.kind = CLAW_CHANGE_NEWLY_FAILING, .suite = "s", .name = "a",
		.text = "was well" }), 0);
	ck_assert_int_eq(claw_records_end(records, 0, false), 0);
	claw_records_free(records);
}

static const char newer_run[] =
	"plan test|openclaw|2|0\n"
	"planned s|a|oclgrind|k/a.clw|0|0\n"
	"planned s|lib|-|-|1|1\n"
	"result s|a_bug|oclgrind|PASSED|0|-|-|-|-:0|-|-|1|0\n"
	"more lib|invalid-write global 2|invalid-write|kernel_ms=0.3\n"
	"finding invalid-write|global|Invalid write|copy|b.clw:2:9|8,0,0|4|"
	"one\ntwo|3\n"
	"result s|a|oclgrind|PASSED|0|-|-|-|-:0|-|-|1|0\n"
	"comparison old|then|-\n"
	"change newly failing|s|a|-|was well\n"
	"end 0|0\n";

START_TEST(records__plans_findings_and_changes_are_read)
{
	struct heard heard;
	bool complete;
	uint64_t damaged;

	write_newer_run(CLAW_PASSED);
	ck_assert_int_eq(read_run(&heard, &complete, &damaged), 0);
	ck_assert_str_eq(heard.text, newer_run);
	ck_assert_uint_eq(damaged, 0);
}
END_TEST

START_TEST(result__copy_owns_its_findings)
{
	struct claw_result result = { .name = "a", .findings = &one_finding,
				      .expects = "race" }, copy;

	claw_result_copy(&result, &copy);
	ck_assert_ptr_ne(copy.findings, result.findings);
	ck_assert_ptr_ne(copy.findings->items[0].kernel, kernel);
	ck_assert_str_eq(copy.findings->items[0].kernel, kernel);
	ck_assert_str_eq(copy.expects, "race");
	claw_result_release(&copy);
	ck_assert_ptr_null(copy.findings);
}
END_TEST

START_TEST(change__names_are_found_again)
{
	for (int i = 0; i < CLAW_CHANGE_KIND_COUNT; i++)
		ck_assert_int_eq(claw_change_kind_find(
			claw_change_kind_name((enum claw_change_kind)i)), i);
	ck_assert_int_eq(claw_change_kind_find("better"), -1);
}
END_TEST

/* ---- reports --------------------------------------------------------- */

/* The report as text; the caller frees it. */
static char *report(const char *format)
{
	static const struct claw_report_head options = {
		.source_root = "/nowhere",
	};
	struct claw_report_head head;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	ck_assert_ptr_nonnull(claw_report_find(format));
	ck_assert_int_eq(claw_report_write(directory, claw_report_find(format),
					   out, &options, &head), 0);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

static void expect_in(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "lacks: %s\nin:\n%s", part,
		      text);
}

START_TEST(report__text_has_a_block_a_suite_and_tool)
{
	char *text;

	write_run(true);
	text = report("text");
	ck_assert_str_eq(text,
		"Test Suite: kernel_memory\n"
		"  test_alignment                     PASSED\n"
		"      passed on try 2 of 3\n"
		"=============================\n"
		"Results: 1/1 tests PASSED, 1 flaky\n"
		"\n"
		"Test Suite: kernel_memory [oclgrind]\n"
		"  test_concurrent_access             FAILED\n"
		"      suites/check.c:77: got #x1B[31m<7> & \"8\"\n"
		"      code: clw-out-of-memory\n"
		"      one\n"
		"      two#x01\n"
		"      reproduce: openclaw test --suite kernel_memory\n"
		"=============================\n"
		"Results: 0/1 tests PASSED, 1 FAILED\n"
		"\n"
		"                                      native  oclgrind\n"
		"kernel_memory/test_alignment          PASSED  -\n"
		"kernel_memory/test_concurrent_access  -       FAILED\n");
	free(text);
}
END_TEST

START_TEST(report__incomplete_says_so_in_every_format)
{
	static const char *const rows[][2] = {
		{ "text", "Incomplete: 2 of 2" }, { "tap", "Bail out!" },
		{ "junit", "run_is_complete" },
		{ "json", "\"complete\": false" },
		{ "summary", "**Incomplete:**" },
		{ "matrix", "Incomplete: 2 of 2" },
		{ "detection", "**Incomplete: 2 of 2" },
	};

	write_run(false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *text = report(rows[i][0]);

		expect_in(text, rows[i][1]);
		free(text);
	}
}
END_TEST

START_TEST(report__finding_shows_its_source_line)
{
	static const char source_text[] = "/* 1 */\n\tout[\tid] = \x1b;\n";
	char path[PATH_MAX], *text;

	ck_assert_int_eq(chdir(directory), 0);
	snprintf(path, sizeof(path), "%s/b.clw", directory);
	spew(path, source_text, sizeof(source_text) - 1);
	write_newer_run(CLAW_FAILED);
	text = report("text");
	expect_in(text, "      invalid-write of 4 bytes in copy (b.clw:2:9), "
		  "work-item 8,0,0, 3 times: Invalid write [global memory]\n"
		  "            2 | out[    id] = #x1B;\n"
		  "              |           ^\n");
	free(text);
	text = report("junit");
	expect_in(text, "2 | out[    id] = #x1B;\n");
	free(text);
	text = report("json");
	expect_in(text, "\"work_item\": \"8,0,0\"");
	expect_in(text, "\"change\": \"newly failing\"");
	free(text);
	text = report("summary");
	expect_in(text, "- newly failing: s/a: was well\n");
	free(text);
}
END_TEST

START_TEST(report__finding_without_source_is_shown)
{
	char *text;

	ck_assert_int_eq(chdir(directory), 0);
	write_newer_run(CLAW_FAILED);
	text = report("text");
	expect_in(text, "invalid-write of 4 bytes in copy (b.clw:2:9)");
	ck_assert_ptr_null(strstr(text, " 2 | "));
	free(text);
}
END_TEST

START_TEST(report__detection_has_bugs_twins_and_totals)
{
	char *text;

	write_newer_run(CLAW_PASSED);
	text = report("detection");
	expect_in(text, "\n| case | expected | oclgrind |\n"
		  "| --- | --- | --- |\n"
		  "| s/a\\_bug | invalid-write global 2 | line 2 |\n");
	expect_in(text, "\n| s/a | silent |\n");
	expect_in(text, "\n| invalid-write | 1 of 1 |\n");
	expect_in(text, "\n- caught by no tool: 0\n");
	expect_in(text, "\n- fixed versions with findings: 0\n");
	free(text);
}
END_TEST

START_TEST(report__tap_has_its_plan_first)
{
	char *text;

	write_run(true);
	text = report("tap");
	ck_assert_int_eq(strncmp(text, "1..2\nok 1 - kernel_memory "
				 "test_alignment\n", 40), 0);
	expect_in(text, "\nnot ok 2 - kernel_memory [oclgrind] "
		  "test_concurrent_access\n");
	expect_in(text, "\n# got #x1B[31m<7>");
	free(text);
}
END_TEST

START_TEST(report__junit_shows_illegal_bytes)
{
	char *text;

	write_run(true);
	text = report("junit");
	expect_in(text, "#x1B[31m&lt;7&gt; &amp; &quot;8&quot;");
	expect_in(text, "two#x01");
	expect_in(text, "classname=\"kernel_memory@oclgrind\"");
	expect_in(text, "tests=\"2\" failures=\"1\" errors=\"0\"");
	ck_assert_ptr_null(strchr(text, '\x1b'));
	free(text);
}
END_TEST

START_TEST(report__formats_are_complete)
{
	for (size_t i = 0; claw_report_rows[i].name; i++) {
		const struct claw_report_format *format =
			claw_report_rows[i].format;

		ck_assert_ptr_eq(claw_report_find(claw_report_rows[i].name), format);
		ck_assert_ptr_nonnull(format->summary);
		ck_assert(format->begin && format->result && format->end);
	}
	ck_assert_ptr_null(claw_report_find("pdf"));
}
END_TEST

START_TEST(report__all_files_are_written_whole)
{
	static const struct claw_report_head options;
	char path[PATH_MAX];
	struct stat about;

	write_run(true);
	ck_assert_int_eq(claw_report_write_all(directory, &options), 0);
	snprintf(path, sizeof(path), "%s/junit.xml", directory);
	ck_assert_int_eq(stat(path, &about), 0);
	ck_assert_int_gt(about.st_size, 0);
	snprintf(path, sizeof(path), "%s/summary.md", directory);
	ck_assert_int_eq(stat(path, &about), 0);
	snprintf(path, sizeof(path), "%s/junit.xml.part", directory);
	ck_assert_int_lt(stat(path, &about), 0);
}
END_TEST

START_TEST(report__paths_are_relative_to_the_source)
{
	static const struct claw_report_head head = { .source_root = "/src" };
	static const char *const rows[][2] = {
		{ "/src/a/b.c", "a/b.c" }, { "/srcs/b.c", "/srcs/b.c" },
		{ "../../suites/b.c", "suites/b.c" }, { "b.c", "b.c" },
		{ "/src//b.c", "b.c" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ck_assert_str_eq(claw_report_path(&head, rows[i][0]),
				 rows[i][1]);
}
END_TEST

START_TEST(report__long_texts_keep_head_and_tail)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	claw_report_lines(out, "  ", "1\n2\n3\n4\n5\n6\n\n", 4);
	claw_report_lines(out, "  ", "a\n\nb", 4);
	claw_report_lines(out, "  ", "c", 4);
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_str_eq(text, "  1\n  2\n  ... 2 lines omitted ...\n  5\n  6\n"
			 "  a\n\n  b\n  c\n");
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("records");
	TCase *records = tcase_create("records");
	TCase *output = tcase_create("output");
	TCase *reports = tcase_create("reports");

	tcase_set_timeout(records, 60);
	tcase_add_checked_fixture(records, setup, teardown);
	tcase_add_test(records, records__what_is_written_is_read);
	tcase_add_test(records, records__without_an_end_is_incomplete);
	tcase_add_test(records, records__torn_tail_is_ignored);
	tcase_add_test(records, records__flipped_bit_is_noticed);
	tcase_add_test(records, records__missing_and_repeated_lines_are_counted);
	tcase_add_test(records, records__no_records_is_an_error);
	tcase_add_test(records, records__failed_write_is_remembered);
	tcase_add_test(records, records__plans_findings_and_changes_are_read);
	tcase_add_test(records, result__copy_owns_its_findings);
	tcase_add_test(records, change__names_are_found_again);
	tcase_add_test(records, text__bytes_that_are_no_text_are_shown);
	tcase_add_test(records, verdict__names_and_classes_agree);
	suite_add_tcase(suite, records);
	tcase_add_checked_fixture(output, setup, teardown);
	tcase_add_test(output, output__default_has_a_latest);
	tcase_add_test(output,
		       output__finished_is_replaced_and_strangers_files_stay);
	tcase_add_test(output, output__unfinished_wants_force);
	tcase_add_test(output, output__in_use_is_refused);
	tcase_add_test(output, output__somebody_elses_is_refused);
	tcase_add_test(output, output__is_made_with_its_parents);
	suite_add_tcase(suite, output);
	tcase_add_checked_fixture(reports, setup, teardown);
	tcase_add_test(reports, report__text_has_a_block_a_suite_and_tool);
	tcase_add_test(reports, report__incomplete_says_so_in_every_format);
	tcase_add_test(reports, report__finding_shows_its_source_line);
	tcase_add_test(reports, report__finding_without_source_is_shown);
	tcase_add_test(reports, report__detection_has_bugs_twins_and_totals);
	tcase_add_test(reports, report__tap_has_its_plan_first);
	tcase_add_test(reports, report__junit_shows_illegal_bytes);
	tcase_add_test(reports, report__formats_are_complete);
	tcase_add_test(reports, report__all_files_are_written_whole);
	tcase_add_test(reports, report__paths_are_relative_to_the_source);
	tcase_add_test(reports, report__long_texts_keep_head_and_tail);
	suite_add_tcase(suite, reports);
	return run_suite(suite);
}

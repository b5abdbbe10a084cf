/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of kernels on the host: maps, files of probes, which file a text is
 * of, and what becomes of the counters.
 */
#include "config.h"

#include <check.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/cover/coverage.h"
#include "harness/cover/coverage_baseline.h"
#include "harness/base/errors.h"
#include "harness/readers/probe_reader.h"
#include "suites/self/lib/probe_maker.h"
#include "suites/self/lib/run_suite.h"

static struct made_probes made;
static struct claw_probe_map map;
static char error[256], folder[64];

static void setup(void)
{
	made_probes_init(&made, CLAW_PROBE_COUNT);
	snprintf(folder, sizeof(folder), "/tmp/check-coverage.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void teardown(void)
{
	claw_directory_remove(folder);
}

/* Of folder; kept until the next call. */
static const char *in_folder(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void put(const char *name, const void *bytes, size_t size)
{
	FILE *out = fopen(in_folder(name), "wb");

	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(bytes, 1, size, out), size);
	ck_assert_int_eq(fclose(out), 0);
}

static void put_text(const char *name, const char *text)
{
	put(name, text, strlen(text));
}

/* ---- maps ---------------------------------------------------------------- */

#define HEAD "openclaw-map 1\ncounters 3\naccesses 2\nfile 0 <source>\n"

static int parse(const char *text)
{
	return claw_probe_map_parse(text, strlen(text), "m", &map, error,
				    sizeof(error));
}

START_TEST(test_a_map)
{
	ck_assert_int_eq(parse(HEAD "file 1 a b%0A%25.h\n"
		"function 2 1 5 9 blur\nline 1 7 0+2-1\n"
		"branch 0 3 0 1 1 ?:\nfuture thing\nkernel blur 2 2\n"
		"access 1 0 3 9 read global 4 blur in in[i + 1]\n"
		"plain thrice 0 20 it takes a pipe\n"), 0);
	ck_assert_str_eq(map.files[1], "a b\n%.h");
	ck_assert_str_eq(map.functions[0].name, "blur");
	ck_assert_uint_eq(map.functions[0].last_line, 9);
	ck_assert_uint_eq(map.lines[0].runs.count, 3);
	ck_assert(map.terms[map.lines[0].runs.first + 2].is_minus);
	ck_assert_str_eq(map.branches[0].kind, "?:");
	ck_assert_str_eq(map.kernels[0], "blur");
	ck_assert_str_eq(claw_probe_map_access(&map, 1)->text, "in[i + 1]");
	ck_assert_ptr_null(claw_probe_map_access(&map, 0));
	ck_assert_str_eq(map.plain[0].reason, "it takes a pipe");
	claw_probe_map_release(&map);
}
END_TEST

START_TEST(test_maps_that_are_none)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "", "m:1: expected \"openclaw-map 1\"" },
		{ "openclaw-map 2\n", "m:1: expected \"openclaw-map 1\"" },
		{ HEAD "line 1 2 0\n", "m:5: expected a file's number" },
		{ HEAD "line 0 2 3\n", "m:5: expected counters below 3" },
		{ HEAD "line 0 2 0+\n", "m:5: expected counters joined" },
		{ HEAD "line 0 2 0*1\n", "m:5: expected counters joined" },
		{ "openclaw-map 1\nfile 0 x\nline 0 1 7\ncounters 7\n",
		  "m:3: expected counters below 7" },
		{ HEAD "line 0 -2 0\n", "m:5: expected a line" },
		{ HEAD "line 0 2\n", "m:5: expected counters" },
		{ HEAD "function 3 0 1 1 k\n", "m:5: expected counters below 3" },
		{ HEAD "file 2 x\n", "m:5: expected file 1" },
		{ HEAD "access 2 0 1 1 read global 4 k - x\n",
		  "m:5: expected accesses below 2" },
		{ HEAD "access 1 0 1 1 read\n", "m:5: expected an address" },
		{ HEAD "counters 99999999\n", "m:5: expected a number of" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ck_assert_msg(parse(cases[i].text) == -CLAW_E_SYNTAX,
			      "case %zu was taken", i);
		ck_assert_msg(strncmp(error, cases[i].error,
				      strlen(cases[i].error)) == 0,
			      "case %zu: \"%s\"", i, error);
	}
}
END_TEST

/* ---- files of probes ------------------------------------------------------ */

static struct claw_probe_file file;

static int read_made(size_t size)
{
	return claw_probe_file_read_memory(&made, size, &file);
}

START_TEST(test_counters)
{
	uint32_t count = 9;

	made_probes_set(&made, 2, 7);
	made.parts[1] = made.parts[0];
	made.parts[1].counters_base = 2;
	made.header.parts = 2;
	ck_assert_int_eq(read_made(sizeof(made)), 0);
	ck_assert(claw_probe_counter(&file, 0, 2, &count));
	ck_assert_uint_eq(count, 7);
	ck_assert(claw_probe_counter(&file, 1, 0, &count));
	ck_assert_uint_eq(count, 7);
	ck_assert(!claw_probe_counter(&file, 0, MADE_WORDS, &count));
	claw_probe_file_release(&file);

	made_probes_init(&made, CLAW_PROBE_HIT);
	made_probes_set(&made, 33, 7);
	ck_assert_int_eq(read_made(sizeof(made)), 0);
	ck_assert(claw_probe_counter(&file, 0, 33, &count));
	ck_assert_uint_eq(count, 1);
	ck_assert(claw_probe_counter(&file, 0, 1, &count));
	ck_assert_uint_eq(count, 0);
	claw_probe_file_release(&file);
}
END_TEST

START_TEST(test_accesses_of_parts)
{
	size_t part;
	uint32_t number;

	made.header.parts = 3;
	made.parts[1] = made.parts[2] = made.parts[0];
	made.parts[1].accesses_base = 10;
	made.parts[2].accesses_base = 5;
	ck_assert_int_eq(read_made(sizeof(made)), 0);
	ck_assert(claw_probe_access(&file, 12, &part, &number));
	ck_assert_uint_eq(part, 1);
	ck_assert_uint_eq(number, 2);
	ck_assert(claw_probe_access(&file, 9, &part, &number));
	ck_assert_uint_eq(part, 2);
	ck_assert_uint_eq(number, 4);
	claw_probe_file_release(&file);
}
END_TEST

START_TEST(test_damaged_probes)
{
	ck_assert_int_eq(read_made(sizeof(made) - 8), 0);
	ck_assert_uint_eq(file.damaged, 2);
	claw_probe_file_release(&file);
	made.header.parts = 2;		/* the second has no key */
	ck_assert_int_eq(read_made(sizeof(made)), 0);
	ck_assert_uint_eq(file.damaged, 1);
	ck_assert_uint_eq(file.header.parts, 1);
	claw_probe_file_release(&file);
	memset(made.header.why, '\n', sizeof(made.header.why));
	ck_assert_int_eq(read_made(sizeof(made)), 0);
	ck_assert_uint_eq(strlen(file.header.why), sizeof(made.header.why) - 1);
	ck_assert_ptr_null(strchr(file.header.why, '\n'));
	claw_probe_file_release(&file);
	ck_assert_int_eq(read_made(100), -CLAW_E_DAMAGED);
	made.header.parts = CLAW_PROBE_PARTS + 1;
	ck_assert_int_eq(read_made(sizeof(made)), -CLAW_E_DAMAGED);
	made.header.parts = 1;
	made.header.version++;
	ck_assert_int_eq(read_made(sizeof(made)), -CLAW_E_VERSION);
}
END_TEST

/* ---- whose text it is ----------------------------------------------------- */

static struct claw_source_finder *finder;
static struct claw_source_places places;

#define BLUR "__kernel void blur(void)\n{\n\tint a = 1;\n}\n"
#define COPY "__kernel void copy_all(void)\n{\n\tint b = 2;\n}\n"

static void look_for(const char *text)
{
	finder = claw_source_finder_new(folder);
	ck_assert_ptr_nonnull(finder);
	claw_source_finder_add(finder, in_folder("src"));
	ck_assert_int_eq(claw_source_find(finder, text, strlen(text), "key",
					  &places), 0);
}

static void assert_at(unsigned int line, const char *name, unsigned int there)
{
	unsigned int found;
	const char *path = claw_source_place(&places, line, &found);

	ck_assert_ptr_nonnull(path);
	ck_assert_str_eq(path, in_folder(name));
	ck_assert_uint_eq(found, there);
}

static void forget(void)
{
	claw_source_places_release(&places);
	claw_source_finder_free(finder);
}

static void put_sources(void)
{
	mkdir(in_folder("src"), 0777);
	put_text("src/blur.cl", BLUR);
	put_text("src/copy.cl", COPY "\n");
	put_text("src/whole.clw", "/*!\n[config]\n!*/\n\n" COPY "more\n");
}

START_TEST(test_a_file)
{
	put_sources();
	look_for(BLUR);
	assert_at(3, "src/blur.cl", 3);
	forget();
}
END_TEST

START_TEST(test_a_part_of_a_file)
{
	put_sources();
	unlink(in_folder("src/copy.cl"));
	look_for("\n\n\n\n" COPY);
	assert_at(7, "src/whole.clw", 7);
	forget();
	look_for(COPY);
	assert_at(3, "src/whole.clw", 7);
	forget();
}
END_TEST

START_TEST(test_several_files_and_more)
{
	put_sources();
	look_for("#define N 4\n" BLUR "#define M 5\n" COPY);
	assert_at(4, "src/blur.cl", 3);
	assert_at(9, "src/copy.cl", 3);
	assert_at(1, "kernel-texts/key.cl", 1);
	assert_at(6, "kernel-texts/key.cl", 6);
	forget();
}
END_TEST

START_TEST(test_most_of_a_file)
{
	put_sources();
	put_text("src/program.py", "import cl\ncl.build(\"\"\"\n"
		 "__kernel void shade(__global float *out)\n{\n"
		 "\tout[0] = 1;\n\tout[1] = WIDTH;\n\tout[2] = 1;\n}\n\"\"\"\n");
	look_for("__kernel void shade(__global float *out)\n{\n"
		 "\tout[0] = 1;\n\tout[1] = WIDTH;\n\tout[2] = 1;\n}\n"
		 "__constant int never_the_same = 4711;\n");
	assert_at(3, "src/program.py", 5);
	assert_at(7, "kernel-texts/key.cl", 7);
	forget();
}
END_TEST

#define LONG_HEAD "__kernel void fold(__global float *sum, int n)\n{\n"
#define LONG_BODY "\tfloat all = 0;\n\tfor (int i = 0; i < n; i++)\n" \
	"\t\tall += sum[i] * sum[i];\n"
#define LONG_TAIL "\tsum[0] = all;\n}\n"
#define LONG LONG_HEAD LONG_BODY LONG_TAIL

/* Lines that tell something are looked up, not searched for. */
START_TEST(test_a_part_with_long_lines)
{
	put_sources();
	put_text("src/a.py", "SOURCE = \"\"\"" LONG "\"\"\"\n");
	put_text("src/b.py", "import numpy\nSOURCE = \"\"\"" LONG "\"\"\"\n");
	put_text("src/c.cl", LONG_HEAD LONG_BODY LONG_BODY LONG_TAIL);
	put_text("src/d.cl", LONG_HEAD LONG_BODY "\tsum[1] = all;\n}\n");
	look_for("\n" LONG);
	assert_at(2, "src/a.py", 1);
	assert_at(6, "src/a.py", 5);
	forget();
}
END_TEST

/* The second time a line is in a file it is the text's. */
START_TEST(test_a_part_whose_line_is_there_twice)
{
	put_sources();
	put_text("src/e.cl", LONG_BODY LONG);
	look_for(LONG);
	assert_at(5, "src/e.cl", 8);
	forget();
}
END_TEST

/* The largest file that is in a text, wherever its longest line is. */
START_TEST(test_long_files_in_a_text)
{
	put_sources();
	put_text("src/part.cl", LONG_BODY);
	put_text("src/fold.cl", LONG);
	put_text("src/tail.cl", LONG_TAIL "/* as it was */");
	look_for("/* generated */\n" LONG "int between;\n" LONG_TAIL
		 "/* as it was */\n" LONG_BODY);
	assert_at(1, "kernel-texts/key.cl", 1);
	assert_at(5, "src/fold.cl", 4);
	assert_at(9, "kernel-texts/key.cl", 9);
	assert_at(10, "src/tail.cl", 1);
	assert_at(14, "src/part.cl", 2);
	forget();
}
END_TEST

START_TEST(test_no_file)
{
	put_sources();
	look_for("__kernel void nobody(__global int *p) { *p = 1; }\n");
	assert_at(1, "kernel-texts/key.cl", 1);
	ck_assert_int_eq(access(in_folder("kernel-texts/key.cl"), R_OK), 0);
	forget();
}
END_TEST

/* ---- sums ----------------------------------------------------------------- */

static struct claw_coverage coverage;
static struct claw_session session;

#define MAP "openclaw-map 1\ncounters 4\naccesses 0\nfile 0 <source>\n" \
	"function 0 0 1 4 blur\nline 0 1 0\nline 0 3 0-1\nline 0 4 1+2\n" \
	"branch 0 3 7 0 1 if\nbranch 0 3 7 1 0-1 if\nbranch 0 3 9 0 3 ?:\n" \
	"branch 0 3 9 1 3 ?:\n"

static void put_session(const char *text)
{
	char request[512];

	snprintf(request, sizeof(request), "openclaw-instrument 1\n"
		 "directory %s\nsource %zu\n%s\n", folder, strlen(text), text);
	mkdir(in_folder("blobs"), 0777);
	put_text("blobs/" MADE_KEY ".map", MAP);
	put_text("blobs/" MADE_KEY ".request", request);
	session.directory = folder;
}

static void begin_coverage(void)
{
	put_sources();
	put_session(BLUR);
	claw_coverage_init(&coverage, folder);
	claw_source_finder_add(coverage.finder, in_folder("src"));
}

static const struct claw_coverage_file *add_session(void)
{
	ck_assert_int_eq(claw_coverage_add(&coverage, &session), 0);
	return coverage.count ? &coverage.files[0] : NULL;
}

START_TEST(test_counts_add_up)
{
	const struct claw_coverage_file *one;

	begin_coverage();
	made_probes_set(&made, 0, 5);
	made_probes_set(&made, 1, 2);
	put("probes.1.0.0", &made, sizeof(made));
	put("probes.1.0.1", &made, sizeof(made));
	one = add_session();
	ck_assert_ptr_nonnull(one);
	ck_assert_str_eq(one->path, in_folder("src/blur.cl"));
	ck_assert_uint_eq(one->line_count, 3);
	ck_assert_uint_eq(one->lines[0].runs, 10);
	ck_assert_uint_eq(one->lines[1].runs, 6);
	ck_assert_uint_eq(one->lines[2].runs, 4);
	ck_assert_uint_eq(one->functions[0].runs, 10);
	ck_assert_uint_eq(one->branch_count, 4);
	ck_assert_uint_eq(one->branches[0].block, 0);
	ck_assert_uint_eq(one->branches[0].taken, 4);
	ck_assert_uint_eq(one->branches[1].taken, 6);
	ck_assert(one->branches[1].is_reached);
	ck_assert_uint_eq(one->branches[2].block, 1);
	ck_assert(!one->branches[2].is_reached);
	ck_assert_uint_eq(coverage.programs, 2);
	ck_assert_uint_eq(coverage.launches, 2);
	ck_assert_ptr_null(coverage.gap);
	ck_assert_ptr_null(claw_coverage_why_nothing(&coverage));
	claw_coverage_release(&coverage);
}
END_TEST

START_TEST(test_a_full_counter)
{
	const struct claw_coverage_file *one;

	begin_coverage();
	made_probes_set(&made, 0, UINT32_MAX);
	made_probes_set(&made, 1, UINT32_MAX);
	put("probes.1.0.0", &made, sizeof(made));
	one = add_session();
	ck_assert_ptr_nonnull(one);
	ck_assert_uint_ge(one->lines[1].runs, 1);
	claw_coverage_release(&coverage);
}
END_TEST

static void assert_gap(const char *words)
{
	char *why;

	add_session();
	why = claw_coverage_why_not_all(&coverage);
	ck_assert_ptr_nonnull(why);
	ck_assert_msg(strstr(why, words), "\"%s\" is not in \"%s\"",
		      words, why);
	free(why);
	claw_coverage_release(&coverage);
}

START_TEST(test_what_is_missing_is_said)
{
	begin_coverage();
	made.header.pending = 3;
	put("probes.1.0.0", &made, sizeof(made));
	assert_gap("before 3 launches had written");
	begin_coverage();
	put("probes.1.0.0", &made, sizeof(made));
	put("probes.1.0.1", &made, sizeof(made));
	made.header.pid++;
	put("probes.2.0.0", &made, sizeof(made));
	made.header.pid--;
	assert_gap("2 processes ended before 9 launches had written");
	begin_coverage();
	made.header.pending = 0;
	put("probes.1.0.0", &made, sizeof(made) - MADE_WORDS * 4);
	assert_gap("is damaged: counters are missing");
	begin_coverage();
	put("probes.1.0.0", &made, sizeof(made));
	unlink(in_folder("blobs/" MADE_KEY ".map"));
	assert_gap(".map: No such file");
	begin_coverage();
	put("probes.1.0.0", "short", 5);
	assert_gap("probes.1.0.0");
}
END_TEST

START_TEST(test_no_probes)
{
	char *why;

	begin_coverage();
	made.header.state = CLAW_PROBE_REFUSED;
	made.header.launches = 0;
	made.header.plain_kernel = 2;
	snprintf(made.header.why, sizeof(made.header.why), "a.cl:3:1: a pipe");
	put("probes.1.0.0", &made, sizeof(made));
	ck_assert_ptr_null(add_session());
	why = claw_coverage_why_nothing(&coverage);
	ck_assert_ptr_nonnull(why);
	ck_assert_ptr_nonnull(strstr(why, "a.cl:3:1: a pipe"));
	free(why);
	claw_coverage_release(&coverage);
}
END_TEST

/* ---- an earlier run ------------------------------------------------------- */

START_TEST(test_compared)
{
	struct claw_code_lines before = { .items = NULL };
	struct claw_coverage_change change;
	char text[512];

	begin_coverage();
	made_probes_set(&made, 0, 1);
	put("probes.1.0.0", &made, sizeof(made));
	add_session();
	snprintf(text, sizeof(text), "TN:\nSF:%s\nDA:1,0\nDA:3,0\nDA:4,2\n"
		 "DA:77,1\nend_of_record\n", in_folder("src/blur.cl"));
	ck_assert_int_eq(claw_tracefile_parse(text, strlen(text), "t", &before,
					      error, sizeof(error)), 0);
	claw_coverage_compare(&coverage, NULL, &before, &change);
	ck_assert_str_eq(change.files, "");
	ck_assert_uint_eq(change.covered_count, 2);
	ck_assert_uint_eq(change.uncovered_count, 1);
	ck_assert_ptr_nonnull(strstr(change.covered, "blur.cl:1,3\n"));
	ck_assert_ptr_nonnull(strstr(change.uncovered, "blur.cl:4\n"));
	claw_coverage_change_release(&change);
	claw_code_lines_release(&before);
	claw_coverage_release(&coverage);
}
END_TEST

/* A file that has gone is lost, one that is new is no change; a text of no
 * file is the same in another folder. */
START_TEST(test_files_of_one_run)
{
	static const char old[] =
		"SF:/a/gone.cl\nDA:1,2\nDA:2,0\nDA:3,1\nend_of_record\n"
		"SF:/a/kernel-texts/k.cl\nDA:1,1\nend_of_record\n"
		"SF:/host.c\nDA:5,1\nend_of_record\n";
	static const char new[] =
		"SF:/b/kernel-texts/k.cl\nDA:1,1\nend_of_record\n"
		"SF:/host.c\nDA:5,0\nend_of_record\n";
	struct claw_code_lines before = { .items = NULL };
	struct claw_code_lines host = { .items = NULL };
	struct claw_coverage_change change;
	char text[512];

	begin_coverage();
	made_probes_set(&made, 0, 1);
	put("probes.1.0.0", &made, sizeof(made));
	add_session();
	ck_assert_int_eq(claw_tracefile_parse(old, strlen(old), "t", &before,
					      error, sizeof(error)), 0);
	ck_assert_int_eq(claw_tracefile_parse(new, strlen(new), "t", &host,
					      error, sizeof(error)), 0);
	claw_coverage_compare(&coverage, &host, &before, &change);
	snprintf(text, sizeof(text), "/a/gone.cl: in the baseline (2 lines had "
		 "run), not in this run\n%s: not in the baseline\n",
		 in_folder("src/blur.cl"));
	ck_assert_str_eq(change.files, text);
	ck_assert_uint_eq(change.covered_count, 0);
	ck_assert_uint_eq(change.uncovered_count, 3);
	ck_assert_str_eq(change.uncovered, "/a/gone.cl:1,3\n/host.c:5\n");
	claw_coverage_change_release(&change);
	claw_code_lines_release(&before);
	claw_code_lines_release(&host);
	claw_coverage_release(&coverage);
}
END_TEST

START_TEST(test_tracefiles_that_are_none)
{
	static const char *const texts[] = {
		"", "hello\n", "DA:1,1\n", "SF:/a\nDA:x,1\n", "SF:\nDA:1,1\n",
		"SF:/a\nDA:1\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct claw_code_lines lines = { .items = NULL };

		ck_assert_int_eq(claw_tracefile_parse(texts[i],
			strlen(texts[i]), "t", &lines, error, sizeof(error)),
			-CLAW_E_SYNTAX);
		ck_assert_ptr_nonnull(strstr(error, ": expected "));
		claw_code_lines_release(&lines);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("coverage");
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, test_a_map);
	tcase_add_test(tcase, test_maps_that_are_none);
	tcase_add_test(tcase, test_counters);
	tcase_add_test(tcase, test_accesses_of_parts);
	tcase_add_test(tcase, test_damaged_probes);
	tcase_add_test(tcase, test_a_file);
	tcase_add_test(tcase, test_a_part_of_a_file);
	tcase_add_test(tcase, test_a_part_with_long_lines);
	tcase_add_test(tcase, test_a_part_whose_line_is_there_twice);
	tcase_add_test(tcase, test_long_files_in_a_text);
	tcase_add_test(tcase, test_several_files_and_more);
	tcase_add_test(tcase, test_most_of_a_file);
	tcase_add_test(tcase, test_no_file);
	tcase_add_test(tcase, test_counts_add_up);
	tcase_add_test(tcase, test_a_full_counter);
	tcase_add_test(tcase, test_what_is_missing_is_said);
	tcase_add_test(tcase, test_no_probes);
	tcase_add_test(tcase, test_compared);
	tcase_add_test(tcase, test_files_of_one_run);
	tcase_add_test(tcase, test_tracefiles_that_are_none);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}

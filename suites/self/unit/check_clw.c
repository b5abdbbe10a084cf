/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel files' headers: what is accepted and what becomes of it, and that
 * each mistake is told by its line and column. The two lists are in
 * clw_good.h and clw_bad.h.
 */
#include "config.h"

#include "harness/cases/clw/clw.h"

#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suites/self/lib/clw_bad.h"
#include "suites/self/lib/clw_good.h"
#include "suites/self/lib/run_suite.h"
#include "harness/cases/clw/clw_values.h"
#include "harness/base/errors.h"

static struct claw_clw *clw;
static struct claw_clw_error error;

static void setup(void)
{
	clw = NULL;
	memset(&error, 0, sizeof(error));
}

static void teardown(void)
{
	claw_clw_free(clw);
}

static int parse(const char *path, const char *text)
{
	return claw_clw_parse(path, text, strlen(text), &clw, &error);
}

/* ---- a file in one line ---------------------------------------------- */

static void say_arg(FILE *out, const char *way, const struct claw_clw_arg *arg)
{
	static const char *const kinds[] = {
		"value", "buffer", "image", "sampler", "local",
	};
	static const char *const fills[] = {
		"", "random", "null", "undefined",
	};
	const unsigned char *bytes = arg->data;

	fprintf(out, "; %s %u %s", way, arg->index, kinds[arg->kind]);
	if (arg->kind == CLAW_CLW_SAMPLER) {
		fprintf(out, " %d %#x %#x", arg->sampler.is_normalized,
			arg->sampler.addressing, arg->sampler.filter);
		return;
	}
	fprintf(out, " %s%u[%zu] %zu %s", claw_clw_base_name(arg->type.base),
		arg->type.width, arg->count, arg->size_bytes, fills[arg->fill]);
	for (size_t i = 0; bytes && i < arg->size_bytes && i < 48; i++)
		fprintf(out, "%02x", bytes[i]);
	if (arg->kind == CLAW_CLW_IMAGE)
		fprintf(out, " %zux%zu %#x %#x", arg->image.width,
			arg->image.height, arg->image.channel_order,
			arg->image.channel_type);
	if (arg->tolerance > 0)
		fprintf(out, " +-%g", arg->tolerance);
	if (arg->tolerance_ulp)
		fprintf(out, " +-%" PRIu64 "ulp", arg->tolerance_ulp);
	if (arg->has_guard)
		fprintf(out, " guard %zu", arg->guard_bytes);
	if (arg->is_sub_buffer)
		fprintf(out, " offset %zu", arg->offset_bytes);
	if (arg->has_alias)
		fprintf(out, " alias %u", arg->alias);
	if (arg->is_freed)
		fprintf(out, " freed");
	if (arg->mem_flags)
		fprintf(out, " flags %#" PRIx64, arg->mem_flags);
}

static void say_sizes(FILE *out, const char *what, const size_t sizes[3])
{
	fprintf(out, " %s %zu,%zu,%zu", what, sizes[0], sizes[1], sizes[2]);
}

static void say_words(FILE *out, const char *what, char *const *words)
{
	for (; words && *words; words++)
		fprintf(out, " %s %s", what, *words);
}

static void say_test(FILE *out, const struct claw_clw_test *test)
{
	fprintf(out, "%s:%u %s %u", test->case_name, test->line,
		test->kernel ? test->kernel : "-", test->dimensions);
	say_sizes(out, "global", test->global);
	if (test->has_local)
		say_sizes(out, "local", test->local);
	if (test->has_offset)
		say_sizes(out, "offset", test->offset);
	if (test->name)
		fprintf(out, " name \"%s\"", test->name);
	if (test->expect_fail)
		fprintf(out, " fails");
	if (test->timeout_ms)
		fprintf(out, " timeout %" PRIu64, test->timeout_ms);
	if (test->repeat != 1)
		fprintf(out, " repeat %u", test->repeat);
	if (test->guard_bytes != CLAW_CLW_GUARD_BYTES)
		fprintf(out, " guard %zu", test->guard_bytes);
	if (test->expect_fault)
		fprintf(out, " fault %s", test->expect_fault);
	if (test->xfail)
		fprintf(out, " xfail \"%s\"", test->xfail);
	if (test->xfail_driver)
		fprintf(out, " on \"%s\"", test->xfail_driver);
	say_words(out, "tag", test->tags);
	for (size_t i = 0; i < test->expected_count; i++) {
		char *text = claw_expected_finding_text(&test->expected[i]);

		fprintf(out, " %s %s",
			test->expected[i].is_optional ? "allow" : "expect",
			text);
		free(text);
	}
	for (size_t i = 0; i < test->in_count; i++)
		say_arg(out, "in", &test->in[i]);
	for (size_t i = 0; i < test->out_count; i++)
		say_arg(out, "out", &test->out[i]);
}

static char *say_file(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	if (strcmp(clw->name, "a") != 0)
		fprintf(out, "\"%s\" ", clw->name);
	if (clw->clc_version_min || clw->clc_version_max)
		fprintf(out, "clc %u..%u ", clw->clc_version_min,
			clw->clc_version_max);
	if (clw->platform_regex)
		fprintf(out, "platform \"%s\" ", clw->platform_regex);
	if (clw->device_regex)
		fprintf(out, "device \"%s\" ", clw->device_regex);
	say_words(out, "has", clw->platform_extensions);
	say_words(out, "needs", clw->device_extensions);
	if (clw->build_options)
		fprintf(out, "options \"%s\" ", clw->build_options);
	if (clw->needs_images)
		fprintf(out, "images ");
	if (clw->expect_build_fail)
		fprintf(out, "no build ");
	for (size_t i = 0; i < clw->test_count; i++) {
		fprintf(out, "%s", i ? " | " : "");
		say_test(out, &clw->tests[i]);
	}
	fclose(out);
	return text;
}

/* ---- the lists ------------------------------------------------------- */

START_TEST(good__file_is_read)
{
	const char *path = good[_i].path ? good[_i].path : "a.clw";
	int ret = parse(path, good[_i].text);
	char *said;

	ck_assert_msg(ret == 0, "%s: %s", good[_i].name, error.message);
	said = say_file();
	ck_assert_msg(strcmp(said, good[_i].said) == 0,
		      "%s: got\n%s\nexpected\n%s", good[_i].name, said,
		      good[_i].said);
	free(said);
}
END_TEST

START_TEST(bad__mistake_is_told_by_its_place)
{
	const char *path = bad[_i].path ? bad[_i].path : "a.clw";
	int ret = parse(path, bad[_i].text);
	int wanted = bad[_i].ret ? bad[_i].ret : -CLAW_E_SYNTAX;

	ck_assert_msg(ret == wanted, "%s: %d %s", bad[_i].name, ret,
		      error.message);
	ck_assert_msg(strcmp(error.message, bad[_i].message) == 0,
		      "%s: got\n%s\nexpected\n%s", bad[_i].name, error.message,
		      bad[_i].message);
}
END_TEST

START_TEST(bad__list_is_as_long_as_the_good_one)
{
	ck_assert_uint_ge(sizeof(bad) / sizeof(bad[0]),
			  sizeof(good) / sizeof(good[0]));
}
END_TEST

/* ---- sources --------------------------------------------------------- */

START_TEST(source__of_a_comment_file_is_the_whole_file)
{
	static const char text[] = "int x;\n/*!\n[config]\n!*/\n"
		"kernel void k() {}\n";

	ck_assert_int_eq(parse("a.cl", text), 0);
	ck_assert_str_eq(clw->source, text);
	ck_assert_str_eq(clw->source_path, "a.cl");
}
END_TEST

START_TEST(source__of_a_program_test_keeps_its_lines)
{
	ck_assert_int_eq(parse("d/a.program_test", "[config]\nname: x\n"
		"[program source]\nkernel void k()\n{}\n[test]\n"
		"kernel_name: k\n"), 0);
	ck_assert_str_eq(clw->source, "\n\n\nkernel void k()\n{}\n");
	ck_assert_uint_eq(clw->test_count, 1);
}
END_TEST

START_TEST(source__of_another_file_is_beside_it)
{
	char directory[] = "/tmp/check-clw.XXXXXX", path[64], source[64];
	FILE *out;

	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/a.program_test", directory);
	snprintf(source, sizeof(source), "%s/b.inc", directory);
	out = fopen(path, "w");
	fputs("[config]\nprogram_source_file: b.inc\n", out);
	fclose(out);
	ck_assert_int_eq(claw_clw_read(path, &clw, &error), -CLAW_E_SYNTAX);
	ck_assert_ptr_nonnull(strstr(error.message, "a.program_test:2:22: "
				     "expected a source that can be read"));
	out = fopen(source, "w");
	fputs("kernel void k() {}\n", out);
	fclose(out);
	ck_assert_int_eq(claw_clw_read(path, &clw, &error), 0);
	unlink(path);
	unlink(source);
	rmdir(directory);
	ck_assert_str_eq(clw->source, "kernel void k() {}\n");
	ck_assert_str_eq(clw->source_path, source);
}
END_TEST

/* ---- files ----------------------------------------------------------- */

START_TEST(file__missing_is_told)
{
	ck_assert_int_eq(claw_clw_read("/proc/nonexistent.clw", &clw, &error),
			 -CLAW_E_IO);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_str_eq(error.message,
			 "/proc/nonexistent.clw: No such file or directory");
}
END_TEST

START_TEST(file__directory_is_told)
{
	ck_assert_int_eq(claw_clw_read("/tmp", &clw, &error), -CLAW_E_IO);
	ck_assert_str_eq(error.message, "/tmp: Is a directory");
}
END_TEST

START_TEST(file__device_is_refused_at_once)
{
	ck_assert_int_eq(claw_clw_read("/dev/zero", &clw, &error), -CLAW_E_IO);
}
END_TEST

START_TEST(file__over_the_limit_is_refused)
{
	char path[] = "/tmp/check-clw.XXXXXX";
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, 17 << 20), 0);
	close(fd);
	ck_assert_int_eq(claw_clw_read(path, &clw, &error), -CLAW_E_LIMIT);
	unlink(path);
	ck_assert_ptr_nonnull(strstr(error.message, ": expected a file of at "
				     "most 16 MiB, found a larger one"));
}
END_TEST

START_TEST(file__nul_byte_is_told_by_its_place)
{
	static const char text[] = "/*!\n[config]\n\0!*/\n";

	ck_assert_int_eq(claw_clw_parse("a.clw", text, sizeof(text) - 1, &clw,
					&error), -CLAW_E_SYNTAX);
	ck_assert_str_eq(error.message,
			 "a.clw:3:1: expected text, found a NUL byte");
}
END_TEST

START_TEST(file__too_many_tests_are_refused)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "/*!\n[config]\nkernel_name: k\n");
	for (int i = 0; i < 10001; i++)
		fprintf(out, "[test]\nname: a\n");
	fprintf(out, "!*/\n");
	fclose(out);
	ck_assert_int_eq(parse("a.clw", text), -CLAW_E_LIMIT);
	ck_assert_str_eq(error.message, "a.clw:20004:1: expected at most "
			 "10000 tests in a file, found more");
	free(text);
}
END_TEST

START_TEST(file__many_namesakes_get_numbers)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "/*!\n[config]\nkernel_name: k\n");
	for (int i = 0; i < 10000; i++)
		fprintf(out, "[test]\nname: %s\n", i ? "a" : "a.2");
	fprintf(out, "!*/\n");
	fclose(out);
	ck_assert_int_eq(parse("a.clw", text), 0);
	ck_assert_str_eq(clw->tests[0].case_name, "a.a.2");
	ck_assert_str_eq(clw->tests[1].case_name, "a.a");
	ck_assert_str_eq(clw->tests[2].case_name, "a.a.3");
	ck_assert_str_eq(clw->tests[9999].case_name, "a.a.10000");
	ck_assert_ptr_eq(claw_clw_find(clw, "a.a.77"), &clw->tests[76]);
	ck_assert_ptr_null(claw_clw_find(clw, "a.b"));
	free(text);
}
END_TEST

/* ---- half ------------------------------------------------------------ */

START_TEST(half__every_one_survives)
{
	for (unsigned int bits = 0; bits < 0x10000; bits++) {
		double value = claw_half_to_double((uint16_t)bits);

		if (isnan(value))
			ck_assert(isnan(claw_half_to_double(
				claw_half_from_double(value))));
		else
			ck_assert_uint_eq(claw_half_from_double(value), bits);
	}
}
END_TEST

START_TEST(half__is_rounded_to_nearest_even)
{
	for (unsigned int bits = 0; bits < 0x7bff; bits++) {
		double low = claw_half_to_double((uint16_t)bits);
		double high = claw_half_to_double((uint16_t)(bits + 1));
		double middle = (low + high) / 2;	/* exact */

		ck_assert_uint_eq(claw_half_from_double(middle),
				  bits + (bits & 1));
		ck_assert_uint_eq(claw_half_from_double(
			nextafter(middle, 0)), bits);
		ck_assert_uint_eq(claw_half_from_double(
			nextafter(middle, INFINITY)), bits + 1);
		ck_assert_uint_eq(claw_half_from_double(-middle),
				  0x8000 | (bits + (bits & 1)));
	}
	ck_assert_uint_eq(claw_half_from_double(65519.99), 0x7bff);
	ck_assert_uint_eq(claw_half_from_double(65520), 0x7c00);
	ck_assert_uint_eq(claw_half_from_double(-1e300), 0xfc00);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("clw");
	TCase *tests = tcase_create("clw");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, good__file_is_read, 0,
			    sizeof(good) / sizeof(good[0]));
	tcase_add_loop_test(tests, bad__mistake_is_told_by_its_place, 0,
			    sizeof(bad) / sizeof(bad[0]));
	tcase_add_test(tests, bad__list_is_as_long_as_the_good_one);
	tcase_add_test(tests, source__of_a_comment_file_is_the_whole_file);
	tcase_add_test(tests, source__of_a_program_test_keeps_its_lines);
	tcase_add_test(tests, source__of_another_file_is_beside_it);
	tcase_add_test(tests, file__missing_is_told);
	tcase_add_test(tests, file__directory_is_told);
	tcase_add_test(tests, file__device_is_refused_at_once);
	tcase_add_test(tests, file__over_the_limit_is_refused);
	tcase_add_test(tests, file__nul_byte_is_told_by_its_place);
	tcase_add_test(tests, file__too_many_tests_are_refused);
	tcase_add_test(tests, file__many_namesakes_get_numbers);
	tcase_add_test(tests, half__every_one_survives);
	tcase_add_test(tests, half__is_rounded_to_nearest_even);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}

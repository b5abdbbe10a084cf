/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw bisect: which side of a slowdown made-up times are on, and which
 * finding of a run is the one that is wanted.
 */
#include "config.h"

#include "harness/bisect/bisect.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/text_list.h"
#include "harness/bisect/bisect_found.h"
#include "suites/self/lib/run_suite.h"

/* ---- times ---------------------------------------------------------------- */

/* Milliseconds of one case in each run, up to 0; and of another, 1 ms always. */
static json_t *timed(const int *ms)
{
	json_t *runs = json_array();

	for (; *ms; ms++)
		json_array_append_new(runs, json_pack("{s:i, s:i}", "a",
						      *ms * 1000, "b", 1000));
	return json_pack("{s:s, s:o}", "answer", "measured", "times", runs);
}

static const char *limits_of(const int *good, const int *bad,
			     struct claw_bisect_limits *limits)
{
	static char error[256];
	json_t *of_good = timed(good), *of_bad = timed(bad);

	error[0] = '\0';
	memset(limits, 0, sizeof(*limits));
	claw_bisect_limits_init(limits, of_good, of_bad, 20, error,
				sizeof(error));
	json_decref(of_good);
	json_decref(of_bad);
	return error;
}

START_TEST(times__ends_must_differ_clearly)
{
	static const struct {
		int good[6], bad[6];
		const char *error;
	} rows[] = {
		{ { 50, 51, 52, 53, 54 }, { 70, 71, 72, 73, 74 }, "" },
		{ { 50, 51, 52, 53, 70 }, { 70, 71, 72, 73, 74 }, "overlap" },
		{ { 50, 51, 52, 53, 90 }, { 70, 71, 72, 73, 74 }, "overlap" },
		{ { 50, 51, 52, 53, 54 }, { 55, 56, 57, 58, 59 }, "not slower" },
		{ { 70, 71, 72, 73, 74 }, { 50, 51, 52, 53, 54 }, "not slower" },
		{ { 1, 1, 1, 1, 1 }, { 2, 2, 2, 2, 2 }, "not slower" },
		{ { 0 }, { 70, 71 }, "no case passed" },
		{ { 70, 71 }, { 0 }, "no case passed" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct claw_bisect_limits limits;
		const char *error = limits_of(rows[i].good, rows[i].bad,
					      &limits);

		ck_assert_msg(*rows[i].error ?
			      strstr(error, rows[i].error) != NULL : !*error,
			      "row %zu: %s", i, error);
		claw_bisect_limits_release(&limits);
	}
}
END_TEST

START_TEST(times__one_of_five_may_be_an_outlier)
{
	static const int good[] = { 50, 51, 52, 53, 54, 0 };
	static const int bad[] = { 90, 91, 92, 93, 94, 0 };
	static const struct {
		int ms[7];
		const char *answer;
	} rows[] = {
		{ { 50, 50, 50, 50, 50 }, "good" },
		{ { 50, 50, 50, 50, 99 }, "good" },
		{ { 50, 50, 50, 99, 99 }, "skip" },
		{ { 50, 50, 99, 99, 99 }, "skip" },
		{ { 50, 99, 99, 99, 99 }, "bad" },
		{ { 99, 99, 99, 99, 99 }, "bad" },
		{ { 50, 99 }, "skip" },
		{ { 99 }, "bad" },
		{ { 0 }, "skip" },
	};
	struct claw_bisect_limits limits;

	ck_assert_str_eq(limits_of(good, bad, &limits), "");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		json_t *object = timed(rows[i].ms);

		claw_bisect_times_answer(&limits, object);
		ck_assert_msg(claw_bisect_is(object, rows[i].answer),
			      "row %zu: %s", i, claw_bisect_text(object, "why"));
		json_decref(object);
	}
	claw_bisect_limits_release(&limits);
}
END_TEST

START_TEST(times__a_case_that_did_not_pass_is_no_answer)
{
	static const int good[] = { 50, 51, 0 }, bad[] = { 90, 91, 0 };
	struct claw_bisect_limits limits;
	json_t *object = timed(good);

	ck_assert_str_eq(limits_of(good, bad, &limits), "");
	json_object_del(json_array_get(json_object_get(object, "times"), 1), "a");
	claw_bisect_times_answer(&limits, object);
	ck_assert(claw_bisect_is(object, "skip"));
	json_decref(object);
	claw_bisect_limits_release(&limits);
}
END_TEST

/* ---- findings ------------------------------------------------------------- */

static char what[] = "Invalid write of size 4", kernel[] = "blur";
static char none[] = "";

/* A case with a finding at that line of that file. */
static bool has(const char *wanted, char *file, unsigned int line,
		char *const *keys, char ***ret_keys)
{
	struct claw_finding finding = {
		.kind = CLAW_FINDING_INVALID_WRITE, .what = what,
		.kernel = kernel, .file = file, .line = line,
		.work_item = none, .text = none, .size_bytes = 4, .times = 1,
	};
	struct claw_findings findings = { &finding, 1 };
	struct claw_result result = {
		.suite = "bounds", .name = "edges", .verdict = CLAW_FAILED,
		.findings = &findings,
	};
	const struct claw_past_run run = {
		.results = &result, .result_count = 1,
	};

	return claw_bisect_found_has(&run, wanted, keys, ret_keys);
}

START_TEST(findings__are_known_by_what_people_see_of_them)
{
	char here[] = "/home/x/kernels/blur.cl";

	ck_assert(has("invalid-write", here, 12, NULL, NULL));
	ck_assert(has("invalid-write in blur (kernels/blur.cl:7)", here, 12, NULL,
		      NULL));
	ck_assert(has("invalid-write of 4 bytes in blur", here, 12, NULL, NULL));
	ck_assert(has("Invalid write of size 8", here, 12, NULL, NULL));
	ck_assert(has("bounds/edges", here, 12, NULL, NULL));
	ck_assert(!has("invalid-read", here, 12, NULL, NULL));
	ck_assert(!has("bounds/middle", here, 12, NULL, NULL));
	ck_assert(!has("0123456789abcdef", here, 12, NULL, NULL));
}
END_TEST

START_TEST(findings__stay_the_same_when_lines_and_folders_change)
{
	char here[] = "/home/x/kernels/blur.cl";
	char there[] = "/tmp/tree/kernels/blur.cl", other[] = "kernels/sharp.cl";
	char **keys = NULL;

	ck_assert(has("/home/x/kernels", here, 12, NULL, &keys));
	ck_assert_ptr_nonnull(keys);
	ck_assert(!has("/home/x/kernels", there, 99, NULL, NULL));
	ck_assert(has("/home/x/kernels", there, 99, keys, NULL));
	ck_assert(!has("/home/x/kernels", other, 12, keys, NULL));
	claw_list_free(keys);
}
END_TEST

START_TEST(findings__fingerprints_have_sixteen_digits)
{
	ck_assert(claw_bisect_is_fingerprint("0123456789abcdef"));
	ck_assert(claw_bisect_is_fingerprint("0123456789abcdef:1"));
	ck_assert(!claw_bisect_is_fingerprint("0123456789abcdef:"));
	ck_assert(!claw_bisect_is_fingerprint("0123456789abcdef:x"));
	ck_assert(!claw_bisect_is_fingerprint("0123456789abcde"));
	ck_assert(!claw_bisect_is_fingerprint("0123456789abcdef0"));
	ck_assert(!claw_bisect_is_fingerprint("invalid-write"));
	ck_assert(!claw_bisect_is_fingerprint(""));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bisect");
	TCase *tests = tcase_create("bisect");

	tcase_add_test(tests, times__ends_must_differ_clearly);
	tcase_add_test(tests, times__one_of_five_may_be_an_outlier);
	tcase_add_test(tests, times__a_case_that_did_not_pass_is_no_answer);
	tcase_add_test(tests, findings__are_known_by_what_people_see_of_them);
	tcase_add_test(tests,
		       findings__stay_the_same_when_lines_and_folders_change);
	tcase_add_test(tests, findings__fingerprints_have_sixteen_digits);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Findings: lists of them, and what a case expects. */
#include "config.h"

#include "harness/records/finding.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "suites/self/lib/run_suite.h"

static struct claw_findings findings;
static char error[256];

static void setup(void)
{
	memset(&findings, 0, sizeof(findings));
}

static void teardown(void)
{
	claw_findings_release(&findings);
}

static char kernel[] = "k", file[] = "a.clw", item[] = "2,0,0", what[] = "x";

static struct claw_finding some(void)
{
	return (struct claw_finding) {
		.kind = CLAW_FINDING_INVALID_WRITE, .space = CLAW_SPACE_GLOBAL,
		.kernel = kernel, .file = file, .line = 12, .column = 9,
		.work_item = item, .size_bytes = 4,
	};
}

/* ---- kinds ----------------------------------------------------------- */

START_TEST(kind__names_are_found_again)
{
	for (int i = 0; i < CLAW_FINDING_KIND_COUNT; i++)
		ck_assert_int_eq(claw_finding_kind_find(
			claw_finding_kind_name((enum claw_finding_kind)i)), i);
	ck_assert_int_eq(claw_finding_kind_find("invalid"), -1);
	ck_assert_int_eq(claw_finding_kind_find(""), -1);
	ck_assert(claw_finding_kind_is_kernel(CLAW_FINDING_RACE));
	ck_assert(!claw_finding_kind_is_kernel(CLAW_FINDING_HOST_LEAK));
	ck_assert_str_eq(claw_finding_kind_code(CLAW_FINDING_INVALID_WRITE),
			 "clw-buffer-overflow");
	ck_assert_ptr_null(claw_finding_kind_code(CLAW_FINDING_RACE));
	/* Nothing has timed out yet, nor crashed. */
	ck_assert_ptr_null(claw_finding_kind_code(CLAW_FINDING_DIVERGENCE));
	ck_assert_str_eq(claw_finding_kind_leads_to(CLAW_FINDING_DIVERGENCE),
			 "clw-kernel-timeout");
	ck_assert_str_eq(claw_finding_kind_code(CLAW_FINDING_INVALID_READ),
			 "clw-buffer-overflow");
	ck_assert_str_eq(claw_finding_code(&(struct claw_finding){
			 .kind = CLAW_FINDING_INVALID_WRITE, .is_null = true,
			 }), "clw-gpu-crash");
}
END_TEST

START_TEST(space__names_are_found_again)
{
	for (int i = CLAW_SPACE_GLOBAL; i <= CLAW_SPACE_PRIVATE; i++)
		ck_assert_int_eq(claw_space_find(
			claw_space_name((enum claw_address_space)i)), i);
	ck_assert_int_eq(claw_space_find(""), -1);
	ck_assert_int_eq(claw_space_find("heap"), -1);
	ck_assert_str_eq(claw_space_name(CLAW_SPACE_UNKNOWN), "");
}
END_TEST

/* ---- lists ----------------------------------------------------------- */

START_TEST(add__the_same_is_counted)
{
	struct claw_finding one = some();

	claw_findings_add(&findings, &one);
	one.work_item = NULL;		/* of the first one is kept */
	one.column = 1;
	one.times = 3;
	claw_findings_add(&findings, &one);
	ck_assert_uint_eq(findings.count, 1);
	ck_assert_uint_eq(findings.items[0].times, 4);
	ck_assert_uint_eq(findings.items[0].column, 9);
	ck_assert_str_eq(findings.items[0].work_item, "2,0,0");
	ck_assert_str_eq(findings.items[0].text, "");
}
END_TEST

START_TEST(add__another_is_another)
{
	struct claw_finding one = some();
	char other[] = "b";

	claw_findings_add(&findings, &one);
	one.line = 13;
	claw_findings_add(&findings, &one);
	one.space = CLAW_SPACE_LOCAL;
	claw_findings_add(&findings, &one);
	one.kind = CLAW_FINDING_INVALID_READ;
	claw_findings_add(&findings, &one);
	one.kernel = other;
	claw_findings_add(&findings, &one);
	one.file = other;
	claw_findings_add(&findings, &one);
	ck_assert_uint_eq(findings.count, 6);
	for (size_t i = 0; i < findings.count; i++)
		ck_assert_uint_eq(findings.items[i].times, 1);
}
END_TEST

START_TEST(copy__is_of_its_own)
{
	struct claw_finding one = some();
	struct claw_findings copy;

	claw_findings_add(&findings, &one);
	claw_findings_copy(&findings, &copy);
	claw_findings_release(&findings);
	ck_assert_uint_eq(findings.count, 0);
	ck_assert_uint_eq(copy.count, 1);
	ck_assert_str_eq(copy.items[0].kernel, "k");
	claw_findings_release(&copy);
}
END_TEST

/* ---- sentences ------------------------------------------------------- */

static void says(const struct claw_finding *finding, const char *expected)
{
	char *sentence = claw_finding_sentence(finding);

	ck_assert_str_eq(sentence, expected);
	free(sentence);
}

START_TEST(sentence__has_what_is_known)
{
	struct claw_finding one = some();

	one.times = 3;
	says(&one, "invalid-write of 4 bytes in k (a.clw:12:9), work-item "
	     "2,0,0, 3 times");
	one.times = one.column = 0;
	one.size_bytes = 1;
	one.work_item = NULL;
	says(&one, "invalid-write of 1 byte in k (a.clw:12)");
	one.line = 0;
	one.size_bytes = 0;
	one.kernel = NULL;
	one.what = what;
	says(&one, "invalid-write (a.clw): x");
	one.file = NULL;
	says(&one, "invalid-write: x");
}
END_TEST

/* ---- expectations ---------------------------------------------------- */

static const struct {
	const char *text, *error;	/* NULL: accepted */
} texts[] = {
	{ "race", NULL },
	{ "invalid-write global", NULL },
	{ "array-index private 7", NULL },
	{ "host-leak 999999999", NULL },
	{ "race 3-5", NULL },
	{ "invalid-read global 29-30 !asan", NULL },
	{ "race 999999998-999999999", NULL },
	{ "race !oclgrind", NULL },
	{ "", "expected a kind of finding, found nothing" },
	{ "invalid_write", "expected a kind of finding, found "
	  "\"invalid_write\" (did you mean invalid-write?)" },
	{ "race lokal", "expected an address space (global, local, constant, "
	  "private) or a line, found \"lokal\" (did you mean local?)" },
	{ "race 0", "expected a line number from 1, found \"0\"" },
	{ "race 1x", "expected a line number from 1, found \"1x\"" },
	{ "race 1000000000",
	  "expected a line number from 1, found \"1000000000\"" },
	{ "race global local",
	  "expected a line number from 1, found \"local\"" },
	{ "race local 3 4", "expected nothing after the line, found \"4\"" },
	{ "race 5-3", "expected a line number from 1, found \"5-3\"" },
	{ "race 5-", "expected a line number from 1, found \"5-\"" },
	{ "race !", "expected a tool such as \"!asan\", found \"!\"" },
	{ "race !0123456789abcdef", "expected a tool such as \"!asan\", found "
	  "\"!0123456789abcdef\"" },
	{ "race !asan 3", "expected nothing after the tool, found \"3\"" },
};

START_TEST(expected__text_is_read)
{
	struct claw_expected_finding expected;
	int ret = claw_expected_finding_parse(texts[_i].text, &expected, error,
					      sizeof(error));
	char *again;

	if (texts[_i].error) {
		ck_assert_int_eq(ret, -CLAW_E_SYNTAX);
		ck_assert_str_eq(error, texts[_i].error);
		return;
	}
	ck_assert_int_eq(ret, 0);
	again = claw_expected_finding_text(&expected);
	ck_assert_str_eq(again, texts[_i].text);
	free(again);
}
END_TEST

static bool matches(const char *text, const struct claw_finding *finding)
{
	struct claw_expected_finding expected;

	ck_assert_int_eq(claw_expected_finding_parse(text, &expected, error,
						     sizeof(error)), 0);
	return claw_expected_finding_matches(&expected, finding);
}

START_TEST(expected__matches_what_it_names)
{
	struct claw_finding one = some();

	ck_assert(matches("invalid-write", &one));
	ck_assert(matches("invalid-write global", &one));
	ck_assert(matches("invalid-write 12", &one));
	ck_assert(matches("invalid-write global 12", &one));
	ck_assert(!matches("invalid-read", &one));
	ck_assert(!matches("invalid-write local", &one));
	ck_assert(!matches("invalid-write 13", &one));
	ck_assert(matches("invalid-write 11-12", &one));
	ck_assert(matches("invalid-write 12-13 !asan", &one));
	ck_assert(!matches("invalid-write 10-11", &one));
	ck_assert(!matches("invalid-write 13-14", &one));
	one.also = 1u << CLAW_FINDING_INVALID_READ;
	ck_assert(matches("invalid-read global 12", &one));
	ck_assert(matches("invalid-write", &one));
	ck_assert(!matches("array-index", &one));
	one.also = 0;
	one.space = CLAW_SPACE_UNKNOWN;
	ck_assert(matches("invalid-write", &one));
	ck_assert(!matches("invalid-write global", &one));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("finding");
	TCase *tests = tcase_create("finding");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, kind__names_are_found_again);
	tcase_add_test(tests, space__names_are_found_again);
	tcase_add_test(tests, add__the_same_is_counted);
	tcase_add_test(tests, add__another_is_another);
	tcase_add_test(tests, copy__is_of_its_own);
	tcase_add_test(tests, sentence__has_what_is_known);
	tcase_add_loop_test(tests, expected__text_is_read, 0,
			    sizeof(texts) / sizeof(texts[0]));
	tcase_add_test(tests, expected__matches_what_it_names);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}

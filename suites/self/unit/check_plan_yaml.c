/* SPDX-License-Identifier: Apache-2.0 */
/*
 * YAML plans: what is accepted, and that each mistake is told by its line and
 * column.
 */
#include "config.h"

#include "harness/session/plan_yaml.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "suites/self/lib/run_suite.h"

static struct claw_plan_yaml plan;
static char error[512];

static void setup(void)
{
	memset(&plan, 0, sizeof(plan));
	memset(error, 0, sizeof(error));
}

static void teardown(void)
{
	claw_plan_yaml_release(&plan);
}

static int parse(const char *text)
{
	return claw_plan_yaml_parse("p.yaml", text, strlen(text), false, &plan,
				    error, sizeof(error));
}

#define ACCEPTS(text_)							\
	ck_assert_msg(parse(text_) == 0, "%s", error)

static const struct {
	const char *name, *text, *where;	/* where: start of the error */
} refused[] = {
	{ "empty", "", "p.yaml:1:1: expected a mapping" },
	{ "comment only", "# nothing\n", "p.yaml:1:1: expected a mapping" },
	{ "list", "- a\n", "p.yaml:1:1: expected a mapping" },
	{ "word", "faults\n", "p.yaml:1:1: expected a mapping" },
	{ "no faults", "seed: 1\n", "p.yaml:2:1: expected the key faults" },
	{ "unknown key", "fault:\n- clFinish:oom-host\n",
	  "p.yaml:1:1: expected the key faults or seed, found \"fault\" "
	  "(did you mean faults?)" },
	{ "unknown key of a rule", "faults:\n- {rul: x}\n",
	  "p.yaml:2:4: expected the key rule" },
	{ "duplicate faults", "faults: []\nfaults: []\n",
	  "p.yaml:2:1: expected each key once" },
	{ "duplicate seed", "seed: 1\nseed: 1\n",
	  "p.yaml:2:1: expected each key once" },
	{ "duplicate rule", "faults:\n- rule: clFinish:oom-host\n  rule: x\n",
	  "p.yaml:3:3: expected each key once" },
	{ "empty rule mapping", "faults:\n- {}\n",
	  "p.yaml:2:4: expected the key rule" },
	{ "faults is a word", "faults: x\n", "p.yaml:1:9: expected a list" },
	{ "faults is a mapping", "faults: {a: b}\n",
	  "p.yaml:1:9: expected a list" },
	{ "nested list", "faults:\n- [a]\n", "p.yaml:2:3: expected a rule" },
	{ "rule is a list", "faults:\n- rule: [a]\n",
	  "p.yaml:2:9: expected a rule, found a list" },
	{ "empty rule", "faults:\n-\n", "p.yaml:2:2: expected a rule" },
	{ "alias", "faults:\n- &a clFinish:oom-host\n- *a\n",
	  "p.yaml:3:3: expected a rule" },
	{ "seed is a word", "seed: x\nfaults: []\n",
	  "p.yaml:1:7: expected a whole number" },
	{ "seed is negative", "seed: -1\nfaults: []\n",
	  "p.yaml:1:7: expected a whole number" },
	{ "seed is too large", "seed: 18446744073709551616\nfaults: []\n",
	  "p.yaml:1:7: expected a whole number" },
	{ "seed is a list", "seed: []\nfaults: []\n",
	  "p.yaml:1:7: expected a number" },
	{ "two documents", "faults: []\n---\nfaults: []\n",
	  "p.yaml:2:1: expected the end" },
	{ "tab", "faults:\n\t- x\n", "p.yaml:2:1: expected YAML" },
	{ "unterminated", "faults:\n- \"x\n", "p.yaml:" },
	{ "truncated", "faults: [", "p.yaml:" },
	{ "control character", "faults:\n- \"a\x01\"\n", "p.yaml:2:5: expected" },
	{ "bad UTF-8", "faults:\n- \xff\n", "p.yaml:2:3: expected text" },
	{ "NUL in a rule", "faults:\n- \"clFinish:\\0\"\n",
	  "p.yaml:2:3: expected a rule, found a NUL" },
	/* the column is that of the word in the file */
	{ "plain rule", "faults:\n- clFinish:oom-hosd\n", "p.yaml:2:12: " },
	{ "plain rule with BOM", "\xef\xbb\xbf" "faults:\n- clFinish:oom-hosd\n",
	  "p.yaml:2:12: " },
	{ "plain rule with CRLF", "faults:\r\n- clFinish:oom-hosd\r\n",
	  "p.yaml:2:12: " },
	{ "single quotes", "faults:\n- 'clFinish:oom-hosd'\n",
	  "p.yaml:2:13: " },
	{ "double quotes", "faults:\n- \"clFinish:oom-hosd\"\n",
	  "p.yaml:2:13: " },
	{ "escapes", "faults:\n- \"clFinish:oom-host:exe=\\\"a\\\":x=1\"\n",
	  "p.yaml:2:32: " },
	{ "doubled quotes", "faults:\n- 'clFinish:oom-host:exe=a'':x=1'\n",
	  "p.yaml:2:30: " },
	{ "in a mapping", "faults:\n- rule: clFinish:oom-hosd\n",
	  "p.yaml:2:18: " },
	{ "in a block", "faults:\n- |\n  clFinish:oom-hosd\n",
	  "p.yaml:2:3: column 10 of the rule: " },
};

START_TEST(plan__mistake_is_told_by_its_place)
{
	int ret = parse(refused[_i].text);

	ck_assert_msg(ret == -CLAW_E_SYNTAX, "%s: %d", refused[_i].name, ret);
	ck_assert_msg(strncmp(error, refused[_i].where,
			      strlen(refused[_i].where)) == 0,
		      "%s: got \"%s\", expected \"%s...\"", refused[_i].name,
		      error, refused[_i].where);
	ck_assert_ptr_null(strchr(error, '\n'));
}
END_TEST

START_TEST(plan__rules_and_seed_are_read)
{
	ACCEPTS("seed: 0x2a\nfaults:\n  - clCreateBuffer:oom:when=3\n"
		"  - rule: \"@alloc:delay=1s..3s:p=10%\"\n");
	ck_assert(plan.has_seed);
	ck_assert_uint_eq(plan.seed, 42);
	ck_assert_uint_eq(plan.count, 2);
	ck_assert_str_eq(plan.rules[0].text, "clCreateBuffer:oom:when=3");
	ck_assert_str_eq(plan.rules[1].text, "@alloc:delay=1s..3s:p=10%");
}
END_TEST

START_TEST(plan__bom_and_crlf_are_fine)
{
	ACCEPTS("\xef\xbb\xbf" "faults:\r\n  - clFinish:oom-host\r\n");
	ck_assert_uint_eq(plan.count, 1);
	ck_assert_str_eq(plan.rules[0].text, "clFinish:oom-host");
}
END_TEST

START_TEST(plan__block_rule_loses_its_newline)
{
	ACCEPTS("faults:\n- |\n  clFinish:oom-host\n");
	ck_assert_str_eq(plan.rules[0].text, "clFinish:oom-host");
}
END_TEST

START_TEST(plan__deep_nesting_ends_at_once)
{
	static char text[2000000];

	memset(text, '[', sizeof(text) - 1);
	ck_assert_int_eq(parse(text), -CLAW_E_SYNTAX);
	memcpy(text, "faults: ", 8);
	ck_assert_int_eq(parse(text), -CLAW_E_SYNTAX);
	ck_assert_int_eq(strncmp(error, "p.yaml:1:10: ", 13), 0);
}
END_TEST

START_TEST(plan__too_many_rules_are_refused)
{
	size_t room = 64 + (CLAW_JOURNAL_MAX_RULES + 1) * 24;
	char *text = calloc(1, room);
	size_t at = (size_t)snprintf(text, room, "faults:\n");

	for (int i = 0; i <= CLAW_JOURNAL_MAX_RULES; i++)
		at += (size_t)snprintf(text + at, room - at,
				       "- clFinish:oom-host\n");
	ck_assert_int_eq(parse(text), -CLAW_E_LIMIT);
	ck_assert_ptr_nonnull(strstr(error, "at most 256 rules"));
	free(text);
}
END_TEST

START_TEST(file__over_the_limit_is_refused)
{
	char path[] = "/tmp/check-plan.XXXXXX";
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, 100 << 20), 0);
	close(fd);
	ck_assert_int_eq(claw_plan_yaml_read(path, false, &plan, error,
					     sizeof(error)), -CLAW_E_LIMIT);
	unlink(path);
	ck_assert_ptr_nonnull(strstr(error, "at most 4 MiB"));
}
END_TEST

START_TEST(file__missing_is_told)
{
	ck_assert_int_eq(claw_plan_yaml_read("/proc/nonexistent", false, &plan,
					     error, sizeof(error)),
			 -CLAW_E_IO);
	ck_assert_str_eq(error, "/proc/nonexistent: No such file or directory");
}
END_TEST

START_TEST(plan__illegal_code_needs_permission)
{
	static const char text[] =
		"faults:\n- clFinish:error=CL_INVALID_KERNEL\n";

	ck_assert_int_eq(parse(text), -CLAW_E_SYNTAX);
	ck_assert_int_eq(claw_plan_yaml_parse("p", text, strlen(text), true,
					      &plan, error, sizeof(error)), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("plan_yaml");
	TCase *tests = tcase_create("plan_yaml");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, plan__mistake_is_told_by_its_place, 0,
			    sizeof(refused) / sizeof(refused[0]));
	tcase_add_test(tests, plan__rules_and_seed_are_read);
	tcase_add_test(tests, plan__bom_and_crlf_are_fine);
	tcase_add_test(tests, plan__block_rule_loses_its_newline);
	tcase_add_test(tests, plan__deep_nesting_ends_at_once);
	tcase_add_test(tests, plan__too_many_rules_are_refused);
	tcase_add_test(tests, file__over_the_limit_is_refused);
	tcase_add_test(tests, file__missing_is_told);
	tcase_add_test(tests, plan__illegal_code_needs_permission);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}

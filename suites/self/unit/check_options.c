/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Option tables: what each kind of option takes, in any spelling and order, and
 * that each mistake is one line that says what was expected.
 */
#include "config.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/options.h"
#include "harness/base/quantity.h"
#include "suites/self/lib/run_suite.h"

static bool flag, help;
static uint64_t number, duration_ms;
static const char *text, *choice, *maybe;
static struct claw_strings several, list;
static int first;
static char error[256];

static const struct claw_option options[] = {
	{ "flag", 'f', OPT_FLAG, NULL, "a flag", &flag },
	{ "number", 'n', OPT_UINT, "N", "a number", &number },
	{ "text", 't', OPT_STRING, "TEXT", "a text", &text },
	{ "several", 's', OPT_STRINGS, "TEXT", "texts", &several },
	{ "list", 'l', OPT_LIST, "WORDS", "words", &list },
	{ "duration", 'd', OPT_DURATION, "TIME", "a time", &duration_ms },
	{ "choice", 'c', OPT_CHOICE, "this|that", "a word", &choice },
	{ "maybe", 'm', OPT_OPTIONAL, "TEXT", "a text", &maybe },
	{ 0 },
};

static void setup(void)
{
	flag = help = false;
	number = duration_ms = 0;
	text = choice = maybe = NULL;
	several = list = (struct claw_strings){ NULL, 0 };
	first = -1;
	*error = '\0';
}

static void teardown(void)
{
	for (size_t i = 0; i < list.count; i++)
		free((char *)list.items[i]);
	free(list.items);
	free(several.items);
}

/* The words of a line, with blanks between; words keeps them. */
static int split(const char *line, char *words[64])
{
	static char copy[256];
	char *rest = copy;
	int count = 0;

	snprintf(copy, sizeof(copy), "%s", line);
	while (rest)
		words[count++] = strsep(&rest, " ");
	words[count] = NULL;
	return count;
}

static char *words[64];

static int parse(const char *line, bool stop)
{
	int count = split(line, words);

	return claw_options_parse(options, count, words, stop, &first, &help,
				  error, sizeof(error));
}

START_TEST(options__of_each_kind_are_taken)
{
	ck_assert_int_eq(parse("verb --flag --number 7 --text=a=b -s x "
			       "--several y -l a,b --list c -d1.5s "
			       "--choice that --maybe", false), 0);
	ck_assert(flag);
	ck_assert_uint_eq(number, 7);
	ck_assert_str_eq(text, "a=b");
	ck_assert_uint_eq(several.count, 2);
	ck_assert_str_eq(several.items[1], "y");
	ck_assert_uint_eq(list.count, 3);
	ck_assert_str_eq(list.items[2], "c");
	ck_assert_uint_eq(duration_ms, 1500);
	ck_assert_str_eq(choice, "that");
	ck_assert_str_eq(maybe, "");
	ck_assert(!help);
}
END_TEST

START_TEST(options__letters_stand_together)
{
	ck_assert_int_eq(parse("verb -fn0x10 -hm -t --maybe=", false), 0);
	ck_assert(flag);
	ck_assert_uint_eq(number, 16);
	ck_assert_str_eq(text, "--maybe=");
	ck_assert_str_eq(maybe, "");
	ck_assert(help);
	ck_assert_int_eq(first, 5);
}
END_TEST

START_TEST(options__go_before_operands_in_any_order)
{
	ck_assert_int_eq(parse("verb one -n 3 - --flag -- --flag two", false),
			 0);
	ck_assert_uint_eq(number, 3);
	ck_assert_int_eq(first, 5);
	ck_assert_str_eq(words[4], "--");
	ck_assert_str_eq(words[5], "one");
	ck_assert_str_eq(words[6], "-");
	ck_assert_str_eq(words[7], "--flag");
	ck_assert_str_eq(words[8], "two");
	flag = false;
	ck_assert_int_eq(parse("verb -n 4 one --flag", true), 0);
	ck_assert_int_eq(first, 3);
	ck_assert(!flag);
}
END_TEST

static const struct {
	const char *line, *said;
} mistakes[] = {
	{ "verb --flog", "unknown option --flog; did you mean --flag?" },
	{ "verb --zzzzzz", "unknown option --zzzzzz" },
	{ "verb --zzzzzz=3", "unknown option --zzzzzz" },
	{ "verb --hepl", "did you mean --help?" },
	{ "verb -z", "unknown option -z" },
	{ "verb -fz", "unknown option -z" },
	{ "verb --flag=1", "option --flag: expected no value, found \"1\"" },
	{ "verb --number", "option --number: expected N, found none" },
	{ "verb -n", "option -n: expected N, found none" },
	{ "verb --number -- 3", "option --number: expected N, found none" },
	{ "verb -t --", "option -t: expected TEXT, found none" },
	{ "verb --number x", "--number: expected a whole number from 0 up, fo" },
	{ "verb -n -1", "option -n: expected a whole number" },
	{ "verb -n 3x", "option -n: expected a whole number" },
	{ "verb -n 0x", "option -n: expected a whole number" },
	{ "verb -n 99999999999999999999", "expected a whole number" },
	{ "verb --duration=", "expected a time such as 500ms" },
	{ "verb -d 3y", "option -d: expected a time such as 500ms" },
	{ "verb -d 1.2.3s", "expected a time such as 500ms" },
	{ "verb -d 9999999999999d", "expected a time such as 500ms" },
	{ "verb --choice thi", "--choice: expected this|that, found \"thi\"" },
	{ "verb --choice=", "--choice: expected this|that, found \"\"" },
	{ "verb -c this|that", "-c: expected this|that" },
	{ "verb -l ,a", "option -l: expected words with one comma between" },
	{ "verb -l a,", "option -l: expected words with one comma between" },
	{ "verb -l=a,,b", "option -l: expected words with one comma between" },
	{ "verb --color blue", "--color: expected auto, always or never, fo" },
};

START_TEST(mistake__is_one_line_that_says_what_was_expected)
{
	ck_assert_int_eq(parse(mistakes[_i].line, false), -CLAW_E_USAGE);
	ck_assert_msg(strstr(error, mistakes[_i].said) != NULL,
		      "%s: \"%s\" lacks \"%s\"", mistakes[_i].line, error,
		      mistakes[_i].said);
	ck_assert_ptr_null(strchr(error, '\n'));
}
END_TEST

static const struct {
	const char *text;
	uint64_t ms;
} durations[] = {
	{ "0", 0 }, { "30", 30000 }, { "1ms", 1 }, { "0.1ms", 1 },
	{ "1.5s", 1500 }, { "5m", 300000 }, { "5min", 300000 },
	{ "24h", 86400000 }, { "2d", 172800000 },
};

START_TEST(duration__has_a_unit_or_is_in_seconds)
{
	uint64_t ms = 77;

	ck_assert_int_eq(claw_duration_parse(durations[_i].text, &ms), 0);
	ck_assert_uint_eq(ms, durations[_i].ms);
}
END_TEST

START_TEST(quantity__has_one_grammar_everywhere)
{
	static const char *const wrong[] = {
		"", "-1s", "+1s", " 1s", "1e3s", "0x10s", "1 s", "1.2.3s",
		"infs", "1S", "1e3KiB", "1kb", "1e3",
	};
	uint64_t found = 77;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		ck_assert_int_lt(claw_duration_parse(wrong[i], &found), 0);
		ck_assert_int_lt(claw_duration_ns_parse(wrong[i], &found), 0);
		ck_assert_int_lt(claw_size_parse(wrong[i], &found), 0);
	}
	ck_assert_int_lt(claw_duration_ns_parse("30", &found), 0);
	ck_assert_int_lt(claw_size_parse("30", &found), 0);
	ck_assert_int_lt(claw_size_parse("1.5B", &found), 0);
	ck_assert_int_eq(claw_duration_ns_parse("250us", &found), 0);
	ck_assert_uint_eq(found, 250000);
	ck_assert_int_eq(claw_size_parse("1.5KiB", &found), 0);
	ck_assert_uint_eq(found, 1536);
}
END_TEST

START_TEST(color__is_said_by_option_and_environment)
{
	setenv("NO_COLOR", "1", 1);
	ck_assert_int_eq(parse("verb --color always", false), 0);
	ck_assert(claw_color_enabled(1));
	ck_assert_int_eq(parse("verb --color=never", false), 0);
	ck_assert(!claw_color_enabled(1));
	ck_assert_int_eq(parse("verb --color auto", false), 0);
	ck_assert(!claw_color_enabled(1));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("options");
	TCase *all = tcase_create("all");

	tcase_add_checked_fixture(all, setup, teardown);
	tcase_add_test(all, options__of_each_kind_are_taken);
	tcase_add_test(all, options__letters_stand_together);
	tcase_add_test(all, options__go_before_operands_in_any_order);
	tcase_add_loop_test(all, mistake__is_one_line_that_says_what_was_expected,
			    0, (int)(sizeof(mistakes) / sizeof(*mistakes)));
	tcase_add_test(all, quantity__has_one_grammar_everywhere);
	tcase_add_loop_test(all, duration__has_a_unit_or_is_in_seconds, 0,
			    (int)(sizeof(durations) / sizeof(*durations)));
	tcase_add_test(all, color__is_said_by_option_and_environment);
	suite_add_tcase(suite, all);
	return run_suite(suite);
}

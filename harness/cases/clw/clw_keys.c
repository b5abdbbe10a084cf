/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of [config] and [test] but for arguments: one row a key. */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assume.h"
#include "clw_private.h"
#include "harness/records/diagnosis.h"
#include "harness/base/errors.h"
#include "harness/base/text_list.h"
#include "harness/base/memory.h"
#include "harness/base/quantity.h"

static struct claw_clw_test *test_of(struct claw_clw_reader *reader)
{
	return &reader->draft->test;
}

static struct claw_clw_word peek_word(const struct claw_clw_reader *reader)
{
	struct claw_clw_cursor peek = reader->cursor;
	struct claw_clw_word word;

	claw_clw_next_word(&peek, &word);
	return word;
}

/* A text; what was there before (of [config]) is dropped. */
static int replace_text(struct claw_clw_reader *reader, char **text)
{
	char *fresh;
	int ret = claw_clw_read_text(reader, &fresh);

	if (ret == 0) {
		free(*text);
		*text = fresh;
	}
	return ret;
}

/* ---- [config] -------------------------------------------------------- */

static int read_name(struct claw_clw_reader *reader)
{
	return replace_text(reader, reader->draft == &reader->config ?
			    &reader->clw->name : &test_of(reader)->name);
}

static int read_version(struct claw_clw_reader *reader,
			unsigned int *ret_version)
{
	static const char *const known[] = {
		"10", "11", "12", "20", "30", NULL,
	};
	unsigned int position;
	int ret = claw_clw_read_choice(reader, known, "10, 11, 12, 20 or 30",
				       &position);

	if (ret < 0)
		return ret;
	*ret_version = (unsigned int)strtoul(known[position], NULL, 10);
	return claw_clw_read_end(reader);
}

static int read_version_min(struct claw_clw_reader *reader)
{
	return read_version(reader, &reader->clw->clc_version_min);
}

static int read_version_max(struct claw_clw_reader *reader)
{
	return read_version(reader, &reader->clw->clc_version_max);
}

/* regcomp() needs memory in proportion to the product of all counts. */
static bool is_cheap(const char *regex)
{
	const char *brace = strchr(regex, '{');

	if (strlen(regex) > 200)
		return false;
	for (const char *at = brace; at && *at && *at != '}'; at++)
		if (strspn(at, "0123456789") > 2)
			return false;
	return !brace || !strchr(brace + 1, '{');
}

static int read_regex(struct claw_clw_reader *reader, char **text)
{
	struct claw_clw_word word = peek_word(reader);
	int ret = replace_text(reader, text), problem;
	char why[100];
	regex_t regex;

	if (ret < 0)
		return ret;
	if (!is_cheap(*text))
		return claw_clw_fail_word(reader, &word, NULL, "expected a "
			"regular expression of at most 200 bytes with at most "
			"one {N} below 100");
	problem = regcomp(&regex, *text, REG_EXTENDED | REG_NOSUB);
	if (problem == 0) {
		regfree(&regex);
		return 0;
	}
	regerror(problem, &regex, why, sizeof(why));
	return claw_clw_fail_word(reader, &word, NULL, "expected an extended "
				  "regular expression (%s)", why);
}

static int read_platform_regex(struct claw_clw_reader *reader)
{
	return read_regex(reader, &reader->clw->platform_regex);
}

static int read_device_regex(struct claw_clw_reader *reader)
{
	return read_regex(reader, &reader->clw->device_regex);
}

/* Letters, digits and some marks, to the end of the line. */
static int read_names(struct claw_clw_reader *reader, const char *what,
		      const char *marks, char ***list)
{
	char **names = NULL;
	size_t count = 0;
	int ret = 0;

	for (;;) {
		struct claw_clw_word word;

		claw_clw_next_word(&reader->cursor, &word);
		if (word.length == 0 && count > 0)
			break;
		for (const char *at = word.text; ret == 0 && *at; at++)
			if (!isalnum((unsigned char)*at) && !strchr(marks, *at))
				ret = -CLAW_E_SYNTAX;
		if (ret < 0 || word.length == 0 ||
		    word.length >= sizeof(word.text)) {
			ret = claw_clw_fail_word(reader, &word, NULL,
						 "expected %s", what);
			break;
		}
		names = claw_grow(names, count + 2, sizeof(*names));
		names[count++] = claw_strdup(word.text);
		names[count] = NULL;
	}
	if (ret < 0) {
		claw_list_free(names);
		return ret;
	}
	claw_list_free(*list);
	*list = names;
	return 0;
}

static int read_platform_extensions(struct claw_clw_reader *reader)
{
	return read_names(reader, "names of extensions", "_",
			  &reader->clw->platform_extensions);
}

static int read_device_extensions(struct claw_clw_reader *reader)
{
	return read_names(reader, "names of extensions", "_",
			  &reader->clw->device_extensions);
}

static int read_build_options(struct claw_clw_reader *reader)
{
	return replace_text(reader, &reader->clw->build_options);
}

static int read_end_bool(struct claw_clw_reader *reader, bool *ret_value)
{
	int ret = claw_clw_read_bool(reader, ret_value);

	return ret < 0 ? ret : claw_clw_read_end(reader);
}

static int read_build_fail(struct claw_clw_reader *reader)
{
	return read_end_bool(reader, &reader->clw->expect_build_fail);
}

static int read_need_images(struct claw_clw_reader *reader)
{
	return read_end_bool(reader, &reader->clw->needs_images);
}

static int read_source_file(struct claw_clw_reader *reader)
{
	reader->source_file_place = peek_word(reader).place;
	if (!reader->is_program_test)
		return claw_clw_fail(reader, reader->source_file_place,
			"expected the source in this file, found another's "
			"name: program_source_file is for .program_test");
	return replace_text(reader, &reader->source_file);
}

static int read_binary_file(struct claw_clw_reader *reader)
{
	return claw_clw_fail(reader, peek_word(reader).place, "expected a "
			     "program's source, found the name of a binary");
}

/* ---- both ------------------------------------------------------------ */

static bool is_identifier(const char *text)
{
	if (!isalpha((unsigned char)*text) && *text != '_')
		return false;
	while (isalnum((unsigned char)*text) || *text == '_')
		text++;
	return *text == '\0';
}

static int read_kernel(struct claw_clw_reader *reader)
{
	struct claw_clw_test *test = test_of(reader);
	struct claw_clw_word word;

	claw_clw_next_word(&reader->cursor, &word);
	if (!is_identifier(word.text) || word.length >= sizeof(word.text))
		return claw_clw_fail_word(reader, &word, NULL,
					  "expected the name of a kernel");
	free(test->kernel);
	test->kernel = NULL;
	if (reader->draft == &reader->config &&
	    (strcmp(word.text, "NULL") == 0 || strcmp(word.text, "null") == 0))
		return claw_clw_read_end(reader);
	test->kernel = claw_strdup(word.text);
	return claw_clw_read_end(reader);
}

static int read_test_fail(struct claw_clw_reader *reader)
{
	return read_end_bool(reader, &test_of(reader)->expect_fail);
}

static int read_dimensions(struct claw_clw_reader *reader)
{
	uint64_t value;
	int ret = claw_clw_read_uint(reader, "dimensions", 1, 3, &value);

	if (ret < 0)
		return ret;
	test_of(reader)->dimensions = (unsigned int)value;
	reader->draft->has_dimensions = true;
	return claw_clw_read_end(reader);
}

/* One to three numbers, the others 0. */
static int read_sizes(struct claw_clw_reader *reader, size_t sizes[3],
		      unsigned int *ret_numbers,
		      struct claw_clw_place ret_places[3])
{
	uint64_t value;
	int ret;

	memset(sizes, 0, 3 * sizeof(*sizes));
	for (*ret_numbers = 0; *ret_numbers < 3; ++*ret_numbers) {
		struct claw_clw_word word = peek_word(reader);

		if (*ret_numbers > 0 && word.length == 0)
			return 0;
		ret_places[*ret_numbers] = word.place;
		ret = claw_clw_read_uint(reader, "a size", 0,
					 UINT64_C(1) << 40, &value);
		if (ret < 0)
			return ret;
		sizes[*ret_numbers] = (size_t)value;
	}
	return claw_clw_read_end(reader);
}

/* Sizes, or null. */
static int read_sizes_or_null(struct claw_clw_reader *reader, size_t sizes[3],
			      bool *ret_has, unsigned int *ret_numbers,
			      struct claw_clw_place ret_places[3])
{
	struct claw_clw_word word = peek_word(reader);

	*ret_numbers = 0;
	*ret_has = !claw_clw_word_is(&word, "null");
	if (*ret_has)
		return read_sizes(reader, sizes, ret_numbers, ret_places);
	claw_clw_next_word(&reader->cursor, &word);
	return claw_clw_read_end(reader);
}

static int read_global(struct claw_clw_reader *reader)
{
	return read_sizes(reader, test_of(reader)->global,
			  &reader->draft->global_numbers,
			  reader->draft->global_places);
}

static int read_local(struct claw_clw_reader *reader)
{
	struct claw_clw_test *test = test_of(reader);

	return read_sizes_or_null(reader, test->local, &test->has_local,
				  &reader->draft->local_numbers,
				  reader->draft->local_places);
}

static int read_offset(struct claw_clw_reader *reader)
{
	struct claw_clw_test *test = test_of(reader);

	return read_sizes_or_null(reader, test->offset, &test->has_offset,
				  &reader->draft->offset_numbers,
				  reader->draft->offset_places);
}

static int read_timeout(struct claw_clw_reader *reader)
{
	struct claw_clw_word word;
	uint64_t timeout_ms;

	claw_clw_next_word(&reader->cursor, &word);
	if (claw_duration_parse(word.text, &timeout_ms) < 0 || timeout_ms == 0)
		return claw_clw_fail_word(reader, &word, NULL,
					  "expected a time such as 10s");
	test_of(reader)->timeout_ms = timeout_ms;
	return claw_clw_read_end(reader);
}

static int read_repeat(struct claw_clw_reader *reader)
{
	uint64_t value;
	int ret = claw_clw_read_uint(reader, "a number of launches", 1,
				     CLAW_CLW_REPEAT_MAX, &value);

	if (ret < 0)
		return ret;
	test_of(reader)->repeat = (unsigned int)value;
	return claw_clw_read_end(reader);
}

static int read_guard(struct claw_clw_reader *reader)
{
	int ret = claw_clw_read_bytes(reader, "a guard zone",
				      CLAW_CLW_BUFFER_BYTES_MAX,
				      &test_of(reader)->guard_bytes);

	return ret < 0 ? ret : claw_clw_read_end(reader);
}

/* What [config] expects of that sort is not inherited then. */
static void drop_expected(struct claw_clw_test *test, bool is_optional)
{
	size_t kept = 0;

	for (size_t i = 0; i < test->expected_count; i++)
		if (test->expected[i].is_optional != is_optional)
			test->expected[kept++] = test->expected[i];
	test->expected_count = kept;
}

/* Word by word, so that the one that is wrong is known. */
static int read_expected(struct claw_clw_reader *reader,
			 struct claw_expected_finding *ret_expected)
{
	char text[4 * CLAW_CLW_WORD_BYTES] = "", error[256];
	struct claw_clw_word word;

	do {
		size_t length = strlen(text);

		claw_clw_next_word(&reader->cursor, &word);
		snprintf(text + length, sizeof(text) - length, " %s",
			 word.text);
		if (claw_expected_finding_parse(text, ret_expected, error,
						sizeof(error)) < 0)
			return claw_clw_fail(reader, word.place, "%s", error);
	} while (word.length > 0);
	return 0;
}

static int add_expected(struct claw_clw_reader *reader, bool is_optional,
			bool is_first)
{
	struct claw_clw_test *test = test_of(reader);
	struct claw_expected_finding expected = { 0 };
	int ret = read_expected(reader, &expected);

	if (ret < 0)
		return ret;
	if (is_first)
		drop_expected(test, is_optional);
	expected.is_optional = is_optional;
	claw_clw_expect(test, expected);
	return 0;
}

static int read_fault(struct claw_clw_reader *reader)
{
	struct claw_clw_test *test = test_of(reader);
	unsigned int position;
	int ret = claw_clw_read_choice(reader, claw_diagnosis_codes,
				       "a diagnosis code such as "
				       "clw-out-of-memory", &position);

	if (ret < 0)
		return ret;
	free(test->expect_fault);
	test->expect_fault = claw_strdup(claw_diagnosis_codes[position]);
	return claw_clw_read_end(reader);
}

static int read_xfail(struct claw_clw_reader *reader)
{
	return replace_text(reader, &test_of(reader)->xfail);
}

static int read_xfail_driver(struct claw_clw_reader *reader)
{
	return read_regex(reader, &test_of(reader)->xfail_driver);
}

static int read_tags(struct claw_clw_reader *reader)
{
	return read_names(reader, "tags of letters, digits and _ - .", "_-.",
			  &test_of(reader)->tags);
}

/* ---- the table ------------------------------------------------------- */

enum { IN_CONFIG = 1, IN_TEST = 2, IN_BOTH = 3 };

/* read NULL: a list, handled by read_list(). */
static const struct key {
	const char *name;
	unsigned int where;
	int (*read)(struct claw_clw_reader *reader);
} keys[] = {
	{ "name", IN_BOTH, read_name },
	{ "clc_version_min", IN_CONFIG, read_version_min },
	{ "clc_version_max", IN_CONFIG, read_version_max },
	{ "platform_regex", IN_CONFIG, read_platform_regex },
	{ "device_regex", IN_CONFIG, read_device_regex },
	{ "require_platform_extensions", IN_CONFIG, read_platform_extensions },
	{ "require_device_extensions", IN_CONFIG, read_device_extensions },
	{ "build_options", IN_CONFIG, read_build_options },
	{ "expect_build_fail", IN_CONFIG, read_build_fail },
	{ "need_image_support", IN_CONFIG, read_need_images },
	{ "program_source_file", IN_CONFIG, read_source_file },
	{ "program_binary_file", IN_CONFIG, read_binary_file },
	{ "kernel_name", IN_BOTH, read_kernel },
	{ "expect_test_fail", IN_BOTH, read_test_fail },
	{ "dimensions", IN_BOTH, read_dimensions },
	{ "global_size", IN_BOTH, read_global },
	{ "local_size", IN_BOTH, read_local },
	{ "global_offset", IN_BOTH, read_offset },
	{ "timeout", IN_BOTH, read_timeout },
	{ "repeat", IN_BOTH, read_repeat },
	{ "guard", IN_BOTH, read_guard },
	{ "expect_fault", IN_BOTH, read_fault },
	{ "xfail", IN_BOTH, read_xfail },
	{ "xfail_driver", IN_BOTH, read_xfail_driver },
	{ "tags", IN_BOTH, read_tags },
	{ "expect_finding", IN_BOTH, NULL },
	{ "allow_finding", IN_BOTH, NULL },
	{ "assume", IN_CONFIG, NULL },
	{ "arg_in", IN_TEST, NULL },
	{ "arg_out", IN_TEST, NULL },
};
enum { KEY_COUNT = sizeof(keys) / sizeof(keys[0]) };

/* One more; what is wrong with it is at its own place in the line. */
static int add_assume(struct claw_clw_reader *reader)
{
	struct claw_clw_word word = peek_word(reader);
	struct claw_clw *clw = reader->clw;
	struct claw_assume assume;
	const char *expected;
	char *text = NULL;
	size_t count = 0, at;
	int ret = replace_text(reader, &text);

	if (ret < 0)
		return ret;
	while (clw->assume && clw->assume[count])
		count++;
	clw->assume = claw_grow(clw->assume, count + 2, sizeof(*clw->assume));
	clw->assume[count] = text;
	clw->assume[count + 1] = NULL;
	if (claw_assume_parse(text, &assume, &at, &expected) == 0)
		return 0;
	word.place.column += (unsigned int)at;
	return claw_clw_fail(reader, word.place, "expected %s, found \"%s\"",
			     expected, text + at);
}

static int read_list(struct claw_clw_reader *reader, const char *name,
		     bool is_first)
{
	if (strcmp(name, "arg_in") == 0)
		return claw_clw_read_arg(reader, true);
	if (strcmp(name, "arg_out") == 0)
		return claw_clw_read_arg(reader, false);
	if (strcmp(name, "assume") == 0)
		return add_assume(reader);
	return add_expected(reader, strcmp(name, "allow_finding") == 0,
			    is_first);
}

static int fail_key(struct claw_clw_reader *reader,
		    const struct claw_clw_word *key, unsigned int where)
{
	const char *known[KEY_COUNT + 1];
	size_t count = 0;

	for (int i = 0; i < KEY_COUNT; i++)
		if (keys[i].where & where)
			known[count++] = keys[i].name;
	known[count] = NULL;
	return claw_clw_fail_word(reader, key, known, "expected a key of %s",
				  where == IN_CONFIG ? "[config]" : "[test]");
}

int claw_clw_read_key(struct claw_clw_reader *reader,
		      const struct claw_clw_word *key)
{
	unsigned int where = reader->draft == &reader->config ? IN_CONFIG :
		IN_TEST;
	int i = 0, ret;

	if (!reader->draft)
		return claw_clw_fail_word(reader, key, NULL, "expected "
					  "[config] before the first key");
	while (i < KEY_COUNT && strcmp(keys[i].name, key->text) != 0)
		i++;
	if (i == KEY_COUNT)
		return fail_key(reader, key, where);
	if (!(keys[i].where & where))
		return claw_clw_fail(reader, key->place,
			"expected %s in [%s] only, found it in [%s]", key->text,
			where == IN_CONFIG ? "test" : "config",
			where == IN_CONFIG ? "config" : "test");
	if (keys[i].read && (reader->draft->seen & UINT64_C(1) << i))
		return claw_clw_fail_word(reader, key, NULL,
					  "expected each key once in a "
					  "section");
	if (strcmp(key->text, "kernel_name") == 0)
		reader->kernel_place = key->place;
	ret = keys[i].read ? keys[i].read(reader) :
		read_list(reader, keys[i].name,
			  !(reader->draft->seen & UINT64_C(1) << i));
	reader->draft->seen |= UINT64_C(1) << i;
	return ret;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel files: their sections (doc/clw-format.md has the grammar). */
#include "config.h"

#include "clw.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clw_private.h"
#include "harness/base/errors.h"
#include "harness/base/text_list.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"

/* ---- sections -------------------------------------------------------- */

/* The draft is done: it becomes one of the file's tests. */
static int finish_test(struct claw_clw_reader *reader)
{
	struct claw_clw *clw = reader->clw;
	int ret;

	if (reader->draft != &reader->test)
		return 0;
	ret = claw_clw_check_test(reader);
	if (ret < 0)
		return ret;
	clw->tests = claw_one_more(clw->tests, clw->test_count,
				   sizeof(*clw->tests));
	clw->tests[clw->test_count++] = reader->test.test;
	reader->test.test = (struct claw_clw_test) { 0 };
	claw_clw_draft_release(&reader->test);
	reader->draft = NULL;
	return 0;
}

static int start_config(struct claw_clw_reader *reader,
			struct claw_clw_place place)
{
	if (reader->has_config)
		return claw_clw_fail(reader, place, "expected [config] once, "
				     "found \"[config]\" again");
	reader->has_config = true;
	reader->draft = &reader->config;
	return 0;
}

static int start_test(struct claw_clw_reader *reader,
		      struct claw_clw_place place)
{
	if (!reader->has_config)
		return claw_clw_fail(reader, place, "expected [config] first, "
				     "found \"[test]\"");
	if (reader->clw->expect_build_fail)
		return claw_clw_fail(reader, place, "expected no [test] where "
			"expect_build_fail is true, found \"[test]\"");
	if (reader->clw->test_count >= CLAW_CLW_TESTS_MAX) {
		claw_clw_fail(reader, place, "expected at most %d tests in a "
			      "file, found more", CLAW_CLW_TESTS_MAX);
		return -CLAW_E_LIMIT;
	}
	claw_clw_draft_init(&reader->test, &reader->config);
	reader->test.place = place;
	reader->test.test.line = place.line;
	reader->draft = &reader->test;
	return 0;
}

/*
 * "[", words, "]", and nothing more in that line. True when the line is one;
 * then name is the words with one blank between them.
 */
static bool is_section(struct claw_clw_cursor line, char name[64],
		       struct claw_clw_place *ret_place)
{
	size_t length = 0;
	bool is_closed = false;
	struct claw_clw_word word;

	claw_clw_next_word(&line, &word);
	*ret_place = word.place;
	if (word.text[0] != '[')
		return false;
	memmove(word.text, word.text + 1, strlen(word.text));
	while (!is_closed && word.length > 0) {
		char *end = strchr(word.text, ']');

		if (end && end[1])
			return false;
		if (end) {
			is_closed = true;
			*end = '\0';
		}
		for (const char *at = word.text; *at; at++)
			if (!isalnum((unsigned char)*at) && *at != '_')
				return false;
		if (word.text[0] && length < 64)
			length += (size_t)snprintf(name + length, 64 - length,
						   "%s%s", length ? " " : "",
						   word.text);
		claw_clw_next_word(&line, &word);
	}
	return is_closed && length > 0 && length < 64 && word.length == 0;
}

/* The lines up to the next section, with empty ones for those before. */
static int take_source(struct claw_clw_reader *reader,
		       struct claw_clw_place place)
{
	struct claw_clw_cursor *cursor = &reader->cursor;
	struct claw_clw_place unused;
	const char *start;
	size_t before, length;
	char name[64];

	if (!reader->is_program_test || reader->clw->source)
		return claw_clw_fail(reader, place, reader->clw->source ?
			"expected one [program source], found another" :
			"expected the source behind the header, found "
			"\"[program source]\"");
	claw_clw_skip_line(cursor);
	start = cursor->at;
	before = cursor->line - 1;
	while (cursor->at < cursor->end &&
	       !is_section(*cursor, name, &unused))
		claw_clw_skip_line(cursor);
	length = (size_t)(cursor->at - start);
	reader->clw->source = claw_malloc(before + length + 1);
	memset(reader->clw->source, '\n', before);
	memcpy(reader->clw->source + before, start, length);
	reader->clw->source[before + length] = '\0';
	return 0;
}

static int start_section(struct claw_clw_reader *reader, const char *name,
			 struct claw_clw_place place)
{
	static const char *const known[] = {
		"config", "test", "program source", NULL,
	};
	struct claw_clw_word word = { .place = place };
	int ret = finish_test(reader);

	if (ret < 0)
		return ret;
	reader->draft = NULL;
	if (strcmp(name, "program source") == 0)
		return take_source(reader, place);
	claw_clw_skip_line(&reader->cursor);
	if (strcmp(name, "config") == 0)
		return start_config(reader, place);
	if (strcmp(name, "test") == 0)
		return start_test(reader, place);
	snprintf(word.text, sizeof(word.text), "%s", name);
	word.length = strlen(word.text);
	return claw_clw_fail_word(reader, &word, known, "expected [config] or "
				  "[test]%s", reader->is_program_test ?
				  " or [program source]" : "");
}

/* ---- lines ----------------------------------------------------------- */

/* "KEY :"; the cursor is behind the colon then. */
static int read_key_word(struct claw_clw_reader *reader,
			 struct claw_clw_word *key)
{
	struct claw_clw_cursor *cursor = &reader->cursor;
	const char *start;
	size_t length;

	claw_clw_next_word(cursor, key);	/* "arg_in:1", whole */
	start = cursor->at - key->length;
	length = strcspn(key->text, ":");
	if (length < strlen(key->text)) {
		cursor->at = start + length + 1;
	} else {
		struct claw_clw_word colon;

		claw_clw_next_word(cursor, &colon);
		if (colon.text[0] != ':')
			return claw_clw_fail_word(reader, key, NULL, "expected "
				"[config], [test] or KEY: VALUE");
		cursor->at -= colon.length - 1;
	}
	key->text[length] = '\0';
	key->length = length;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)key->text[i]) &&
		    key->text[i] != '_')
			length = 0;
	if (length == 0)
		return claw_clw_fail_word(reader, key, NULL,
					  "expected a key before the colon");
	return 0;
}

static int read_line(struct claw_clw_reader *reader)
{
	struct claw_clw_cursor peek = reader->cursor;
	struct claw_clw_place place;
	struct claw_clw_word word;
	char name[64];
	int ret;

	claw_clw_next_word(&peek, &word);
	if (word.length == 0) {		/* at the end of this line, or one on */
		reader->cursor = peek;
		claw_clw_skip_line(&reader->cursor);
		return 0;
	}
	if (is_section(reader->cursor, name, &place))
		return start_section(reader, name, place);
	if (word.text[0] == '[')
		return claw_clw_fail_word(reader, &word, NULL, "expected a "
			"section such as [test] alone in its line");
	ret = read_key_word(reader, &word);
	if (ret == 0)
		ret = claw_clw_read_key(reader, &word);
	claw_clw_skip_line(&reader->cursor);
	return ret;
}

/* To a checker of calls, a build that must fail is an error of its caller. */
static void allow_build_error(struct claw_clw_test *test)
{
	claw_clw_expect(test, (struct claw_expected_finding) {
		.kind = CLAW_FINDING_API_ERROR, .is_optional = true,
	});
}

/* No [test]: the build is what is tested. */
static int add_build_test(struct claw_clw_reader *reader)
{
	struct claw_clw *clw = reader->clw;
	bool has_arguments = reader->config.test.kernel &&
		!clw->expect_build_fail;

	if (has_arguments)
		return claw_clw_fail(reader, reader->kernel_place, "expected a "
			"[test] that launches the kernel, found none");
	clw->tests = claw_calloc(1, sizeof(*clw->tests));
	claw_clw_draft_init(&reader->test, &reader->config);
	clw->tests[0] = reader->test.test;
	clw->tests[0].line = 1;
	free(clw->tests[0].kernel);
	clw->tests[0].kernel = NULL;
	clw->tests[0].dimensions = 1;	/* nothing is launched */
	clw->tests[0].global[0] = 1;
	clw->tests[0].has_local = false;
	reader->test.test = (struct claw_clw_test) { 0 };
	clw->test_count = 1;
	if (clw->expect_build_fail)
		allow_build_error(clw->tests);
	return 0;
}

static int read_header(struct claw_clw_reader *reader)
{
	int ret = 0;

	while (ret == 0 && reader->cursor.at < reader->cursor.end)
		ret = read_line(reader);
	if (ret == 0)
		ret = finish_test(reader);
	if (ret == 0 && !reader->has_config)
		ret = claw_clw_fail(reader, claw_clw_place(&reader->cursor),
			"expected [config], found the end of the header");
	if (ret == 0 && reader->clw->test_count == 0)
		ret = add_build_test(reader);
	return ret;
}

/* ---- files ----------------------------------------------------------- */

static bool has_suffix(const char *path, const char *suffix)
{
	size_t length = strlen(path), end = strlen(suffix);

	return length > end && strcmp(path + length - end, suffix) == 0;
}

static int parse(struct claw_clw_reader *reader, const char *text, size_t size)
{
	const char *nul = memchr(text, '\0', size);
	int ret = 0;

	if (nul) {
		claw_clw_move_to(&reader->cursor, nul);
		return claw_clw_fail(reader, claw_clw_place(&reader->cursor),
				     "expected text, found a NUL byte");
	}
	if (!reader->is_program_test)
		ret = claw_clw_find_header(reader);
	else if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		reader->cursor.at += 3;
	if (ret == 0)
		ret = read_header(reader);
	if (ret == 0)
		ret = claw_clw_take_program(reader, text, size);
	if (ret == 0)
		claw_clw_name_cases(reader->clw);
	return ret;
}

int claw_clw_parse(const char *path, const char *text, size_t size,
		   struct claw_clw **ret_clw, struct claw_clw_error *reterr)
{
	struct claw_clw *clw = claw_calloc(1, sizeof(*clw));
	struct claw_clw_reader reader = {
		.path = path, .clw = clw, .error = reterr,
		.cursor = { text, text + size, text, 1 },
		.is_program_test = has_suffix(path, ".program_test"),
		.is_strict = has_suffix(path, ".clw"),
		.config.test = {
			.dimensions = 1, .global = { 1, 1, 1 }, .repeat = 1,
			.guard_bytes = CLAW_CLW_GUARD_BYTES,
		},
	};
	int ret;

	clw->path = claw_strdup(path);
	clw->source_path = claw_strdup(path);
	ret = parse(&reader, text, size);
	claw_clw_draft_release(&reader.config);
	claw_clw_draft_release(&reader.test);
	free(reader.source_file);
	if (ret == 0)
		*ret_clw = clw;
	else
		claw_clw_free(clw);
	return ret;
}

static void say_read_error(const char *path, int ret,
			   struct claw_clw_error *reterr)
{
	int error = errno;

	if (ret == -CLAW_E_LIMIT)
		snprintf(reterr->message, sizeof(reterr->message), "%.300s: "
			 "expected a file of at most %d MiB, found a larger "
			 "one", path, CLAW_CLW_FILE_BYTES_MAX >> 20);
	else
		snprintf(reterr->message, sizeof(reterr->message), "%.300s: "
			 "%s", path, ret == -CLAW_E_IO ? claw_outside_why(path) :
			 claw_error_text(ret));
	errno = error;
}

int claw_clw_read(const char *path, struct claw_clw **ret_clw,
		  struct claw_clw_error *reterr)
{
	char *text;
	size_t size;
	int ret = claw_outside_read(path, 0, CLAW_CLW_FILE_BYTES_MAX,
				&text, &size);

	if (ret < 0) {
		say_read_error(path, ret, reterr);
		return ret;
	}
	ret = claw_clw_parse(path, text, size, ret_clw, reterr);
	free(text);
	return ret;
}

void claw_clw_free(struct claw_clw *clw)
{
	if (!clw)
		return;
	for (size_t i = 0; i < clw->test_count; i++)
		claw_clw_test_release(&clw->tests[i]);
	free(clw->tests);
	free(clw->path);
	free(clw->name);
	free(clw->platform_regex);
	free(clw->device_regex);
	claw_list_free(clw->assume);
	claw_list_free(clw->platform_extensions);
	claw_list_free(clw->device_extensions);
	free(clw->build_options);
	free(clw->source);
	free(clw->source_path);
	free(clw);
}

const struct claw_clw_test *claw_clw_find(const struct claw_clw *clw,
					  const char *case_name)
{
	for (size_t i = 0; i < clw->test_count; i++)
		if (strcmp(clw->tests[i].case_name, case_name) == 0)
			return &clw->tests[i];
	return NULL;
}

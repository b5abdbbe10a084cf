/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walk libcheck's log with libxml2's reader:
 *
 *	<testsuites xmlns="http://check.sourceforge.net/ns">
 *	  <suite>
 *	    <title>S</title>
 *	    <test result="success|failure|error">
 *	      <fn>FILE:LINE</fn> <id>FUNCTION</id> <iteration>0</iteration>
 *	      <duration>SECONDS, negative: not known</duration>
 *	      <description>TCASE</description> <message>...</message>
 *
 * A process that ends early leaves a log without its end; the tests that it
 * has whole are kept.
 */
#include "config.h"

#include "libcheck_xml.h"

#include <errno.h>
#include <limits.h>
#include <libxml/xmlreader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "outside_file.h"

enum { LOG_BYTES_MAX = 64 << 20, TEST_DEPTH = 2 };

struct reading {
	xmlTextReader *reader;
	struct claw_libcheck_log *log;
	char *suite;		/* title of the one that is read */
	bool has_root;
	size_t whole;		/* tests that were read to their end */
	char *error;
	size_t error_size;
};

static int fail(struct reading *reading, const char *what)
{
	snprintf(reading->error, reading->error_size, "line %d: %s",
		 xmlTextReaderGetParserLineNumber(reading->reader), what);
	return -CLAW_E_DAMAGED;
}

static bool name_is(struct reading *reading, const char *name)
{
	const xmlChar *found = xmlTextReaderConstLocalName(reading->reader);

	return found && strcmp((const char *)found, name) == 0;
}

static int take_word(struct reading *reading, struct claw_libcheck_test *test)
{
	static const char *const words[] = { "success", "failure", "error" };
	xmlChar *word = xmlTextReaderGetAttribute(reading->reader,
						  BAD_CAST "result");
	int found = -1;

	for (int i = 0; word && i < 3; i++)
		if (strcmp((const char *)word, words[i]) == 0)
			found = i;
	xmlFree(word);
	if (found < 0)
		return fail(reading, "expected a result of success, failure "
			    "or error");
	test->word = (enum claw_libcheck_word)found;
	return 0;
}

static int add_test(struct reading *reading)
{
	struct claw_libcheck_log *log = reading->log;
	struct claw_libcheck_test *test;

	log->tests = claw_one_more(log->tests, log->count, sizeof(*test));
	test = &log->tests[log->count++];
	memset(test, 0, sizeof(*test));
	test->suite = claw_strdup(reading->suite ? reading->suite : "");
	return take_word(reading, test);
}

static void set_text(char **text, const char *value)
{
	free(*text);
	*text = claw_strdup(value);
}

/* "FILE:LINE"; ":-1", as an unsigned number, where nothing is known. */
static void set_place(struct claw_libcheck_test *test, char *value)
{
	char *colon = strrchr(value, ':');
	unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;

	if (colon)
		*colon = '\0';
	test->line = *value && line < UINT_MAX ? (unsigned int)line : 0;
	set_text(&test->file, value);
}

/* libcheck takes the folder off the file: put it before it again. */
static void join_path(struct claw_libcheck_test *test)
{
	const char *folder = test->path;
	char *joined;

	if (!folder || !*folder || strcmp(folder, ".") == 0 || !test->file ||
	    !*test->file || *test->file == '/')
		return;
	joined = claw_format("%s/%s", folder, test->file);
	free(test->file);
	test->file = joined;
}

static void take_member(struct claw_libcheck_test *test, const char *name,
			char *value)
{
	double seconds;

	if (strcmp(name, "path") == 0) {
		set_text(&test->path, value);
	} else if (strcmp(name, "id") == 0) {
		set_text(&test->id, value);
	} else if (strcmp(name, "fn") == 0) {
		set_place(test, value);
	} else if (strcmp(name, "description") == 0) {
		set_text(&test->tcase, value);
	} else if (strcmp(name, "message") == 0) {
		set_text(&test->message, value);
	} else if (strcmp(name, "iteration") == 0) {
		test->iteration = (unsigned int)strtoul(value, NULL, 10);
	} else if (strcmp(name, "duration") == 0) {
		seconds = strtod(value, NULL);
		if (seconds > 0 && seconds < 1e9)
			test->duration_us = (uint64_t)(seconds * 1e6 + 0.5);
	}
}

/* An element of a test or a suite; its text is read in one go. */
static void take_leaf(struct reading *reading, int depth)
{
	struct claw_libcheck_log *log = reading->log;
	char *value = (char *)xmlTextReaderReadString(reading->reader);
	const char *name =
		(const char *)xmlTextReaderConstLocalName(reading->reader);

	if (depth == TEST_DEPTH && strcmp(name, "title") == 0)
		set_text(&reading->suite, value ? value : "");
	else if (depth == TEST_DEPTH + 1 && log->count > 0)
		take_member(&log->tests[log->count - 1], name,
			    value ? value : (char[1]){ "" });
	xmlFree(value);
}

static int take_node(struct reading *reading)
{
	int type = xmlTextReaderNodeType(reading->reader);
	int depth = xmlTextReaderDepth(reading->reader);

	if (type == XML_READER_TYPE_END_ELEMENT && depth == TEST_DEPTH)
		reading->whole = reading->log->count;
	if (type != XML_READER_TYPE_ELEMENT)
		return 0;
	if (depth == 0) {
		reading->has_root = name_is(reading, "testsuites");
		return reading->has_root ? 0 :
		       fail(reading, "expected testsuites");
	}
	if (depth == TEST_DEPTH && name_is(reading, "test"))
		return add_test(reading);
	if (depth >= TEST_DEPTH)
		take_leaf(reading, depth);
	return 0;
}

/* ---- names ------------------------------------------------------------- */

static int compare_tests(const void *a, const void *b)
{
	const struct claw_libcheck_test *const *x = a, *const *y = b;
	int order = strcmp((*x)->tcase, (*y)->tcase);

	if (order == 0)
		order = strcmp((*x)->id, (*y)->id);
	if (order == 0)
		order = strcmp((*x)->suite, (*y)->suite);
	if (order == 0)		/* as the log has them */
		order = *x < *y ? -1 : *x > *y;
	return order;
}

static bool is_same(const struct claw_libcheck_test *a,
		    const struct claw_libcheck_test *b, bool in_one_suite)
{
	return strcmp(a->tcase, b->tcase) == 0 && strcmp(a->id, b->id) == 0 &&
	       (!in_one_suite || strcmp(a->suite, b->suite) == 0);
}

static void set_name(struct claw_libcheck_test *test, bool has_suite,
		     bool has_number, unsigned int number)
{
	char text[16] = "";

	if (has_number)
		snprintf(text, sizeof(text), ".%u", number);
	test->name = claw_format("%s%s%s.%s%s", has_suite ? test->suite : "",
				 has_suite ? ":" : "", test->tcase, test->id,
				 text);
	for (char *c = test->name; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
}

/* Tests of one suite, case and function: iterations of a loop, or one that
 * was added several times. */
static void name_repeated(struct claw_libcheck_test **tests, size_t count,
			  bool has_suite)
{
	bool is_loop = true;

	for (size_t i = 1; i < count; i++)
		is_loop &= tests[i - 1]->iteration < tests[i]->iteration;
	for (size_t i = 0; i < count; i++)
		set_name(tests[i], has_suite, count > 1,
			 is_loop ? tests[i]->iteration : (unsigned int)i);
}

/* Tests of one case and function, sorted by suite. */
static void name_group(struct claw_libcheck_test **tests, size_t count)
{
	bool has_suite = !is_same(tests[0], tests[count - 1], true);
	size_t start = 0;

	for (size_t i = 1; i <= count; i++) {
		if (i < count && is_same(tests[start], tests[i], true))
			continue;
		name_repeated(tests + start, i - start, has_suite);
		start = i;
	}
}

static void set_names(struct claw_libcheck_log *log)
{
	struct claw_libcheck_test **sorted =
		claw_calloc(log->count + 1, sizeof(*sorted));
	size_t start = 0;

	for (size_t i = 0; i < log->count; i++)
		sorted[i] = &log->tests[i];
	if (log->count > 0)
		qsort(sorted, log->count, sizeof(*sorted), compare_tests);
	for (size_t i = 1; i <= log->count; i++) {
		if (i < log->count && is_same(sorted[start], sorted[i], false))
			continue;
		name_group(sorted + start, i - start);
		start = i;
	}
	free(sorted);
}

/* What an element that was not there leaves open. */
static int complete(struct reading *reading)
{
	struct claw_libcheck_log *log = reading->log;

	for (size_t i = 0; i < log->count; i++) {
		struct claw_libcheck_test *test = &log->tests[i];
		char **texts[] = { &test->tcase, &test->message, &test->file };

		if (!test->id || !*test->id)
			return fail(reading, "expected an id of each test");
		join_path(test);
		for (size_t t = 0; t < 3; t++)
			if (!*texts[t])
				set_text(texts[t], "");
	}
	set_names(log);
	return 0;
}

/* What was read before the log ended, or ceased to be one. */
static int cut_short(struct reading *reading)
{
	struct claw_libcheck_log *log = reading->log;

	fail(reading, "expected XML to its end");
	if (!reading->has_root)
		return -CLAW_E_DAMAGED;
	log->is_cut = true;
	while (log->count > reading->whole)
		claw_libcheck_test_release(&log->tests[--log->count]);
	return 0;
}

int claw_libcheck_parse(const char *bytes, size_t size,
			struct claw_libcheck_log *ret_log, char *error,
			size_t error_size)
{
	struct claw_libcheck_log log = { .count = 0 };
	struct reading reading = {
		.log = &log, .error = error, .error_size = error_size,
	};
	int ret = 0, more = 0;

	if (size > LOG_BYTES_MAX)
		return -CLAW_E_LIMIT;
	reading.reader = claw_made(xmlReaderForMemory(bytes, (int)size, "",
			NULL, XML_PARSE_NONET | XML_PARSE_NOERROR |
			XML_PARSE_NOWARNING));
	while (ret == 0 && (more = xmlTextReaderRead(reading.reader)) > 0)
		ret = take_node(&reading);
	if (ret == 0 && more < 0)
		ret = cut_short(&reading);
	if (ret == 0)
		ret = complete(&reading);
	xmlFreeTextReader(reading.reader);
	free(reading.suite);
	if (ret < 0)
		claw_libcheck_log_release(&log);
	else
		*ret_log = log;
	return ret;
}

int claw_libcheck_read(const char *path, struct claw_libcheck_log *ret_log,
		       char *error, size_t error_size)
{
	char *bytes = NULL;
	size_t size = 0;
	int ret = claw_outside_read(path, 0, LOG_BYTES_MAX, &bytes, &size);

	snprintf(error, error_size, "%s", ret == -CLAW_E_IO ? strerror(errno) :
		 "");
	if (ret == -CLAW_E_IO && errno == ENOENT)
		return -CLAW_E_NOT_FOUND;
	if (ret == 0)
		ret = claw_libcheck_parse(bytes, size, ret_log, error,
					  error_size);
	if (ret < 0 && !*error)
		snprintf(error, error_size, "%s", claw_error_text(ret));
	free(bytes);
	return ret;
}

void claw_libcheck_test_release(struct claw_libcheck_test *test)
{
	free(test->suite);
	free(test->id);
	free(test->tcase);
	free(test->name);
	free(test->message);
	free(test->file);
	free(test->path);
}

void claw_libcheck_log_release(struct claw_libcheck_log *log)
{
	for (size_t i = 0; i < log->count; i++)
		claw_libcheck_test_release(&log->tests[i]);
	free(log->tests);
	*log = (struct claw_libcheck_log){ .count = 0 };
}

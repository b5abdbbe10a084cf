/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read the words of --under.
 *
 *	WORD = TOOL [":" ("each" | "handled")]
 */
#include "config.h"

#include "tool_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/session/icd_names.h"
#include "harness/base/errors.h"

struct reading {
	bool may_wait;
	struct claw_tool_words words;
	char *error;
	size_t error_size;
};

static int fail(struct reading *reading, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int fail(struct reading *reading, const char *format, ...)
{
	va_list args;
	int length = snprintf(reading->error, reading->error_size, "--under: ");

	va_start(args, format);
	vsnprintf(reading->error + length, reading->error_size -
		  (size_t)length, format, args);
	va_end(args);
	return -CLAW_E_SYNTAX;
}

static int fail_unknown(struct reading *reading, const char *name)
{
	char text[512];

	claw_under_say_unknown(name, NULL, text, sizeof(text));
	return fail(reading, "%s", text);
}

/* Why it shows nothing here, or NULL. */
static const char *why_useless(const struct claw_under_row *row)
{
	if (strcmp(row->name, "native") == 0)
		return "that is not a tool; runs use it without --under";
	if (row == &claw_under_massif)
		return "it compares with a memory limit, which does not apply "
			"to a program";
	return NULL;
}

/* Is it any of them? */
static bool have_row(const struct claw_tool_words *words,
		     const struct claw_under_row *row)
{
	bool found = words->each == row;

	for (size_t i = 0; i < words->handled_count; i++)
		found = found || words->handled[i] == row;
	return found;
}

static int take_word(struct reading *reading, const char *word)
{
	struct claw_tool_words *words = &reading->words;
	const char *colon = reading->may_wait ? strchr(word, ':') : NULL;
	const struct claw_under_row *row;
	char name[64];
	bool each = !reading->may_wait;

	snprintf(name, sizeof(name), "%.*s", colon ? (int)(colon - word) :
		 (int)strlen(word), word);
	row = claw_under_find(name);
	if (!row)
		return fail_unknown(reading, name);
	if (why_useless(row))
		return fail(reading, "expected a tool that can report "
			    "something, found %s: %s", row->name,
			    why_useless(row));
	if (colon && strcmp(colon, ":each") == 0)
		each = true;
	else if (colon && strcmp(colon, ":handled") != 0)
		return fail(reading, "expected TOOL, TOOL:handled or "
			    "TOOL:each, found \"%s\"", word);
	if (have_row(words, row))
		return fail(reading, "expected each tool once, found %s again",
			    row->name);
	if (each && words->each)
		return fail(reading, "expected one tool%s, found %s and %s",
			    reading->may_wait ? " for each run" : "",
			    words->each->name, row->name);
	if (each)
		words->each = row;
	else if (words->handled_count < CLAW_TOOL_WORDS_MAX)
		words->handled[words->handled_count++] = row;
	return 0;
}

int claw_tool_words_parse(const struct claw_strings *given, bool may_wait,
			  struct claw_tool_words *ret_words, char *error,
			  size_t error_size)
{
	struct reading reading = {
		.may_wait = may_wait, .error = error, .error_size = error_size,
	};
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < given->count; i++)
		ret = take_word(&reading, given->items[i]);
	if (ret == 0)
		*ret_words = reading.words;
	return ret;
}

const struct claw_under_row *
claw_tool_words_without_guards(const struct claw_tool_words *words)
{
	if (words->each && words->each->no_guards)
		return words->each;
	for (size_t i = 0; i < words->handled_count; i++)
		if (words->handled[i]->no_guards)
			return words->handled[i];
	return NULL;
}

int claw_tool_words_check_icd(const struct claw_tool_words *words,
			      char *error, size_t error_size)
{
	static const struct claw_under_row *const drivers[] = {
		&claw_under_oclgrind, &claw_under_rusticl,
	};

	for (size_t i = 0; claw_icd_given && i < 2; i++) {
		const char *name = drivers[i]->name;

		if (!have_row(words, drivers[i]) ||
		    strcmp(claw_icd_given, name) == 0)
			continue;
		snprintf(error, error_size, "--icd: --under %s is a driver "
			 "itself: expected %s or no --icd, found \"%s\"", name,
			 name, claw_icd_given);
		return -CLAW_E_USAGE;
	}
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read two outputs side by side.
 */
#include "config.h"

#include "unstable.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "outside_file.h"
#include "results.h"
#include "harness/base/text_clean.h"

/* Two files, a line of each at a time. */
struct pair {
	FILE *in[2];
	char *line[2];
	size_t room[2];
};

static bool pair_open(struct pair *pair, const char *first, const char *second)
{
	*pair = (struct pair) { .in = { claw_outside_stream(first),
					claw_outside_stream(second) } };
	return pair->in[0] && pair->in[1];
}

static void pair_close(struct pair *pair)
{
	for (int i = 0; i < 2; i++) {
		if (pair->in[i])
			fclose(pair->in[i]);
		free(pair->line[i]);
	}
}

/* 2: both have another line, 1: one has, 0: none. */
static int pair_next(struct pair *pair)
{
	int both = 0;

	for (int i = 0; i < 2; i++) {
		ssize_t length = claw_getline(&pair->line[i], &pair->room[i],
					 pair->in[i]);

		both += length >= 0;
		/* So that a line is one text. */
		for (ssize_t c = 0; c < length; c++)
			if (pair->line[i][c] == '\0')
				pair->line[i][c] = '\1';
	}
	return both;
}

static bool is_of_number(char c, char before, char after)
{
	if (isdigit((unsigned char)c))
		return true;
	return (c == '.' || c == ',') && isdigit((unsigned char)before) &&
		isdigit((unsigned char)after);
}

/* Bytes of the number that text begins with, or 0. */
static size_t number_length(const char *text)
{
	size_t length = 0;

	while (is_of_number(text[length], length ? text[length - 1] : '\0',
			    text[length] ? text[length + 1] : '\0'))
		length++;
	return length;
}

static size_t blank_length(const char *text)
{
	return strspn(text, " \t");
}

/* What differs between two lines; blanks and numbers may be of any length. */
static struct claw_unstable_line compare_lines(const char *a, const char *b)
{
	struct claw_unstable_line line = { .kind = CLAW_LINE_STABLE };
	unsigned int number = 0;

	if (strcmp(a, b) == 0)
		return line;
	while (*a && *b) {
		size_t m = number_length(a), n = number_length(b);

		if (m && n) {
			if (m != n || memcmp(a, b, m) != 0)
				line.numbers |= UINT64_C(1) << number;
			number += number < 63;
		} else if ((m = blank_length(a)) && (n = blank_length(b))) {
			/* Columns are as wide as their numbers. */
		} else if (*a == *b) {
			m = n = 1;
		} else {
			break;
		}
		a += m;
		b += n;
	}
	line.kind = *a || *b ? CLAW_LINE_UNSTABLE : CLAW_LINE_NUMBERS;
	return line;
}

/* Is what differs here what is known to? */
static bool is_known(const struct claw_unstable *unstable, size_t index,
		     struct claw_unstable_line line)
{
	struct claw_unstable_line known = { .kind = CLAW_LINE_STABLE };

	if (index < unstable->count)
		known = unstable->lines[index];
	if (line.kind == CLAW_LINE_STABLE || known.kind == CLAW_LINE_UNSTABLE)
		return true;
	return line.kind == CLAW_LINE_NUMBERS &&
		known.kind == CLAW_LINE_NUMBERS &&
		!(line.numbers & ~known.numbers);
}

static void add_line(struct claw_unstable *to, size_t index,
		     struct claw_unstable_line line)
{
	struct claw_unstable_line *larger;
	size_t room = to->count * 2 + 64;

	if (index >= to->count) {
		larger = claw_grow(to->lines, room, sizeof(*larger));
		memset(larger + to->count, 0,
		       (room - to->count) * sizeof(*larger));
		to->lines = larger;
		to->count = room;
	}
	if (line.kind > to->lines[index].kind)
		to->lines[index].kind = line.kind;
	to->lines[index].numbers |= line.numbers;
}

/* A line without its numbers, from where it is; false: it has no word. */
static bool make_pattern(char *line)
{
	bool has_word = false;
	char *to = line;

	for (const char *from = line; *from;) {
		size_t number = number_length(from);

		has_word = has_word || isalpha((unsigned char)*from);
		*to++ = number ? '#' : *from;
		from += number ? number : 1;
		if (to[-1] == ' ' || to[-1] == '\t') {
			to[-1] = ' ';
			from += blank_length(from);
		}
	}
	*to = '\0';
	return has_word;
}

/* Does it tell how long or how fast? */
static bool is_of_time(const char *line)
{
	static const char *const words[] = {
		"time", "elapsed", "took", "seconds", "msec", "usec", " sec",
		" ms", " us", " ns", "b/s", "flop", "bandwidth", "throughput",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcasestr(line, words[i]))
			return true;
	return false;
}

/* Its numbers that have a point. */
static uint64_t fractions_of(const char *line)
{
	unsigned int number = 0;
	uint64_t found = 0;
	size_t length;

	for (; *line; line += length) {
		length = number_length(line);
		if (length && memchr(line, '.', length))
			found |= UINT64_C(1) << number;
		number += length && number < 63;
		length += length == 0;
	}
	return found;
}

/* A line's words, and which of their numbers vary in any line. */
struct pattern {
	char *text;
	uint64_t numbers;
};

enum { PATTERNS_MAX = 512 };

/* NULL: there is none, and none is made or there is no room. */
static struct pattern *find_pattern(struct pattern *all, size_t *count,
				    const char *text, bool make)
{
	for (size_t i = 0; i < *count; i++)
		if (strcmp(all[i].text, text) == 0)
			return &all[i];
	if (!make || *count == PATTERNS_MAX)
		return NULL;
	all[*count].text = claw_strdup(text);
	return &all[(*count)++];
}

/* What varies in one line of a kind varies in all, though it may have been the
 * same by chance; and a time is another one under any fault. learn: find the
 * patterns; else apply them. */
static int spread(struct claw_unstable *unstable, const char *path,
		  struct pattern *patterns, size_t *count, bool learn)
{
	FILE *in = claw_outside_stream(path);
	char *line = NULL;
	size_t room = 0;
	int ret = in ? 0 : -CLAW_E_IO;

	for (size_t i = 0; ret == 0 && claw_getline(&line, &room, in) > 0;
	     i++) {
		struct claw_unstable_line now = { .kind = CLAW_LINE_NUMBERS };
		struct pattern *pattern;

		now.numbers = is_of_time(line) ? fractions_of(line) : 0;
		if (i < unstable->count &&
		    unstable->lines[i].kind == CLAW_LINE_NUMBERS)
			now.numbers |= unstable->lines[i].numbers;
		if (!make_pattern(line))
			continue;
		pattern = find_pattern(patterns, count, line,
				       learn && now.numbers);
		if (learn && pattern)
			pattern->numbers |= now.numbers;
		now.numbers = pattern ? pattern->numbers : 0;
		if (!learn && now.numbers)
			add_line(unstable, i, now);
	}
	free(line);
	if (in)
		fclose(in);
	return ret;
}

static void count_kinds(struct claw_unstable *unstable)
{
	unstable->numbers = unstable->words = 0;
	for (size_t i = 0; i < unstable->count; i++) {
		unstable->numbers += unstable->lines[i].kind ==
			CLAW_LINE_NUMBERS;
		unstable->words += unstable->lines[i].kind ==
			CLAW_LINE_UNSTABLE;
	}
}

int claw_unstable_spread(struct claw_unstable *unstable, const char *path)
{
	struct pattern *patterns = claw_calloc(PATTERNS_MAX, sizeof(*patterns));
	size_t count = 0;
	int ret = spread(unstable, path, patterns, &count, true);

	if (ret == 0)
		ret = spread(unstable, path, patterns, &count, false);
	for (size_t i = 0; i < count; i++)
		free(patterns[i].text);
	free(patterns);
	count_kinds(unstable);
	return ret;
}

int claw_unstable_learn(struct claw_unstable *unstable, const char *first,
			const char *second)
{
	struct claw_unstable more = { .lines = NULL };
	struct pair pair;
	int both = 2, ret = pair_open(&pair, first, second) ? 0 : -CLAW_E_IO;

	for (size_t i = 0; ret == 0 && (both = pair_next(&pair)) == 2; i++)
		add_line(&more, i, compare_lines(pair.line[0], pair.line[1]));
	pair_close(&pair);
	if (ret == 0 && both == 1)
		ret = -CLAW_E_LIMIT;
	for (size_t i = 0; ret == 0 && i < more.count; i++)
		add_line(unstable, i, more.lines[i]);
	free(more.lines);
	count_kinds(unstable);
	return ret;
}

void claw_unstable_release(struct claw_unstable *unstable)
{
	free(unstable->lines);
	*unstable = (struct claw_unstable) { .lines = NULL };
}

/* As claw_results_compare() says it. */
static char *describe(struct pair *pair, const char *what, size_t line)
{
	char *shown[2], *text;

	for (int i = 0; i < 2; i++)
		shown[i] = claw_text_clean(pair->line[i],
					   strcspn(pair->line[i], "\r\n"));
	text = claw_format("%s, line %zu: \"%.200s\" and \"%.200s\"", what,
			   line, shown[0], shown[1]);
	free(shown[0]);
	free(shown[1]);
	return text;
}

int claw_unstable_compare(const struct claw_unstable *unstable,
			  const char *first, const char *second,
			  const char *what, char **ret_difference)
{
	bool same = true;
	struct pair pair;
	int both = 2;

	*ret_difference = NULL;
	if (unstable->numbers + unstable->words == 0)
		return claw_results_compare(first, second, what,
					    ret_difference);
	if (!pair_open(&pair, first, second)) {
		pair_close(&pair);
		return claw_results_compare(first, second, what,
					    ret_difference);
	}
	for (size_t i = 0; same && (both = pair_next(&pair)) == 2; i++) {
		same = is_known(unstable, i, compare_lines(pair.line[0],
							   pair.line[1]));
		if (!same)
			*ret_difference = describe(&pair, what, i + 1);
	}
	pair_close(&pair);
	if (same && both == 1)
		*ret_difference = claw_format("%s has more lines in one run",
					      what);
	return 0;
}

/* Is there a number in it that does not vary, or none that does? */
static bool keeps_numbers(const char *text, uint64_t varying)
{
	unsigned int number = 0;
	size_t length;

	for (; *text; text += length) {
		length = number_length(text);
		if (length && !(varying & UINT64_C(1) << number))
			return true;
		number += length && number < 63;
		length += length == 0;
	}
	return varying == 0;
}

int claw_unstable_count(const struct claw_unstable *unstable, const char *path,
			struct claw_unstable_amount *ret_amount)
{
	struct claw_unstable_amount amount = { .lines = 0 };
	FILE *in = claw_outside_stream(path);
	char *line = NULL;
	size_t room = 0;

	if (!in)
		return -CLAW_E_IO;
	for (size_t i = 0; claw_getline(&line, &room, in) > 0; i++) {
		struct claw_unstable_line known = { .kind = CLAW_LINE_STABLE };
		bool is_part;

		if (line[strspn(line, " \t\r\n")] == '\0')
			continue;
		if (i < unstable->count)
			known = unstable->lines[i];
		is_part = known.kind == CLAW_LINE_NUMBERS &&
			keeps_numbers(line, known.numbers);
		amount.lines++;
		amount.part += is_part;
		amount.compared += is_part || known.kind == CLAW_LINE_STABLE;
	}
	free(line);
	fclose(in);
	*ret_amount = amount;
	return 0;
}

char *claw_unstable_text(const struct claw_unstable *unstable)
{
	char *text = NULL;

	if (unstable->words && unstable->numbers)
		text = claw_format("%zu line%s of standard output, and "
				   "the numbers of %zu", unstable->words,
				   unstable->words == 1 ? "" : "s",
				   unstable->numbers);
	else if (unstable->words)
		text = claw_format("%zu line%s of standard output",
				   unstable->words,
				   unstable->words == 1 ? "" : "s");
	else if (unstable->numbers)
		text = claw_format("the numbers of %zu line%s of standard "
				   "output", unstable->numbers,
				   unstable->numbers == 1 ? "" : "s");
	return text;
}

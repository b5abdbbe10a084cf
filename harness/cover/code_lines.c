/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of source lines are arrays; each name of a file or function is kept
 * once for the lines that follow each other.
 */
#include "config.h"

#include "code_lines.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

enum { LINES_MAX = 1 << 16 };	/* of one range, in a text from outside */

/* The set's own copy of the text, which may be the one it had last. */
static const char *keep(struct claw_code_lines *lines, const char *last,
			const char *text)
{
	if (last && strcmp(last, text) == 0)
		return last;
	lines->texts = claw_one_more(lines->texts, lines->text_count,
				     sizeof(*lines->texts));
	return lines->texts[lines->text_count++] = claw_strdup(text);
}

void claw_code_lines_add(struct claw_code_lines *lines, const char *file,
			 const char *function, unsigned int number,
			 uint64_t runs, bool mark)
{
	const struct claw_code_line *last = lines->count > 0 ?
		&lines->items[lines->count - 1] : NULL;
	struct claw_code_line line = { .number = number, .runs = runs,
				       .mark = mark };

	line.file = keep(lines, last ? last->file : NULL, file);
	line.function = keep(lines, last ? last->function : NULL, function);
	lines->items = claw_one_more(lines->items, lines->count,
				     sizeof(*lines->items));
	lines->items[lines->count++] = line;
}

static int compare(const void *a, const void *b)
{
	const struct claw_code_line *one = a, *other = b;
	int order = one->file == other->file ? 0 :
		strcmp(one->file, other->file);

	if (order != 0)
		return order;
	return (one->number > other->number) - (one->number < other->number);
}

void claw_code_lines_sort(struct claw_code_lines *lines)
{
	size_t count = 0;

	if (lines->count == 0)
		return;
	qsort(lines->items, lines->count, sizeof(*lines->items), compare);
	for (size_t i = 1; i < lines->count; i++) {
		struct claw_code_line *kept = &lines->items[count];

		if (compare(kept, &lines->items[i]) == 0) {
			kept->runs += lines->items[i].runs;
			kept->mark |= lines->items[i].mark;
		} else {
			lines->items[++count] = lines->items[i];
		}
	}
	lines->count = count + 1;
}

struct claw_code_line *claw_code_lines_find(const struct claw_code_lines *lines,
					    const char *file,
					    unsigned int number)
{
	const struct claw_code_line key = { .file = file, .number = number };

	return lines->count == 0 ? NULL :
		bsearch(&key, lines->items, lines->count,
			sizeof(*lines->items), compare);
}

void claw_code_lines_release(struct claw_code_lines *lines)
{
	for (size_t i = 0; i < lines->text_count; i++)
		free(lines->texts[i]);
	free(lines->texts);
	free(lines->items);
	*lines = (struct claw_code_lines) { .items = NULL };
}

size_t claw_code_lines_function_end(const struct claw_code_lines *lines,
				    size_t first)
{
	const struct claw_code_line *line = &lines->items[first];
	size_t end = first + 1;

	while (end < lines->count &&
	       strcmp(lines->items[end].function, line->function) == 0 &&
	       strcmp(lines->items[end].file, line->file) == 0)
		end++;
	return end;
}

/* ---- as text ---------------------------------------------------------- */

/* "120-124,130" of one function; false: none is wanted. */
static bool print_numbers(FILE *out, const struct claw_code_lines *lines,
			  size_t first, size_t end,
			  claw_code_line_wanted *is_wanted)
{
	unsigned int begun = 0, last = 0;
	const char *comma = ":";

	for (size_t i = first; i <= end; i++) {
		bool wanted = i < end &&
			(!is_wanted || is_wanted(&lines->items[i]));
		unsigned int number = wanted ? lines->items[i].number : 0;

		if (begun && wanted && number == last + 1) {
			last = number;
			continue;
		}
		if (begun && last > begun)
			fprintf(out, "-%u", last);
		if (!wanted) {
			begun = 0;
			continue;
		}
		if (*comma == ':')
			fputs(lines->items[first].file, out);
		fprintf(out, "%s%u", comma, number);
		comma = ",";
		begun = last = number;
	}
	return *comma == ',';
}

char *claw_code_lines_text(const struct claw_code_lines *lines,
			   claw_code_line_wanted *is_wanted)
{
	char *text = NULL;
	size_t size, end;
	FILE *out = claw_text_begin(&text, &size);

	for (size_t i = 0; i < lines->count; i = end) {
		end = claw_code_lines_function_end(lines, i);
		if (print_numbers(out, lines, i, end, is_wanted))
			fprintf(out, " (%s)\n", lines->items[i].function);
	}
	claw_text_end(out);
	return text;
}

/* The colon before the numbers of a line: "a.c:12-14,20 (f)"; NULL: it is no
 * such line. */
static const char *find_numbers(const char *text, const char *end)
{
	for (const char *open = text; open + 1 < end; open++) {
		const char *colon = open;

		if (open[0] != ' ' || open[1] != '(' || end[-1] != ')')
			continue;
		while (colon > text && (isdigit((unsigned char)colon[-1]) ||
					colon[-1] == '-' || colon[-1] == ','))
			colon--;
		if (colon < open && colon > text + 1 && colon[-1] == ':')
			return colon - 1;
	}
	return NULL;
}

/* "14,20 (f)": the numbers are behind `at`. false: some are none. */
static bool parse_numbers(struct claw_code_lines *lines, const char *file,
			  const char *function, char *at, const char *end,
			  uint64_t runs, bool mark)
{
	while (at < end) {
		unsigned long first = strtoul(at + 1, &at, 10), last = first;

		if (*at == '-')
			last = strtoul(at + 1, &at, 10);
		if ((*at != ',' && at != end) || first == 0 || last < first ||
		    last - first > LINES_MAX || last >= UINT_MAX)
			return false;
		for (; first <= last; first++)
			claw_code_lines_add(lines, file, function,
					    (unsigned int)first, runs, mark);
	}
	return true;
}

static bool parse_line(struct claw_code_lines *lines, const char *text,
		       const char *end, uint64_t runs, bool mark)
{
	const char *colon = find_numbers(text, end), *open;
	char *file, *function;
	bool all;

	if (!colon)
		return false;
	open = strchr(colon, ' ');
	file = claw_strndup(text, (size_t)(colon - text));
	function = claw_strndup(open + 2, (size_t)(end - open) - 3);
	all = parse_numbers(lines, file, function, (char *)(uintptr_t)colon,
			    open, runs, mark);
	free(file);
	free(function);
	return all;
}

bool claw_code_lines_parse(struct claw_code_lines *lines, const char *text,
			   uint64_t runs, bool mark)
{
	bool all = true;

	while (*text) {
		const char *end = text + strcspn(text, "\n");

		if (end > text && !parse_line(lines, text, end, runs, mark))
			all = false;
		text = end + (*end == '\n');
	}
	return all;
}

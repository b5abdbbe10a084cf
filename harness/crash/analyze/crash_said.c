/* SPDX-License-Identifier: Apache-2.0 */
/* The last lines that a program printed. */
#include "config.h"

#include "crash_report.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/text_clean.h"

enum { LINE_MAX_BYTES = 300, LINES_SHOWN = 10 };

/* Where the last lines begin, and their size. */
static const char *last_lines(const struct claw_dump *dump, size_t *ret_size)
{
	size_t size = dump->err ? dump->err_size : 0, from;
	unsigned int lines = 0;

	while (size && (dump->err[size - 1] == '\n' || !dump->err[size - 1]))
		size--;
	for (from = size; from > 0; from--)
		if (dump->err[from - 1] == '\n' && ++lines == LINES_SHOWN)
			break;
	*ret_size = size - from;
	return size ? dump->err + from : "";
}

/* The next one, malloced, fit to be printed; NULL: no more. */
static char *next_line(const char **at, size_t *left)
{
	const char *newline = *left ? memchr(*at, '\n', *left) : NULL;
	size_t length = newline ? (size_t)(newline - *at) : *left;
	size_t used = newline ? length + 1 : length;
	char *line = *left ? claw_text_clean(*at, length < LINE_MAX_BYTES ?
					     length : LINE_MAX_BYTES) : NULL;

	*at += used;
	*left -= used;
	return line;
}

void claw_crash_print_said(const struct claw_crash_view *view)
{
	size_t left;
	const char *at = last_lines(view->dump, &left);
	char *line;

	if (left)
		fputs("\nLast output on standard error:\n", view->out);
	while ((line = next_line(&at, &left))) {
		fprintf(view->out, "  | %s\n", line);
		free(line);
	}
}

json_t *claw_crash_said_json(const struct claw_crash_view *view)
{
	size_t left;
	const char *at = last_lines(view->dump, &left);
	json_t *lines = json_array();
	char *line;

	while ((line = next_line(&at, &left))) {
		json_array_append_new(lines, json_string(line));
		free(line);
	}
	return lines;
}

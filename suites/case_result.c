/* SPDX-License-Identifier: Apache-2.0 */
/* Write a case's result file: words between tabs, each escaped. */
#include "config.h"

#include "case_result.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *file;

int claw_case_result_open(void)
{
	const char *path = getenv("OPENCLAW_CASE_RESULT");

	if (!path || !*path)
		return 0;
	file = fopen(path, "we");
	if (file)
		return 0;
	fprintf(stderr, "%s: %s\n", path, strerror(errno));
	return -1;
}

static void put_escaped(const char *word)
{
	for (const char *c = word; *c; c++) {
		if (*c == '\n')
			fputs("\\n", file);
		else if (*c == '\t')
			fputs("\\t", file);
		else if (*c == '\\')
			fputs("\\\\", file);
		else
			fputc(*c, file);
	}
}

void claw_case_result_line(const char *word, ...)
{
	va_list words;

	if (!file)
		return;
	va_start(words, word);
	for (const char *w = word; w; w = va_arg(words, const char *)) {
		if (w != word)
			fputc('\t', file);
		put_escaped(w);
	}
	va_end(words);
	fputc('\n', file);
	fflush(file);
}

void claw_case_result_fact(const char *key, const char *value)
{
	if (!file)
		fprintf(stderr, "%s: %s\n", key, value);
	claw_case_result_line("fact", key, value, NULL);
}

int claw_case_result_close(void)
{
	int bad;

	if (!file)
		return 0;
	bad = ferror(file);
	bad |= fclose(file);
	file = NULL;
	return bad ? -1 : 0;
}

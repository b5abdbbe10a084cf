/* SPDX-License-Identifier: Apache-2.0 */
/* Words in what a program printed. */
#include "config.h"

#include "crash_output.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/text_clean.h"

enum { LINE_MAX_BYTES = 300 };

static bool has_word(const char *line, size_t length, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		if (memmem(line, length, words[i], strlen(words[i])))
			return true;
	return false;
}

static char *find_line(const char *text, size_t size, const char *const *words)
{
	size_t at = 0;

	while (text && at < size) {
		const char *newline = memchr(text + at, '\n', size - at);
		size_t length = newline ? (size_t)(newline - text) - at :
			size - at;

		if (has_word(text + at, length, words))
			return claw_text_clean(text + at,
					       length < LINE_MAX_BYTES ?
					       length : LINE_MAX_BYTES);
		at += length + 1;
	}
	return NULL;
}

char *claw_crash_said(const struct claw_dump *dump, const char *const *words)
{
	char *line = find_line(dump->err, dump->err_size, words);

	return line ? line : find_line(dump->out, dump->out_size, words);
}

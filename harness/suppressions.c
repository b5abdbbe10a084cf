/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suppressions of leaks, in the form of LeakSanitizer's files:
 *
 *	FILE	= { LINE "\n" }
 *	LINE	= BLANKS [ "#" ANYTHING | "leak:" GLOB BLANKS ]
 *	GLOB	= [ "^" ] TEXT-WITH-* [ "$" ]
 */
#include "config.h"

#include "leaks.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../faults/plan.h"
#include "errors.h"

#define KIND "leak:"

enum { LINE_MAX_BYTES = 4096, FOUND_BYTES = 40 };

/* A line of the file: where, and what is wrong with it. */
struct line {
	const char *path;
	size_t number;
	char *error;
	size_t error_size;
};

/* What a message shows of it. */
static void copy_printable(char *to, size_t size, const char *from)
{
	size_t i = 0;

	for (; from[i] && i + 1 < size; i++)
		to[i] = isprint((unsigned char)from[i]) ? from[i] : '?';
	to[i] = '\0';
}

static int refuse(const struct line *line, size_t column, const char *expected,
		  const char *found)
{
	char shown[FOUND_BYTES];

	copy_printable(shown, sizeof(shown), found);
	snprintf(line->error, line->error_size,
		 "%s:%zu:%zu: expected %s, found %s%s%s", line->path,
		 line->number, column, expected, *shown ? "\"" : "",
		 *shown ? shown : "the end of the line", *shown ? "\"" : "");
	return -CLAW_E_SYNTAX;
}

/* "*TEXT*", or without the star at an end that is tied. */
static char *make_pattern(const char *glob)
{
	size_t length = strlen(glob);
	bool start = *glob == '^';
	bool end = length > start && glob[length - 1] == '$';
	char *pattern = NULL;

	if (asprintf(&pattern, "%s%.*s%s", start ? "" : "*",
		     (int)(length - start - end), glob + start,
		     end ? "" : "*") < 0)
		return NULL;
	return pattern;
}

static int add(struct claw_suppressions *to, const struct line *line,
	       const char *glob)
{
	struct claw_suppression new = {
		.glob = strdup(glob), .pattern = make_pattern(glob),
	};
	struct claw_suppression *larger =
		realloc(to->items, (to->count + 1) * sizeof(*larger));

	if (larger)
		to->items = larger;
	if (asprintf(&new.origin, "%s:%zu", line->path, line->number) < 0)
		new.origin = NULL;
	if (!larger || !new.glob || !new.pattern || !new.origin) {
		free(new.glob);
		free(new.pattern);
		free(new.origin);
		return -CLAW_E_NO_MEMORY;
	}
	larger[to->count++] = new;
	return 0;
}

static int parse_line(const struct line *line, char *text, size_t length,
		      struct claw_suppressions *to)
{
	size_t start = strspn(text, " \t"), column;
	char *glob;

	if (strlen(text) != length)
		return refuse(line, strlen(text) + 1, "text", "\x01");
	if (length > LINE_MAX_BYTES)
		return refuse(line, LINE_MAX_BYTES + 1,
			      "a line of at most 4096 bytes",
			      text + LINE_MAX_BYTES);
	while (length > start && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
	if (!text[start] || text[start] == '#')
		return 0;
	if (strncmp(text + start, KIND, strlen(KIND)) != 0)
		return refuse(line, start + 1, "\"" KIND "GLOB\" or # and a "
			      "comment", text + start);
	glob = text + start + strlen(KIND);
	column = start + strlen(KIND) + 1;
	if (glob[strspn(glob, "^$*")] == '\0')
		return refuse(line, column, "the name of a function, a file, a "
			      "module or a call after \"" KIND "\"", glob);
	return add(to, line, glob);
}

int claw_suppressions_read(const char *path, struct claw_suppressions *to,
			   char *error, size_t error_size)
{
	struct line line = { .path = path, .error = error,
			     .error_size = error_size };
	FILE *in = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;
	ssize_t length = 0;
	int ret = in ? 0 : -CLAW_E_IO;

	errno = in ? 0 : errno;
	while (ret == 0 && (length = getline(&text, &room, in)) >= 0) {
		line.number++;
		if (length > 0 && text[length - 1] == '\n')
			text[--length] = '\0';
		ret = parse_line(&line, text, (size_t)length, to);
	}
	if (ret == 0 && ferror(in))
		ret = -CLAW_E_IO;
	if (ret == -CLAW_E_IO)
		snprintf(error, error_size, "%s: %s", path, strerror(errno));
	free(text);
	if (in)
		fclose(in);
	return ret;
}

void claw_suppressions_release(struct claw_suppressions *suppressions)
{
	for (size_t i = 0; i < suppressions->count; i++) {
		free(suppressions->items[i].glob);
		free(suppressions->items[i].pattern);
		free(suppressions->items[i].origin);
	}
	free(suppressions->items);
	*suppressions = (struct claw_suppressions) { .items = NULL };
}

/* "clCreateBuffer < load_tile < main", malloced. */
static char *chain_of(const struct claw_leak *leak)
{
	char *chain = NULL;

	return asprintf(&chain, "%s < %s", leak->api, leak->name) < 0 ? NULL :
		chain;
}

static bool matches(const char *pattern, const struct claw_leak *leak,
		    const char *chain)
{
	if (claw_glob_match(pattern, leak->api) ||
	    claw_glob_match(pattern, chain))
		return true;
	for (char **word = leak->words; word && *word; word++)
		if (claw_glob_match(pattern, *word))
			return true;
	return false;
}

void claw_leaks_suppress(struct claw_leaks *leaks, enum claw_leak_check which,
			 struct claw_suppressions *suppressions)
{
	for (size_t i = 0; i < leaks->count; i++) {
		struct claw_leak *leak = &leaks->items[i];
		bool wanted = which == CLAW_LEAK_ALL || leak->definite;
		char *chain = wanted ? chain_of(leak) : NULL;

		for (size_t s = 0; chain && !leak->suppressed_by &&
		     s < suppressions->count; s++) {
			struct claw_suppression *one = &suppressions->items[s];

			if (!matches(one->pattern, leak, chain))
				continue;
			leak->suppressed_by = one->glob;
			one->used += leak->count;
		}
		free(chain);
	}
}

void claw_leak_write_suppression(const struct claw_leak *leak, FILE *out)
{
	char *chain = chain_of(leak);

	/* A line break in a name can only be one that nobody wrote. */
	for (char *c = chain; c && *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	fprintf(out, KIND "^%s$\n", chain ? chain : leak->name);
	free(chain);
}

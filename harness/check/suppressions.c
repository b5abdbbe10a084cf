/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suppressions, in the form of LeakSanitizer's files:
 *
 *	FILE	= { LINE "\n" }
 *	LINE	= BLANKS [ "#" ANYTHING | KIND ":" GLOB BLANKS ]
 *	KIND	= "leak" | "lifetime" | "guards" | "kernels"
 *	GLOB	= [ "^" ] TEXT-WITH-* [ "$" ]
 */
#include "config.h"

#include "suppressions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/plan.h"
#include "harness/base/errors.h"
#include "leaks.h"
#include "harness/files/outside_file.h"
#include "harness/base/text.h"

static const char *const kind_names[CLAW_SUPPRESS_COUNT] = {
	[CLAW_SUPPRESS_LEAK] = "leak",
	[CLAW_SUPPRESS_LIFETIME] = "lifetime",
	[CLAW_SUPPRESS_GUARDS] = "guards",
	[CLAW_SUPPRESS_KERNELS] = "kernels",
};

enum { LINE_MAX_BYTES = 4096, FOUND_BYTES = 40 };

const char *claw_suppression_kind_name(enum claw_suppression_kind kind)
{
	return kind_names[kind];
}

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

	return claw_format("%s%.*s%s", start ? "" : "*",
			   (int)(length - start - end), glob + start,
			   end ? "" : "*");
}

static void add(struct claw_suppressions *to, const struct line *line,
		enum claw_suppression_kind kind, const char *glob)
{
	to->items = claw_one_more(to->items, to->count, sizeof(*to->items));
	to->items[to->count++] = (struct claw_suppression) {
		.kind = kind, .glob = claw_strdup(glob),
		.pattern = make_pattern(glob),
		.origin = claw_format("%s:%zu", line->path, line->number),
	};
}

/* What begins with "KIND:"; its length, 0: nothing does. */
static size_t find_kind(const char *text, enum claw_suppression_kind *ret_kind)
{
	for (size_t i = 0; i < CLAW_SUPPRESS_COUNT; i++) {
		size_t length = strlen(kind_names[i]);

		if (claw_begins(text, kind_names[i]) && text[length] == ':') {
			*ret_kind = (enum claw_suppression_kind)i;
			return length + 1;
		}
	}
	return 0;
}

static int parse_line(const struct line *line, char *text, size_t length,
		      struct claw_suppressions *to)
{
	size_t start = strspn(text, " \t"), prefix;
	enum claw_suppression_kind kind;
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
	prefix = find_kind(text + start, &kind);
	if (prefix == 0)
		return refuse(line, start + 1, "\"leak:GLOB\", "
			      "\"lifetime:GLOB\", \"guards:GLOB\", "
			      "\"kernels:GLOB\" or # and a "
			      "comment", text + start);
	glob = text + start + prefix;
	if (glob[strspn(glob, "^$*")] == '\0')
		return refuse(line, start + prefix + 1, "the name of a "
			      "function, a file, a module or a call after the "
			      "colon", glob);
	add(to, line, kind, glob);
	return 0;
}

int claw_suppressions_read(const char *path, struct claw_suppressions *to,
			   char *error, size_t error_size)
{
	struct line line = { .path = path, .error = error,
			     .error_size = error_size };
	char *bytes = NULL, *next;
	size_t size = 0;
	int ret = claw_outside_read(path, CLAW_OUTSIDE_GIVEN,
				    CLAW_OUTSIDE_TEXT_MAX, &bytes, &size);

	if (ret == -CLAW_E_IO || ret == -CLAW_E_LIMIT)
		snprintf(error, error_size, "%s: %s", path,
			 claw_outside_why(path));
	for (char *text = bytes; ret == 0 && text < bytes + size; text = next) {
		char *end = memchr(text, '\n', (size_t)(bytes + size - text));

		end = end ? end : bytes + size;
		next = end + 1;
		*end = '\0';
		line.number++;
		ret = parse_line(&line, text, (size_t)(end - text), to);
	}
	free(bytes);
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

/* ---- what they match ----------------------------------------------------- */

static bool matches(const char *pattern, const char *const *texts,
		    char *const *words)
{
	for (; *texts; texts++)
		if (claw_glob_match(pattern, *texts))
			return true;
	for (; words && *words; words++)
		if (claw_glob_match(pattern, *words))
			return true;
	return false;
}

const struct claw_suppression *
claw_suppressions_find(struct claw_suppressions *suppressions,
		       enum claw_suppression_kind kind,
		       const char *const *texts, char *const *words,
		       uint64_t more)
{
	for (size_t i = 0; i < suppressions->count; i++) {
		struct claw_suppression *one = &suppressions->items[i];

		if (one->kind == kind && matches(one->pattern, texts, words)) {
			one->used += more;
			return one;
		}
	}
	return NULL;
}

void claw_suppression_write(enum claw_suppression_kind kind, const char *chain,
			    FILE *out)
{
	fprintf(out, "%s:^", kind_names[kind]);
	/* A line break in a name can only be one that nobody wrote. */
	for (; *chain; chain++)
		fputc(iscntrl((unsigned char)*chain) ? '?' : *chain, out);
	fputs("$\n", out);
}

/* ---- leaks --------------------------------------------------------------- */

/* "clCreateBuffer < load_tile < main", malloced. */
static char *chain_of(const struct claw_leak *leak)
{
	return claw_format("%s < %s", leak->api, leak->name);
}

void claw_leaks_suppress(struct claw_leaks *leaks, enum claw_leak_check which,
			 struct claw_suppressions *suppressions)
{
	for (size_t i = 0; i < leaks->count; i++) {
		struct claw_leak *leak = &leaks->items[i];
		char *chain = chain_of(leak);
		const char *const texts[] = { leak->api, chain, NULL };
		const struct claw_suppression *one =
			which != CLAW_LEAK_ALL && !leak->definite ? NULL :
			claw_suppressions_find(suppressions, CLAW_SUPPRESS_LEAK,
					       texts, leak->words, leak->count);

		leak->suppressed_by = one ? one->glob : NULL;
		free(chain);
	}
}

void claw_leak_write_suppression(const struct claw_leak *leak, FILE *out)
{
	char *chain = chain_of(leak);

	claw_suppression_write(CLAW_SUPPRESS_LEAK, chain, out);
	free(chain);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compare the output and the files of two runs.
 */
#include "config.h"

#include "results.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../faults/api.h"
#include "errors.h"

enum { SHOWN_BYTES = 60, LINES_MAX = 200000 };

/* The part of a line that a message shows, without what a terminal obeys. */
static void print_shown(FILE *out, const char *line, ssize_t size)
{
	if (size < 0) {
		fputs("its end", out);
		return;
	}
	while (size > 0 && (line[size - 1] == '\n' || line[size - 1] == '\r'))
		size--;
	fputc('"', out);
	for (ssize_t i = 0; i < size && i < SHOWN_BYTES; i++) {
		unsigned char byte = (unsigned char)line[i];

		if (byte < ' ' || byte == 0x7f)
			fprintf(out, "#x%02X", byte);
		else
			fputc(byte, out);
	}
	fputs(size > SHOWN_BYTES ? "...\"" : "\"", out);
}

static int say(const char *what, size_t number, const char *a, ssize_t a_size,
	       const char *b, ssize_t b_size, char **ret_text)
{
	size_t size;
	FILE *out = open_memstream(ret_text, &size);

	if (!out)
		return -CLAW_E_NO_MEMORY;
	fprintf(out, "%s, line %zu: ", what, number);
	print_shown(out, a, a_size);
	fputs(" and ", out);
	print_shown(out, b, b_size);
	return fclose(out) == 0 ? 0 : -CLAW_E_NO_MEMORY;
}

static int compare_open(FILE *a, FILE *b, const char *what, char **ret_text)
{
	char *a_line = NULL, *b_line = NULL;
	size_t a_room = 0, b_room = 0, number = 0;
	int ret = 0;

	for (;;) {
		ssize_t a_size = getline(&a_line, &a_room, a);
		ssize_t b_size = getline(&b_line, &b_room, b);

		number++;
		if (a_size < 0 && b_size < 0)
			break;
		if (a_size == b_size &&
		    memcmp(a_line, b_line, (size_t)a_size) == 0)
			continue;
		ret = say(what, number, a_line, a_size, b_line, b_size,
			  ret_text);
		break;
	}
	if (ferror(a) || ferror(b))
		ret = -CLAW_E_IO;
	free(a_line);
	free(b_line);
	return ret;
}

/* Numbers and runs of blanks become one character each. */
static size_t normalise(char *line, size_t size)
{
	size_t kept = 0;

	for (size_t i = 0; i < size;) {
		unsigned char byte = (unsigned char)line[i];

		if (isdigit(byte) || ((byte == '-' || byte == '.') &&
				      i + 1 < size &&
				      isdigit((unsigned char)line[i + 1]))) {
			line[kept++] = '#';
			i++;
			while (i < size && (isxdigit((unsigned char)line[i]) ||
					    strchr(".xX+", line[i])))
				i++;
		} else if (isspace(byte)) {
			while (i < size && isspace((unsigned char)line[i]))
				i++;
			if (kept && i < size)
				line[kept++] = ' ';
		} else {
			line[kept++] = line[i++];
		}
	}
	/* What is no number is a number, too. */
	line[kept] = '\0';
	for (const char *word = "nan\0inf\0"; *word; word += 4)
		for (char *at; (at = strcasestr(line, word));) {
			bool alone = (at == line ||
				      !isalpha((unsigned char)at[-1])) &&
				!isalpha((unsigned char)at[3]);

			if (!alone)
				break;
			*at = '#';
			memmove(at + 1, at + 3, strlen(at + 3) + 1);
		}
	return strlen(line);
}

struct lines {
	char **items;
	size_t count, room;
};

static bool add_line(struct lines *all, const char *line)
{
	if (all->count == all->room) {
		size_t room = all->room ? all->room * 2 : 256;
		char **larger = realloc(all->items, room * sizeof(*larger));

		if (!larger)
			return false;
		all->items = larger;
		all->room = room;
	}
	all->items[all->count] = strdup(line);
	return all->items[all->count] && ++all->count < LINES_MAX;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool has_line(const struct lines *all, const char *line)
{
	return all->count && bsearch(&line, all->items, all->count,
				     sizeof(char *), compare_lines);
}

static void read_known(const char *path, struct lines *all)
{
	FILE *in = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	ssize_t size;

	while (in && (size = getline(&line, &room, in)) > 0) {
		normalise(line, (size_t)size);
		if (!add_line(all, line))
			break;
	}
	free(line);
	if (in)
		fclose(in);
}

/* "no platforms found", "not here"; "sorted: no" is a result. */
static bool denies(const char *line)
{
	for (const char *at = line; (at = strcasestr(at, "no")); at += 2) {
		const char *end = at + 2 + ((at[2] | ' ') == 't');

		if ((at == line || !isalnum((unsigned char)at[-1])) &&
		    isspace((unsigned char)*end) &&
		    isalpha((unsigned char)end[1]))
			return true;
	}
	return false;
}

/* Does it name a function of OpenCL, as in "clGetPlatformIDs (-6)"? */
static bool names_function(const char *line)
{
	for (const char *at = line; (at = strstr(at, "cl")); at += 2) {
		char name[64];
		size_t size = 2;

		while (isalnum((unsigned char)at[size]) &&
		       size < sizeof(name) - 1)
			size++;
		memcpy(name, at, size);
		name[size] = '\0';
		if (claw_api_find(name) >= 0)
			return true;
	}
	return false;
}

/* Does the line sound like a complaint? */
static bool complains(const char *line)
{
	static const char *const words[] = {
		"error", "fail", "skip", "warn", "cannot", "can't", "could not",
		"couldn't", "unable", "abort", "invalid", "out of", "not enough",
		"insufficient", "unavailable", "not available", "unsupported",
		"exception", "wrong", "mismatch", "refus", "lost", "denied",
		"incorrect", "bad ", "CL_", "problem", "no device", "give up",
		"giving up", "retry", "fallback", "falling back", "build log",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcasestr(line, words[i]))
			return true;
	return denies(line) || names_function(line);
}

static size_t count_lines(const char *path)
{
	FILE *in = fopen(path, "re");
	char *line = NULL;
	size_t room = 0, count = 0;

	while (in && getline(&line, &room, in) > 0)
		count++;
	free(line);
	if (in)
		fclose(in);
	return count;
}

/* The first new line; any: also one that does not complain. */
static char *find_new(const char *path, const struct lines *known, bool any)
{
	FILE *in = fopen(path, "re");
	char *line = NULL, *found = NULL;
	size_t room = 0;
	ssize_t size;

	while (in && !found && (size = getline(&line, &room, in)) > 0) {
		char *whole;

		if (strncmp(line, "openclaw: ", 10) == 0)
			continue;
		line[strcspn(line, "\r\n")] = '\0';
		whole = strdup(line);
		normalise(line, strlen(line));
		if (*line && strspn(line, "# .,:;|-+*=") != strlen(line) &&
		    (any || complains(line)) && !has_line(known, line)) {
			found = whole;
			whole = NULL;
		}
		free(whole);
	}
	free(line);
	if (in)
		fclose(in);
	return found;
}

int claw_results_compare(const char *first, const char *second,
			 const char *what, char **ret_difference)
{
	FILE *a = fopen(first, "re"), *b = fopen(second, "re");
	int ret = 0;

	*ret_difference = NULL;
	if (a && b)
		ret = compare_open(a, b, what, ret_difference);
	else if ((a || b) && asprintf(ret_difference, "%s is there in one run "
				      "and missing in the other", what) < 0) {
		*ret_difference = NULL;
		ret = -CLAW_E_NO_MEMORY;
	}
	if (a)
		fclose(a);
	if (b)
		fclose(b);
	return ret;
}

char *claw_results_said(const struct claw_results_output *run,
			const struct claw_results_output *known,
			size_t known_count)
{
	struct lines lines = { NULL, 0, 0 };
	size_t most = 0;
	char *found;

	for (size_t i = 0; i < known_count; i++) {
		size_t count = count_lines(known[i].out);

		most = count > most ? count : most;
		read_known(known[i].out, &lines);
		read_known(known[i].err, &lines);
	}
	if (lines.count)
		qsort(lines.items, lines.count, sizeof(char *), compare_lines);
	found = find_new(run->err, &lines, true);
	if (!found)
		found = find_new(run->out, &lines, false);
	if (!found && count_lines(run->out) > most)
		found = find_new(run->out, &lines, true);
	for (size_t i = 0; i < lines.count; i++)
		free(lines.items[i]);
	free(lines.items);
	return found;
}

int claw_results_keep(const char *from, const char *to)
{
	FILE *in = fopen(from, "re"), *out;
	static char bytes[65536];
	size_t size;
	int ret = 0;

	if (!in) {
		unlink(to);
		return errno == ENOENT ? 0 : -CLAW_E_IO;
	}
	out = fopen(to, "we");
	while (out && (size = fread(bytes, 1, sizeof(bytes), in)) > 0)
		if (fwrite(bytes, 1, size, out) != size)
			break;
	if (!out || ferror(in) || ferror(out))
		ret = -CLAW_E_IO;
	if (out && fclose(out) != 0)
		ret = -CLAW_E_IO;
	fclose(in);
	return ret;
}

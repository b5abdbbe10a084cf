/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compare the output and the files of two runs.
 */
#include "config.h"

#include "results.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/shared/api.h"
#include "harness/base/errors.h"
#include "hash.h"
#include "harness/base/memory.h"
#include "outside_file.h"
#include "harness/base/text_clean.h"

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
	claw_text_put(out, line, size < SHOWN_BYTES ? (size_t)size :
		      SHOWN_BYTES, "");
	fputs(size > SHOWN_BYTES ? "...\"" : "\"", out);
}

static void say(const char *what, size_t number, const char *a, ssize_t a_size,
		const char *b, ssize_t b_size, char **ret_text)
{
	size_t size;
	FILE *out = claw_text_begin(ret_text, &size);

	fprintf(out, "%s, line %zu: ", what, number);
	print_shown(out, a, a_size);
	fputs(" and ", out);
	print_shown(out, b, b_size);
	claw_text_end(out);
}

/* Is that no text? */
static bool is_binary(FILE *in)
{
	char bytes[8192];
	size_t size;

	rewind(in);
	size = fread(bytes, 1, sizeof(bytes), in);
	return memchr(bytes, '\0', size) != NULL;
}

/* Where two files of any bytes differ first, from 0. */
static uint64_t find_difference(FILE *a, FILE *b)
{
	uint64_t at = 0;
	int c;

	rewind(a);
	rewind(b);
	while ((c = getc(a)) == getc(b) && c != EOF)
		at++;
	return at;
}

/* Their bytes are nothing to read, nor for a terminal. */
static char *say_bytes(const char *what, const char *first, const char *second,
		       uint64_t at)
{
	char hashes[2][CLAW_HASH_TEXT_BYTES] = { "", "" };
	uint64_t bytes[2] = { 0, 0 };

	claw_hash_file(first, hashes[0], &bytes[0]);
	claw_hash_file(second, hashes[1], &bytes[1]);
	return claw_format("%s: %" PRIu64 " and %" PRIu64 " bytes, first "
			   "difference at byte %" PRIu64 ", sha256 %.12s... "
			   "and %.12s...", what, bytes[0], bytes[1], at,
			   hashes[0], hashes[1]);
}

static int compare_open(FILE *a, FILE *b, const char *what, char **ret_text)
{
	char *a_line = NULL, *b_line = NULL;
	size_t a_room = 0, b_room = 0, number = 0;
	int ret = 0;

	for (;;) {
		ssize_t a_size = claw_getline(&a_line, &a_room, a);
		ssize_t b_size = claw_getline(&b_line, &b_room, b);

		number++;
		if (a_size < 0 && b_size < 0)
			break;
		if (a_size == b_size &&
		    memcmp(a_line, b_line, (size_t)a_size) == 0)
			continue;
		say(what, number, a_line, a_size, b_line, b_size, ret_text);
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
		char **larger = claw_grow(all->items, room, sizeof(*larger));

		all->items = larger;
		all->room = room;
	}
	all->items[all->count++] = claw_strdup(line);
	return all->count < LINES_MAX;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* How often the line is among them; they are sorted. */
static size_t count_line(const struct lines *all, const char *line)
{
	char **found = all->count ? bsearch(&line, all->items, all->count,
					    sizeof(char *), compare_lines) :
		NULL;
	char **from = found, **to = found;

	if (!found)
		return 0;
	while (from > all->items && strcmp(from[-1], line) == 0)
		from--;
	while (to < all->items + all->count && strcmp(*to, line) == 0)
		to++;
	return (size_t)(to - from);
}

static void read_known(const char *path, struct lines *all)
{
	FILE *in = claw_outside_stream(path);
	char *line = NULL;
	size_t room = 0;
	ssize_t size;

	while (in && (size = claw_getline(&line, &room, in)) > 0) {
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
	FILE *in = claw_outside_stream(path);
	char *line = NULL;
	size_t room = 0, count = 0;

	while (in && claw_getline(&line, &room, in) > 0)
		count++;
	free(line);
	if (in)
		fclose(in);
	return count;
}

/* What a run printed on both, and each of the known runs. */
struct said {
	struct lines own, *known;
	size_t known_count;
};

static size_t most_often(const struct said *said, const char *line)
{
	size_t most = 0;

	for (size_t i = 0; i < said->known_count; i++) {
		size_t times = count_line(&said->known[i], line);

		most = times > most ? times : most;
	}
	return most;
}

/* A line that no known run has, or a complaint that none has as often; any:
 * also one that does not complain. */
static bool is_new(const struct said *said, const char *line, bool any)
{
	size_t before = most_often(said, line);

	if (before == 0)
		return any || complains(line);
	return complains(line) && count_line(&said->own, line) > before;
}

/* The first of them. */
static char *find_new(const char *path, const struct said *said, bool any)
{
	FILE *in = claw_outside_stream(path);
	char *line = NULL, *found = NULL;
	size_t room = 0;
	ssize_t size;

	while (in && !found && (size = claw_getline(&line, &room, in)) > 0) {
		char *whole;

		if (strncmp(line, "openclaw: ", 10) == 0)
			continue;
		line[strcspn(line, "\r\n")] = '\0';
		whole = claw_strdup(line);
		normalise(line, strlen(line));
		if (*line && strspn(line, "# .,:;|-+*=") != strlen(line) &&
		    is_new(said, line, any)) {
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

static void read_output(const struct claw_results_output *output,
			struct lines *all)
{
	read_known(output->out, all);
	read_known(output->err, all);
	if (all->count)
		qsort(all->items, all->count, sizeof(char *), compare_lines);
}

static void lines_release(struct lines *all)
{
	for (size_t i = 0; i < all->count; i++)
		free(all->items[i]);
	free(all->items);
}

int claw_results_compare(const char *first, const char *second,
			 const char *what, char **ret_difference)
{
	FILE *a = claw_outside_stream(first);
	int a_error = a ? 0 : errno;
	FILE *b = claw_outside_stream(second);
	int b_error = b ? 0 : errno, ret = 0;

	*ret_difference = NULL;
	/* What is there and cannot be read is not the same as anything. */
	if ((a_error && a_error != ENOENT) || (b_error && b_error != ENOENT))
		ret = -CLAW_E_IO;
	else if (a && b)
		ret = compare_open(a, b, what, ret_difference);
	else if (a || b)
		*ret_difference = claw_format("%s is there in one run and "
					      "missing in the other", what);
	if (a && b && *ret_difference && (is_binary(a) || is_binary(b))) {
		free(*ret_difference);
		*ret_difference = say_bytes(what, first, second,
					    find_difference(a, b));
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
	struct said said = {
		.known = claw_calloc(known_count + 1, sizeof(*said.known)),
		.known_count = known_count,
	};
	size_t most = 0;
	char *found;

	if (!said.known)
		return NULL;
	for (size_t i = 0; i < known_count; i++) {
		size_t count = count_lines(known[i].out);

		most = count > most ? count : most;
		read_output(&known[i], &said.known[i]);
	}
	read_output(run, &said.own);
	found = find_new(run->err, &said, true);
	if (!found)
		found = find_new(run->out, &said, false);
	if (!found && count_lines(run->out) > most)
		found = find_new(run->out, &said, true);
	for (size_t i = 0; i < known_count; i++)
		lines_release(&said.known[i]);
	free(said.known);
	lines_release(&said.own);
	return found;
}

char *claw_results_last_line(const char *path)
{
	FILE *in = claw_outside_stream(path);
	char *line = NULL, *last = NULL;
	size_t room = 0;

	while (in && claw_getline(&line, &room, in) > 0) {
		size_t size = strcspn(line, "\r\n");

		if (strncmp(line, "openclaw: ", 10) == 0 ||
		    strspn(line, " \t") == size)
			continue;
		free(last);
		last = claw_text_clean(line, size);
	}
	free(line);
	if (in)
		fclose(in);
	return last;
}

int claw_results_keep(const char *from, bool is_input, const char *to)
{
	FILE *in = is_input ? claw_outside_input(from) :
		claw_outside_stream(from), *out;
	static char bytes[65536];
	uint64_t all = 0;
	size_t size;
	int ret = 0;

	if (!in) {
		int error = errno;

		unlink(to);
		errno = error;
		return error == ENOENT ? 0 : -CLAW_E_IO;
	}
	out = fopen(to, "we");
	while (out && all <= CLAW_OUTSIDE_STREAM_MAX &&
	       (size = fread(bytes, 1, sizeof(bytes), in)) > 0) {
		all += size;
		if (fwrite(bytes, 1, size, out) != size)
			break;
	}
	if (!out || ferror(in) || ferror(out))
		ret = -CLAW_E_IO;
	if (ret == 0 && all > CLAW_OUTSIDE_STREAM_MAX) {
		errno = EFBIG;
		ret = -CLAW_E_IO;
	}
	if (out && fclose(out) != 0)
		ret = -CLAW_E_IO;
	fclose(in);
	return ret;
}

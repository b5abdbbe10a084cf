/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a map, a line at a time:
 *
 *	MAP  = "openclaw-map 1" { newline KEY { " " WORD } }
 *	WORD = bytes but blanks; the last one has them, too, and "%XX"
 *	SUM  = N { ("+" | "-") N }
 *
 * A key is a row of keys[]; its words are read in order.
 */
#include "config.h"

#include "probe_map.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/instrument/unit/map.h"
#include "harness/files/byte_source.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"

enum {
	MAP_BYTES_MAX = 64 << 20,
	NUMBER_MAX = 1 << 26,		/* counters, lines, files ... */
};

/* How many there are may be said last: the highest that is named, and the line
 * that names it. */
struct highest {
	bool is_named;
	uint32_t number;
	unsigned int line;
};

/* A line under way. ret: the first thing that is wrong. */
struct reader {
	struct claw_probe_map *map;
	const char *path;
	unsigned int line;
	char *rest;		/* what is not read yet; NULL: nothing */
	struct highest counter, access;
	int ret;
	char *error;
	size_t error_size;
};

static void fail(struct reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void fail(struct reader *reader, const char *format, ...)
{
	char what[128];
	va_list args;

	if (reader->ret < 0)
		return;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	reader->ret = -CLAW_E_SYNTAX;
	snprintf(reader->error, reader->error_size, "%s:%u: expected %s",
		 reader->path, reader->line, what);
}

/* ---- words --------------------------------------------------------------- */

/* Up to the next blank, ended there; NULL: there is none, which is wrong. */
static char *next_word(struct reader *reader, const char *what)
{
	char *word = reader->rest, *blank;

	if (!word || !*word) {
		fail(reader, "%s", what);
		return NULL;
	}
	blank = strchr(word, ' ');
	reader->rest = blank ? blank + 1 : NULL;
	if (blank)
		*blank = '\0';
	if (!*word)
		fail(reader, "%s", what);
	return word;
}

static uint32_t next_number(struct reader *reader, const char *what)
{
	char *word = next_word(reader, what), *end;
	unsigned long number;

	if (!word || reader->ret < 0)
		return 0;
	number = strtoul(word, &end, 10);
	if (*word < '0' || *word > '9' || *end || number > NUMBER_MAX) {
		fail(reader, "%s, a number up to %d", what, NUMBER_MAX);
		return 0;
	}
	return (uint32_t)number;
}

static void name(const struct reader *reader, struct highest *highest,
		 uint32_t number)
{
	if (!highest->is_named || number > highest->number)
		*highest = (struct highest) { true, number, reader->line };
}

static int hex(char digit)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = strchr(digits, digit >= 'A' && digit <= 'F' ?
				digit + 32 : digit);

	return digit && at ? (int)(at - digits) : -1;
}

static char *next_copy(struct reader *reader, const char *what)
{
	return claw_strdup_or_null(next_word(reader, what));
}

/* To the end of the line; may be empty. */
static char *last_copy(struct reader *reader)
{
	char *in = reader->rest, *out = in;

	reader->rest = NULL;
	if (!in)
		return claw_strdup("");
	for (char *at = in; *at; at++) {
		int high = *at == '%' ? hex(at[1]) : -1;
		int low = high >= 0 ? hex(at[2]) : -1;

		if (low >= 0 && (high || low)) {
			*out++ = (char)(high << 4 | low);
			at += 2;
		} else {
			*out++ = *at;
		}
	}
	*out = '\0';
	return claw_strdup(in);
}

static struct claw_map_sum next_sum(struct reader *reader)
{
	struct claw_probe_map *map = reader->map;
	struct claw_map_sum sum = { .first = map->term_count };
	char *word = next_word(reader, "counters");
	bool is_minus = false;

	for (char *at = word; at && reader->ret == 0;) {
		char *end;
		unsigned long number = strtoul(at, &end, 10);

		if (*at < '0' || *at > '9' || number > NUMBER_MAX ||
		    (*end && *end != '+' && *end != '-')) {
			fail(reader, "counters joined with + and -");
			break;
		}
		name(reader, &reader->counter, (uint32_t)number);
		map->terms = claw_one_more(map->terms, map->term_count,
					   sizeof(*map->terms));
		map->terms[map->term_count++] = (struct claw_map_term) {
			(uint32_t)number, is_minus,
		};
		sum.count++;
		is_minus = *end == '-';
		at = *end ? end + 1 : NULL;
	}
	return sum;
}

static uint32_t next_file(struct reader *reader)
{
	uint32_t file = next_number(reader, "a file's number");

	if (file >= reader->map->file_count)
		fail(reader, "a file's number that is there");
	return file;
}

/* ---- keys ---------------------------------------------------------------- */

static void read_counters(struct reader *reader)
{
	reader->map->counters = next_number(reader, "a number of counters");
}

static void read_accesses(struct reader *reader)
{
	reader->map->accesses = next_number(reader, "a number of accesses");
}

static void read_file(struct reader *reader)
{
	struct claw_probe_map *map = reader->map;

	if (next_number(reader, "a file's number") != map->file_count)
		fail(reader, "file %zu", map->file_count);
	map->files = claw_one_more(map->files, map->file_count,
				   sizeof(*map->files));
	map->files[map->file_count++] = last_copy(reader);
}

static void read_function(struct reader *reader)
{
	struct claw_probe_map *map = reader->map;
	struct claw_map_function function = {
		.counter = next_number(reader, "a counter"),
	};

	name(reader, &reader->counter, function.counter);
	function.file = next_file(reader);
	function.first_line = next_number(reader, "the first line");
	function.last_line = next_number(reader, "the last line");
	function.name = last_copy(reader);
	map->functions = claw_one_more(map->functions, map->function_count,
				       sizeof(*map->functions));
	map->functions[map->function_count++] = function;
}

static void read_line(struct reader *reader)
{
	struct claw_probe_map *map = reader->map;
	struct claw_map_line line = { .file = next_file(reader) };

	line.line = next_number(reader, "a line");
	line.runs = next_sum(reader);
	map->lines = claw_one_more(map->lines, map->line_count,
				   sizeof(*map->lines));
	map->lines[map->line_count++] = line;
}

static void read_branch(struct reader *reader)
{
	struct claw_probe_map *map = reader->map;
	struct claw_map_branch branch = { .file = next_file(reader) };

	branch.line = next_number(reader, "a line");
	branch.block = next_number(reader, "a block's number");
	branch.arm = next_number(reader, "an arm's number");
	branch.taken = next_sum(reader);
	branch.kind = last_copy(reader);
	map->branches = claw_one_more(map->branches, map->branch_count,
				      sizeof(*map->branches));
	map->branches[map->branch_count++] = branch;
}

static void read_kernel(struct reader *reader)
{
	struct claw_probe_map *map = reader->map;

	map->kernels = claw_one_more(map->kernels, map->kernel_count,
				     sizeof(*map->kernels));
	map->kernels[map->kernel_count++] = next_copy(reader,
						      "a kernel's name");
}

static void read_access(struct reader *reader)
{
	struct claw_probe_map *map = reader->map;
	struct claw_map_access access = {
		.number = next_number(reader, "an access's number"),
	};

	name(reader, &reader->access, access.number);
	access.file = next_file(reader);
	access.line = next_number(reader, "a line");
	access.column = next_number(reader, "a column");
	access.kind = next_copy(reader, "read, write, atomic, divide or shift");
	access.space = next_copy(reader, "an address space");
	access.bytes = next_number(reader, "a number of bytes");
	access.function = next_copy(reader, "a function");
	access.object = next_copy(reader, "a variable or -");
	access.text = last_copy(reader);
	map->list = claw_one_more(map->list, map->list_count,
				  sizeof(*map->list));
	map->list[map->list_count++] = access;
}

static void read_plain(struct reader *reader)
{
	struct claw_probe_map *map = reader->map;
	struct claw_map_plain plain = {
		.name = next_copy(reader, "a kernel's name"),
	};

	plain.file = next_file(reader);
	plain.line = next_number(reader, "a line");
	plain.reason = last_copy(reader);
	map->plain = claw_one_more(map->plain, map->plain_count,
				   sizeof(*map->plain));
	map->plain[map->plain_count++] = plain;
}

static const struct {
	const char *key;
	void (*read)(struct reader *reader);
} keys[] = {
	{ "counters", read_counters },
	{ "accesses", read_accesses },
	{ "file", read_file },
	{ "function", read_function },
	{ "line", read_line },
	{ "branch", read_branch },
	{ "kernel", read_kernel },
	{ "access", read_access },
	{ "plain", read_plain },
};

static void read_row(struct reader *reader, char *text)
{
	size_t length = strcspn(text, " ");

	reader->rest = text[length] ? text + length + 1 : NULL;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (strlen(keys[i].key) == length &&
		    memcmp(keys[i].key, text, length) == 0)
			keys[i].read(reader);
}

/* text: ends with a NUL, and is taken apart. */
static void read_rows(struct reader *reader, char *text)
{
	char *next = text;

	while (next && reader->ret == 0) {
		char *row = next, *newline = strchr(row, '\n');

		reader->line++;
		next = newline ? newline + 1 : NULL;
		if (newline)
			*newline = '\0';
		if (reader->line > 1)
			read_row(reader, row);
		else if (strcmp(row, CLAW_MAP_FIRST_LINE) != 0)
			fail(reader, "\"" CLAW_MAP_FIRST_LINE "\"");
	}
}

static void check_highest(struct reader *reader, const struct highest *highest,
			  const char *what, uint32_t count)
{
	if (!highest->is_named || highest->number < count)
		return;
	reader->line = highest->line;
	fail(reader, "%s below %u", what, count);
}

static int by_number(const void *a, const void *b)
{
	const struct claw_map_access *one = a, *other = b;

	return (one->number > other->number) - (one->number < other->number);
}

/* ---- public -------------------------------------------------------------- */

int claw_probe_map_parse(const char *bytes, size_t size, const char *path,
			 struct claw_probe_map *ret_map, char *error,
			 size_t error_size)
{
	struct claw_probe_map map = { .counters = 0 };
	struct reader reader = {
		.map = &map, .path = path, .error = error,
		.error_size = error_size,
	};
	char *text;

	snprintf(error, error_size, "%s", "");
	if (size > MAP_BYTES_MAX)
		return -CLAW_E_LIMIT;
	text = claw_malloc(size + 1);
	if (size > 0)
		memcpy(text, bytes, size);
	text[size] = '\0';
	read_rows(&reader, text);
	free(text);
	check_highest(&reader, &reader.counter, "counters", map.counters);
	check_highest(&reader, &reader.access, "accesses", map.accesses);
	if (reader.ret < 0) {
		claw_probe_map_release(&map);
		return reader.ret;
	}
	if (map.list_count > 1)
		qsort(map.list, map.list_count, sizeof(*map.list), by_number);
	*ret_map = map;
	return 0;
}

int claw_probe_map_read(const char *path, struct claw_probe_map *ret_map,
			char *error, size_t error_size)
{
	struct claw_source source;
	char *bytes;
	int ret = claw_source_open_own(path, &source);

	snprintf(error, error_size, "%s", "");
	if (ret < 0)
		return ret;
	if (source.size <= MAP_BYTES_MAX) {
		bytes = claw_malloc(source.size);
		ret = claw_probe_map_parse(bytes, claw_source_read(&source, 0,
			bytes, source.size), path, ret_map, error, error_size);
		free(bytes);
	} else {
		ret = -CLAW_E_LIMIT;
	}
	claw_source_close(&source);
	return ret;
}

static void release_access(struct claw_map_access *access)
{
	free(access->kind);
	free(access->space);
	free(access->function);
	free(access->object);
	free(access->text);
}

void claw_probe_map_release(struct claw_probe_map *map)
{
	for (size_t i = 0; i < map->file_count; i++)
		free(map->files[i]);
	for (size_t i = 0; i < map->function_count; i++)
		free(map->functions[i].name);
	for (size_t i = 0; i < map->branch_count; i++)
		free(map->branches[i].kind);
	for (size_t i = 0; i < map->kernel_count; i++)
		free(map->kernels[i]);
	for (size_t i = 0; i < map->list_count; i++)
		release_access(&map->list[i]);
	for (size_t i = 0; i < map->plain_count; i++) {
		free(map->plain[i].name);
		free(map->plain[i].reason);
	}
	free(map->files);
	free(map->terms);
	free(map->functions);
	free(map->lines);
	free(map->branches);
	free(map->kernels);
	free(map->list);
	free(map->plain);
	*map = (struct claw_probe_map) { .counters = 0 };
}

const struct claw_map_access *
claw_probe_map_access(const struct claw_probe_map *map, uint32_t number)
{
	const struct claw_map_access key = { .number = number };

	return map->list_count == 0 ? NULL :
		bsearch(&key, map->list, map->list_count, sizeof(key),
			by_number);
}

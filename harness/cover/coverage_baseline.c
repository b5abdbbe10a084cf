/* SPDX-License-Identifier: Apache-2.0 */
/* Read a tracefile, and compare lines. */
#include "config.h"

#include "coverage_baseline.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/byte_source.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

enum { BYTES_MAX = 256 << 20 };

/* ---- the tracefile ------------------------------------------------------- */

struct reader {
	const char *path;
	unsigned int line;
	char file[PATH_MAX];		/* of the section, "": none */
	struct claw_code_lines *lines;
	char *error;
	size_t error_size;
};

static int fail(const struct reader *reader, const char *expected)
{
	snprintf(reader->error, reader->error_size, "%s:%u: expected %s",
		 reader->path, reader->line, expected);
	return -CLAW_E_SYNTAX;
}

/* "DA:LINE,COUNT[,CHECKSUM]"; lcov writes negative counts of old compilers. */
static int read_data(struct reader *reader, const char *text)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);
	long long runs;

	if (end == text || *end != ',' || *text < '0' || *text > '9' ||
	    number >= UINT_MAX)
		return fail(reader, "DA:LINE,COUNT");
	text = end + 1;
	runs = strtoll(text, &end, 10);
	if (end == text || (*end && *end != ',' && *end != '\r'))
		return fail(reader, "DA:LINE,COUNT");
	if (!*reader->file)
		return fail(reader, "SF:FILE before DA");
	claw_code_lines_add(reader->lines, reader->file, "",
			    (unsigned int)number, runs > 0 ?
			    (uint64_t)runs : 0, false);
	return 0;
}

static int read_row(struct reader *reader, char *row)
{
	row[strcspn(row, "\r")] = '\0';
	if (claw_begins(row, "SF:")) {
		if (!row[3] || strlen(row + 3) >= sizeof(reader->file))
			return fail(reader, "SF:FILE");
		snprintf(reader->file, sizeof(reader->file), "%s", row + 3);
	} else if (claw_begins(row, "DA:")) {
		return read_data(reader, row + 3);
	} else if (strcmp(row, "end_of_record") == 0) {
		reader->file[0] = '\0';
	}
	return 0;
}

int claw_tracefile_parse(const char *bytes, size_t size, const char *path,
			 struct claw_code_lines *lines, char *error,
			 size_t error_size)
{
	struct reader reader = {
		.path = path, .lines = lines, .error = error,
		.error_size = error_size,
	};
	char *text = claw_malloc(size + 1), *next = text;
	int ret = 0;

	snprintf(error, error_size, "%s", "");
	if (size > 0)
		memcpy(text, bytes, size);
	text[size] = '\0';
	while (ret == 0 && next && *next) {
		char *newline = strchr(next, '\n');

		reader.line++;
		if (newline)
			*newline = '\0';
		ret = read_row(&reader, next);
		next = newline ? newline + 1 : NULL;
	}
	free(text);
	if (ret == 0)
		claw_code_lines_sort(lines);
	if (ret == 0 && lines->count == 0) {
		reader.line++;
		ret = fail(&reader, "a tracefile of lcov, with lines DA");
	}
	return ret;
}

int claw_tracefile_read(const char *path, struct claw_code_lines *lines,
			char *error, size_t error_size)
{
	struct claw_source source;
	char *bytes;
	int ret = claw_source_open(path, &source);

	if (ret < 0)
		return ret;
	if (source.size <= BYTES_MAX) {
		bytes = claw_malloc(source.size);
		ret = claw_tracefile_parse(bytes, claw_source_read(&source, 0,
			bytes, source.size), path, lines, error, error_size);
		free(bytes);
	} else {
		errno = EFBIG;
		ret = -CLAW_E_IO;
	}
	claw_source_close(&source);
	return ret;
}

/* ---- compare ------------------------------------------------------------- */

/* A text of no file lies in the run's own folder, which is another each time:
 * there its name, which is of its bytes, is the same; of "tile.c-88-0011aabb.cl"
 * what does not depend on the line that gave it to the driver. */
static const char *name_of(const char *path)
{
	static const char folder[] = "/kernel-texts/";
	const char *found = strstr(path, folder);
	const char *key = found ? strrchr(found, '-') : NULL;

	if (key && strspn(key + 1, "0123456789abcdef") == 8 &&
	    strcmp(key + 9, ".cl") == 0)
		return key + 1;
	return found && !strchr(found + sizeof(folder) - 1, '/') ? found + 1 :
		path;
}

static void add_named(struct claw_code_lines *to,
		      const struct claw_code_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		claw_code_lines_add(to, name_of(lines->items[i].file), "",
				    lines->items[i].number,
				    lines->items[i].runs, false);
}

static void add_covered(struct claw_code_lines *to,
			const struct claw_coverage *coverage)
{
	for (size_t i = 0; i < coverage->count; i++) {
		const struct claw_coverage_file *file = &coverage->files[i];

		for (size_t j = 0; j < file->line_count; j++)
			claw_code_lines_add(to, name_of(file->path), "",
					    file->lines[j].number,
					    file->lines[j].runs, false);
	}
}

/* The index after the last line of the file that begins at `first`. */
static size_t file_end(const struct claw_code_lines *lines, size_t first)
{
	size_t end = first + 1;

	while (end < lines->count && strcmp(lines->items[end].file,
					    lines->items[first].file) == 0)
		end++;
	return end;
}

struct comparing {
	struct claw_code_lines now, before, covered, uncovered;
	FILE *files;
};

/* A file of the baseline of which this run knows nothing. */
static void lose_file(struct comparing *comparing, size_t first, size_t end)
{
	const struct claw_code_line *lines = comparing->before.items;
	size_t count = 0;

	for (size_t i = first; i < end; i++) {
		if (lines[i].runs == 0)
			continue;
		count++;
		claw_code_lines_add(&comparing->uncovered, lines[i].file, "",
				    lines[i].number, 1, false);
	}
	fprintf(comparing->files, "%s: in the baseline (%zu line%s had run), "
		"not in this run\n", lines[first].file, count,
		count == 1 ? "" : "s");
}

/* A file that both know: only lines that both know. */
static void compare_file(struct comparing *comparing, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const struct claw_code_line *line = &comparing->now.items[i];
		const struct claw_code_line *before =
			claw_code_lines_find(&comparing->before, line->file,
					     line->number);

		if (before && (before->runs > 0) != (line->runs > 0))
			claw_code_lines_add(line->runs > 0 ?
					    &comparing->covered :
					    &comparing->uncovered, line->file,
					    "", line->number, 1, false);
	}
}

/* Both are sorted by file. */
static void compare_files(struct comparing *comparing)
{
	const struct claw_code_lines *now = &comparing->now;
	const struct claw_code_lines *before = &comparing->before;
	size_t i = 0, j = 0;

	while (i < now->count || j < before->count) {
		int order = i == now->count ? 1 : j == before->count ? -1 :
			strcmp(now->items[i].file, before->items[j].file);
		size_t i_end = order <= 0 ? file_end(now, i) : i;
		size_t j_end = order >= 0 ? file_end(before, j) : j;

		if (order < 0)
			fprintf(comparing->files, "%s: not in the baseline\n",
				now->items[i].file);
		else if (order > 0)
			lose_file(comparing, j, j_end);
		else
			compare_file(comparing, i, i_end);
		i = i_end;
		j = j_end;
	}
}

/* "FILE:12-14,20" a line: without the functions, which are not known. */
static char *text_of(const struct claw_code_lines *lines)
{
	char *text = claw_code_lines_text(lines, NULL), *out = text;

	for (const char *in = text; *in;) {
		const char *end = in + strcspn(in, "\n");
		size_t length = (size_t)(end - in);

		if (length >= 3 && memcmp(end - 3, " ()", 3) == 0)
			length -= 3;
		memmove(out, in, length);
		out += length;
		*out++ = '\n';
		in = end + (*end == '\n');
	}
	*out = '\0';
	return text;
}

void claw_coverage_compare(const struct claw_coverage *coverage,
			   const struct claw_code_lines *host,
			   const struct claw_code_lines *baseline,
			   struct claw_coverage_change *ret_change)
{
	struct comparing comparing = { .files = NULL };
	size_t size;

	add_covered(&comparing.now, coverage);
	if (host)
		add_named(&comparing.now, host);
	add_named(&comparing.before, baseline);
	claw_code_lines_sort(&comparing.now);
	claw_code_lines_sort(&comparing.before);
	comparing.files = claw_text_begin(&ret_change->files, &size);
	compare_files(&comparing);
	claw_text_end(comparing.files);
	ret_change->covered_count = comparing.covered.count;
	ret_change->uncovered_count = comparing.uncovered.count;
	ret_change->covered = text_of(&comparing.covered);
	ret_change->uncovered = text_of(&comparing.uncovered);
	claw_code_lines_release(&comparing.now);
	claw_code_lines_release(&comparing.before);
	claw_code_lines_release(&comparing.covered);
	claw_code_lines_release(&comparing.uncovered);
}

void claw_coverage_change_release(struct claw_coverage_change *change)
{
	free(change->covered);
	free(change->uncovered);
	free(change->files);
	*change = (struct claw_coverage_change) { .files = NULL };
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Read a tracefile, and compare lines. */
#include "config.h"

#include "coverage_baseline.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "byte_source.h"
#include "errors.h"
#include "text.h"

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
	return claw_code_lines_add(reader->lines, reader->file, "",
				   (unsigned int)number, runs > 0 ?
				   (uint64_t)runs : 0, false);
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
	char *text = malloc(size + 1), *next = text;
	int ret = text ? 0 : -CLAW_E_NO_MEMORY;

	snprintf(error, error_size, "%s", "");
	if (text && size > 0)
		memcpy(text, bytes, size);
	if (text)
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
	bytes = source.size <= BYTES_MAX ? malloc(source.size + 1) : NULL;
	if (!bytes) {
		errno = EFBIG;
		ret = source.size <= BYTES_MAX ? -CLAW_E_NO_MEMORY :
			-CLAW_E_IO;
	} else {
		ret = claw_tracefile_parse(bytes, claw_source_read(&source, 0,
			bytes, source.size), path, lines, error, error_size);
	}
	free(bytes);
	claw_source_close(&source);
	return ret;
}

/* ---- compare ------------------------------------------------------------- */

static int compare_file(const struct claw_coverage_file *file,
			const struct claw_code_lines *baseline,
			struct claw_code_lines *covered,
			struct claw_code_lines *uncovered)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < file->line_count; i++) {
		const struct claw_coverage_line *line = &file->lines[i];
		const struct claw_code_line *before =
			claw_code_lines_find(baseline, file->path,
					     line->number);

		if (!before || (before->runs > 0) == (line->runs > 0))
			continue;
		ret = claw_code_lines_add(line->runs > 0 ? covered : uncovered,
					  file->path, "", line->number, 1,
					  false);
	}
	return ret;
}

/* "FILE:12-14,20" a line: without the functions, which are not known. */
static char *text_of(const struct claw_code_lines *lines)
{
	char *text = claw_code_lines_text(lines, NULL), *out = text;

	for (const char *in = text; in && *in;) {
		const char *end = in + strcspn(in, "\n");
		size_t length = (size_t)(end - in);

		if (length >= 3 && memcmp(end - 3, " ()", 3) == 0)
			length -= 3;
		memmove(out, in, length);
		out += length;
		*out++ = '\n';
		in = end + (*end == '\n');
	}
	if (out)
		*out = '\0';
	return text;
}

int claw_coverage_compare(const struct claw_coverage *coverage,
			  const struct claw_code_lines *baseline,
			  struct claw_coverage_change *ret_change)
{
	struct claw_code_lines covered = { .items = NULL };
	struct claw_code_lines uncovered = { .items = NULL };
	struct claw_coverage_change change = { NULL, NULL, 0, 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < coverage->count; i++)
		ret = compare_file(&coverage->files[i], baseline, &covered,
				   &uncovered);
	change.covered_count = covered.count;
	change.uncovered_count = uncovered.count;
	change.covered = text_of(&covered);
	change.uncovered = text_of(&uncovered);
	claw_code_lines_release(&covered);
	claw_code_lines_release(&uncovered);
	if (ret == 0 && (!change.covered || !change.uncovered))
		ret = -CLAW_E_NO_MEMORY;
	if (ret < 0)
		claw_coverage_change_release(&change);
	else
		*ret_change = change;
	return ret;
}

void claw_coverage_change_release(struct claw_coverage_change *change)
{
	free(change->covered);
	free(change->uncovered);
	*change = (struct claw_coverage_change) { NULL, NULL, 0, 0 };
}

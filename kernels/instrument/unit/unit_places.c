/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the preprocessed text back to the original: lines by the line markers,
 * columns by the original's text, which is in the request, or a file. See
 * unit.h.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "unit.h"

enum { CLAW_UNIT_FILE_MAX = 64 << 20 };

struct claw_unit_file {
	char *name;
	bool is_looked_for;
	char *text;		/* of the original; NULL: not known */
	char *owned;		/* text, when it is ours */
	size_t *line_starts;
	size_t line_count;
};

char *claw_unit_marker_name(const char *at)
{
	if (*at != '"')
		return NULL;
	char *name = claw_malloc(strcspn(at, "\n") + 1);
	size_t length = 0;

	for (at++; *at && *at != '"' && *at != '\n'; at++) {
		if (*at == '\\' && (at[1] == '\\' || at[1] == '"'))
			at++;
		name[length++] = *at;
	}
	name[length] = '\0';
	return name;
}

static unsigned int file_number(struct claw_unit *unit, const char *name)
{
	for (size_t i = 0; i < unit->file_count; i++)
		if (strcmp(unit->files[i].name, name) == 0)
			return (unsigned int)i;
	struct claw_unit_file *grown = claw_grow(unit->files,
						 unit->file_count + 1,
						 sizeof(*grown));
	unit->files = grown;
	memset(&grown[unit->file_count], 0, sizeof(*grown));
	grown[unit->file_count].name = claw_strdup(name);
	return (unsigned int)unit->file_count++;
}

/* "# LINE "FILE" FLAGS" or "#line ...": what the next line is. */
static bool read_marker(struct claw_unit *unit, const char *at,
			unsigned int *file, unsigned int *line)
{
	char *end;

	if (*at++ != '#')
		return false;
	at += strspn(at, " \t");
	if (strncmp(at, "line", 4) == 0)
		at += 4;
	unsigned long number = strtoul(at, &end, 10);

	if (end == at)
		return false;
	char *name = claw_unit_marker_name(end + strspn(end, " \t"));

	if (name)
		*file = file_number(unit, name);
	free(name);
	*line = (unsigned int)number;
	return true;
}

void claw_unit_lines_init(struct claw_unit *unit)
{
	unsigned int file = file_number(unit, unit->request->name), line = 1;

	for (size_t at = 0; at < unit->bytes;) {
		unit->lines = claw_one_more(unit->lines, unit->line_count,
					    sizeof(*unit->lines));
		struct claw_unit_line *here = &unit->lines[unit->line_count++];

		here->start = at;
		here->file = file;
		here->line = line++;
		read_marker(unit, unit->text + at, &file, &line);
		at += strcspn(unit->text + at, "\n");
		at += unit->text[at] == '\n';
	}
}

void claw_unit_lines_release(struct claw_unit *unit)
{
	for (size_t i = 0; i < unit->file_count; i++) {
		free(unit->files[i].name);
		free(unit->files[i].owned);
		free(unit->files[i].line_starts);
	}
	free(unit->files);
	free(unit->lines);
}

static const struct claw_unit_line *line_of(const struct claw_unit *unit,
					    size_t offset)
{
	size_t low = 0, high = unit->line_count;

	while (low + 1 < high) {
		size_t middle = (low + high) / 2;

		if (unit->lines[middle].start <= offset)
			low = middle;
		else
			high = middle;
	}
	return unit->line_count ? &unit->lines[low] : NULL;
}

static char *read_file(const char *directory, const char *name)
{
	char path[4096], *text = NULL;
	size_t size;

	snprintf(path, sizeof(path), "%s%s%s", name[0] == '/' ? "" : directory,
		 name[0] == '/' ? "" : "/", name);
	return claw_outside_read(path, 0, CLAW_UNIT_FILE_MAX, &text,
				 &size) < 0 ? claw_strdup("") : text;
}

static void find_lines(struct claw_unit_file *file)
{
	for (const char *at = file->text; at && *at;) {
		file->line_starts = claw_one_more(file->line_starts,
						  file->line_count,
						  sizeof(*file->line_starts));
		file->line_starts[file->line_count++] =
			(size_t)(at - file->text);
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
}

static void look_for(const struct claw_unit *unit, struct claw_unit_file *file)
{
	const struct claw_request *request = unit->request;

	file->is_looked_for = true;
	if (strcmp(file->name, request->name) == 0)
		file->text = request->source.text;
	for (size_t i = 0; i < request->header_count && !file->text; i++)
		if (strcmp(request->headers[i].name, file->name) == 0)
			file->text = request->headers[i].text;
	if (!file->text)
		file->text = file->owned = read_file(request->directory,
						     file->name);
	find_lines(file);
}

void claw_unit_place_line(const struct claw_unit *unit, size_t offset,
			  struct claw_place *place)
{
	const struct claw_unit_line *line = line_of(unit, offset);

	place->file = line ? unit->files[line->file].name : "";
	place->line = line ? line->line : 1;
	place->column = 1;
}

void claw_unit_place(const struct claw_unit *unit, size_t offset,
		     struct claw_place *place)
{
	const struct claw_unit_line *line = line_of(unit, offset);

	claw_unit_place_line(unit, offset, place);
	if (!line)
		return;
	struct claw_unit_file *file = &unit->files[line->file];

	if (!file->is_looked_for)
		look_for(unit, file);
	if (line->line == 0 || line->line > file->line_count) {
		place->column = (unsigned int)(offset - line->start) + 1;
		return;
	}
	place->column = claw_column_find(
		file->text + file->line_starts[line->line - 1],
		unit->text + line->start, offset - line->start);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel files: where the header is, and what is built. */
#include "config.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clw_private.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"

/* ---- where the header is --------------------------------------------- */

/* Where the bytes at the cursor end that lead up to at. */
void claw_clw_move_to(struct claw_clw_cursor *cursor, const char *at)
{
	const char *newline;

	while ((newline = memchr(cursor->at, '\n',
				 (size_t)(at - cursor->at)))) {
		cursor->at = newline + 1;
		cursor->line_start = cursor->at;
		cursor->line++;
	}
	cursor->at = at;
}

static const char *find(const char *at, const char *end, const char *text)
{
	return memmem(at, (size_t)(end - at), text, strlen(text));
}

/*
 * The header is the first comment that begins with "/" "*!" and ends with "!*"
 * "/". Comments of Doxygen begin so, too, but hold no [config].
 */
int claw_clw_find_header(struct claw_clw_reader *reader)
{
	struct claw_clw_cursor *cursor = &reader->cursor;
	const char *all_end = cursor->end, *start, *end;

	while ((start = find(cursor->at, all_end, "/*!"))) {
		bool has_config;

		claw_clw_move_to(cursor, start + 3);
		end = find(cursor->at, all_end, "*/");
		has_config = find(cursor->at, end ? end : all_end, "[config]");
		if (end && end > cursor->at && end[-1] == '!') {
			cursor->end = end - 1;
			return 0;
		}
		if (has_config && end) {
			claw_clw_move_to(cursor, end);
			return claw_clw_fail(reader, claw_clw_place(cursor),
				"expected \"!*/\" at the header's end, found "
				"\"*/\"");
		}
		if (has_config) {
			struct claw_clw_place place = claw_clw_place(cursor);

			place.column -= 3;
			return claw_clw_fail(reader, place, "expected a "
				"\"!*/\" that ends this header, found none");
		}
	}
	claw_clw_fail(reader, (struct claw_clw_place) { 1, 1 }, "expected a "
		      "header \"/*! [config] ... !*/\", found none: a plain "
		      "kernel file (openclaw init writes one)");
	return -CLAW_E_NOT_FOUND;
}

/* program_source_file is beside the file that names it. */
static int read_source_file(struct claw_clw_reader *reader)
{
	struct claw_clw *clw = reader->clw;
	char *copy = claw_strdup(clw->path), *path = NULL;
	size_t size;
	int ret;

	path = claw_format("%s%s%s",
			   *reader->source_file == '/' ? "" : dirname(copy),
			   *reader->source_file == '/' ? "" : "/",
			   reader->source_file);
	free(copy);
	ret = claw_outside_read(path, 0, CLAW_CLW_FILE_BYTES_MAX,
				&clw->source, &size);
	if (ret == 0 && strlen(clw->source) < size)
		ret = claw_clw_fail(reader, reader->source_file_place,
			"expected a source text, found a NUL byte in %.100s",
			path);
	else if (ret < 0)
		ret = claw_clw_fail(reader, reader->source_file_place,
			"expected a source that can be read, found %.100s: %s",
			path, ret == -CLAW_E_IO ? claw_outside_why(path) :
			claw_error_text(ret));
	free(clw->source_path);
	clw->source_path = path;
	return ret;
}

int claw_clw_take_program(struct claw_clw_reader *reader, const char *text,
			  size_t size)
{
	struct claw_clw *clw = reader->clw;

	if (reader->source_file && clw->source)
		return claw_clw_fail(reader, reader->source_file_place,
			"expected one program, found [program source], too");
	if (reader->source_file)
		return read_source_file(reader);
	if (!reader->is_program_test) {
		clw->source = claw_strndup(text, size);
		return 0;
	}
	if (clw->source)
		return 0;
	return claw_clw_fail(reader, claw_clw_place(&reader->cursor),
		"expected [program source] or program_source_file, found the "
		"end of the file");
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compare a text with the files of some folders (source_files.h). A file
 * is the text's when it is the text, when the text is somewhere in it (a
 * kernel file with its header, a string of a program), or when it is somewhere
 * in the text (several files, lines before them): then the rest of the text
 * may be of others. What is left is taken block by block: a long line that is
 * in a file, and all lines around it that are the same there. Which files have
 * a line is looked up (source_lines.h): a program may build hundreds of texts
 * beside thousands of files.
 */
#include "config.h"

#include "source_finder.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/directories.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/new_file.h"
#include "harness/files/shown_files.h"
#include "source_files.h"
#include "source_lines.h"
#include "harness/base/text.h"

enum {
	ANCHORS = 5,		/* lines that are looked for, of a rest */
	BLOCKS_MAX = 64,
};

struct claw_source_finder {
	struct claw_source_files files;
	struct claw_source_lines lines;
};

/* ---- which file ---------------------------------------------------------- */

/* A text that is looked for, and what is not found of it yet. */
struct search {
	const char *text;
	size_t begin, end;		/* without blanks around it */
	struct claw_source_places *places;
};

static unsigned int count_lines(const char *bytes, size_t size)
{
	unsigned int count = 0;

	for (const char *at = bytes; at < bytes + size; at++) {
		at = memchr(at, '\n', (size_t)(bytes + size - at));
		if (!at)
			break;
		count++;
	}
	return count;
}

/* offset, size: in the text. */
static void add_piece(struct search *search, size_t offset, size_t size,
		      const struct claw_source_file *file, size_t file_offset)
{
	struct claw_source_places *places = search->places;

	places->pieces = claw_one_more(places->pieces, places->count,
				       sizeof(*places->pieces));
	claw_shown_files_add(file->path);
	places->pieces[places->count++] = (struct claw_source_piece) {
		.first = 1 + count_lines(search->text, offset),
		.count = 1 + count_lines(search->text + offset, size),
		.file_line = 1 + count_lines(file->bytes, file_offset),
		.path = file->path,
	};
}

/* A file, and where the text begins in it or it begins in the text. */
struct match {
	const struct claw_source_file *file;	/* NULL: none */
	size_t offset;
};

/* The longest line in [begin, end) that is shorter than this; false: there is
 * none that tells anything. */
static bool find_anchor(const struct search *search, size_t begin, size_t end,
			size_t shorter, size_t *ret_at, size_t *ret_size)
{
	size_t best = CLAW_SOURCE_LINE_BYTES - 1;

	for (size_t at = begin; at < end;) {
		const char *line = search->text + at;
		const char *newline = memchr(line, '\n', end - at);
		size_t size = newline ? (size_t)(newline - line) : end - at;

		if (size > best && size < shorter) {
			best = size;
			*ret_at = at;
		}
		at += size + 1;
	}
	*ret_size = best;
	return best >= CLAW_SOURCE_LINE_BYTES;
}

/* The longest line that is neither the first nor the last, of which a file
 * may have more than the text. */
static bool find_inner_anchor(const struct search *search, size_t *ret_at,
			      size_t *ret_size)
{
	const char *text = search->text + search->begin;
	size_t size = search->end - search->begin;
	const char *first = memchr(text, '\n', size);
	const char *last = memrchr(text, '\n', size);

	return first != last &&
		find_anchor(search, (size_t)(first + 1 - search->text),
			    (size_t)(last - search->text), SIZE_MAX, ret_at,
			    ret_size);
}

static bool is_larger(const struct claw_source_file *file,
		      const struct match *best)
{
	return !best->file || file->size > best->file->size;
}

/* The smallest file that holds all of the text, of those that have its line. */
static struct match find_whole_by_line(const struct claw_source_finder *finder,
				       const struct search *search, size_t at,
				       size_t line_size)
{
	size_t size = search->end - search->begin, count;
	size_t before = at - search->begin;
	const struct claw_source_line *lines = claw_source_lines_find(
		&finder->lines, search->text + at, line_size, &count);
	struct match best = { .file = NULL };

	for (size_t i = 0; i < count; i++) {
		const struct claw_source_file *file =
			&finder->files.items[lines[i].file];
		size_t offset = lines[i].offset - before;

		if (lines[i].offset < before || file->size < offset + size ||
		    (best.file && best.file->size <= file->size) ||
		    memcmp(file->bytes + offset, search->text + search->begin,
			   size))
			continue;
		best = (struct match) { file, offset };
	}
	return best;
}

/* The same, of all files. */
static struct match find_whole(const struct claw_source_finder *finder,
			       const struct search *search, bool named_only)
{
	size_t size = search->end - search->begin;
	struct match best = { .file = NULL };

	for (size_t i = 0; i < finder->files.count; i++) {
		const struct claw_source_file *file = &finder->files.items[i];
		const char *at;

		if ((named_only && !file->is_named) || file->size < size ||
		    (best.file && best.file->size <= file->size))
			continue;
		at = memmem(file->bytes, file->size,
			    search->text + search->begin, size);
		if (at)
			best = (struct match) {
				file, (size_t)(at - file->bytes),
			};
	}
	return best;
}

/* Is a file at offset of the text, in whole lines? */
static bool is_at(const struct search *search, size_t offset, size_t end,
		  const struct claw_source_file *file)
{
	size_t behind = offset + file->size;

	return behind <= end && (offset == 0 ||
				 search->text[offset - 1] == '\n') &&
		(behind == search->end ||
		 strchr(" \t\r\n", search->text[behind])) &&
		memcmp(search->text + offset, file->bytes, file->size) == 0;
}

/* A file that has no key, somewhere in [begin, end). */
static void look_for_keyless(const struct search *search, size_t begin,
			     size_t end, const struct claw_source_file *file,
			     struct match *best)
{
	for (size_t at = begin; at < end && is_larger(file, best); at++) {
		const char *found = memmem(search->text + at, end - at,
					   file->bytes, file->size);

		if (!found)
			return;
		at = (size_t)(found - search->text);
		if (is_at(search, at, end, file))
			*best = (struct match) { file, at };
	}
}

/* Files whose key is the line of the text at this place. */
static void look_for_keys(const struct claw_source_finder *finder,
			  const struct search *search, size_t begin,
			  size_t end, size_t at, size_t size,
			  struct match *best)
{
	size_t count;
	const struct claw_source_line *lines = claw_source_lines_find(
		&finder->lines, search->text + at, size, &count);

	for (size_t i = 0; i < count; i++) {
		const struct claw_source_file *file =
			&finder->files.items[lines[i].file];

		if (lines[i].is_key && at - begin >= lines[i].offset &&
		    is_larger(file, best) &&
		    is_at(search, at - lines[i].offset, end, file))
			*best = (struct match) { file, at - lines[i].offset };
	}
}

/* The largest file that is in [begin, end). */
static struct match find_part(const struct claw_source_finder *finder,
			      const struct search *search, size_t begin,
			      size_t end)
{
	struct match best = { .file = NULL };

	for (size_t at = begin; at < end;) {
		const char *line = search->text + at;
		const char *newline = memchr(line, '\n', end - at);
		size_t size = newline ? (size_t)(newline - line) : end - at;

		if (size >= CLAW_SOURCE_LINE_BYTES)
			look_for_keys(finder, search, begin, end, at, size,
				      &best);
		at += size + 1;
	}
	for (size_t i = 0; i < finder->lines.keyless_count; i++)
		look_for_keyless(search, begin, end,
				 &finder->files.items[finder->lines.keyless[i]],
				 &best);
	return best;
}

/* ---- blocks of lines ----------------------------------------------------- */

/* [begin, end) of the text, and where it begins in a file. */
struct block {
	size_t begin, end, offset;
	const struct claw_source_file *file;
};

/* What is the same around a place, in whole lines of the text. */
static void widen(const struct search *search, size_t begin, size_t end,
		  struct block *block)
{
	const char *text = search->text;
	const struct claw_source_file *file = block->file;

	while (block->begin > begin && block->offset > 0 &&
	       text[block->begin - 1] == file->bytes[block->offset - 1]) {
		block->begin--;
		block->offset--;
	}
	while (block->end < end &&
	       block->offset + (block->end - block->begin) < file->size &&
	       text[block->end] == file->bytes[block->offset +
					       (block->end - block->begin)])
		block->end++;
	while (block->begin > begin && block->begin < block->end &&
	       text[block->begin - 1] != '\n') {
		block->begin++;
		block->offset++;
	}
	while (block->end < end && block->end > block->begin &&
	       text[block->end] != '\n')
		block->end--;
}

static void look_at_line(const struct claw_source_finder *finder,
			 const struct search *search, size_t begin, size_t end,
			 size_t at, size_t size, struct block *best)
{
	size_t count;
	const struct claw_source_line *lines = claw_source_lines_find(
		&finder->lines, search->text + at, size, &count);

	for (size_t i = 0; i < count; i++) {
		struct block block = {
			.begin = at, .end = at + size,
			.offset = lines[i].offset,
			.file = &finder->files.items[lines[i].file],
		};

		if (block.file->size - block.offset < size ||
		    memcmp(block.file->bytes + block.offset, search->text + at,
			   size))
			continue;
		widen(search, begin, end, &block);
		if (block.end - block.begin > best->end - best->begin)
			*best = block;
	}
}

/* The block that one of the longest lines is in, and what is before and
 * behind it; one line alone could be anybody's. */
static void find_blocks(const struct claw_source_finder *finder,
			struct search *search, size_t begin, size_t end)
{
	struct block best = { .file = NULL };
	size_t at = 0, size = SIZE_MAX;

	if (search->places->count >= BLOCKS_MAX)
		return;
	for (int i = 0; i < ANCHORS && !best.file &&
	     find_anchor(search, begin, end, size, &at, &size); i++)
		look_at_line(finder, search, begin, end, at, size, &best);
	if (!best.file ||
	    best.end - best.begin < 2 * CLAW_SOURCE_TELLING_BYTES ||
	    count_lines(search->text + best.begin,
			best.end - best.begin) < 2)
		return;
	add_piece(search, best.begin, best.end - best.begin, best.file,
		  best.offset);
	find_blocks(finder, search, begin, best.begin);
	find_blocks(finder, search, best.end, end);
}

/* The largest file in [begin, end), and what is before and behind it. */
static void find_parts(const struct claw_source_finder *finder,
		       struct search *search, size_t begin, size_t end)
{
	struct match best = find_part(finder, search, begin, end);

	if (!best.file) {
		find_blocks(finder, search, begin, end);
		return;
	}
	add_piece(search, best.offset, best.file->size, best.file, 0);
	find_parts(finder, search, begin, best.offset);
	find_parts(finder, search, best.offset + best.file->size, end);
}

static bool is_blank(const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!strchr(" \t\r\n", bytes[i]))
			return false;
	return true;
}

/* Is there anything in lines that no piece has? */
static bool has_rest(const struct search *search)
{
	const char *at = search->text, *end = at + search->end;
	unsigned int line = 0;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *next = newline ? newline + 1 : end;
		unsigned int ignored;

		line++;
		if (!is_blank(at, (size_t)(next - at)) &&
		    !claw_source_place(search->places, line, &ignored))
			return true;
		at = next;
	}
	return false;
}

static void look(struct claw_source_finder *finder, struct search *search)
{
	struct match whole = find_whole(finder, search, true);
	size_t at, size;

	if (!whole.file) {
		claw_source_files_read(&finder->files);
		claw_source_lines_read(&finder->lines, &finder->files);
		whole = find_inner_anchor(search, &at, &size) ?
			find_whole_by_line(finder, search, at, size) :
			find_whole(finder, search, false);
	}
	if (whole.file)
		add_piece(search, search->begin, search->end - search->begin,
			  whole.file, whole.offset);
	else
		find_parts(finder, search, search->begin, search->end);
}

/* ---- texts of no file ---------------------------------------------------- */

static int write_text(const char *path, const char *text, size_t bytes)
{
	struct claw_new_file file;

	if (!claw_new_file_begin(&file, path))
		return -CLAW_E_IO;
	fwrite(text, 1, bytes, file.out);
	return claw_new_file_end(&file, true);
}

/* DIRECTORY/kernel-texts/NAME.cl */
static int write_rest(struct claw_source_finder *finder, const char *name,
		      const char *text, size_t bytes, const char **ret_path)
{
	char *folder = claw_path_in(finder->files.directory,
				    CLAW_SOURCE_FOLDER);
	char *path = claw_format("%s/%s.cl", folder, name);
	int ret = claw_make_directory(folder) < 0 ? -CLAW_E_IO :
		write_text(path, text, bytes);

	free(folder);
	claw_source_files_keep(&finder->files, path);
	*ret_path = path;
	return ret;
}

/* ---- public -------------------------------------------------------------- */

struct claw_source_finder *claw_source_finder_new(const char *directory)
{
	struct claw_source_finder *finder = claw_calloc(1, sizeof(*finder));

	finder->files.directory = realpath(directory, NULL);
	if (!finder->files.directory)
		finder->files.directory = claw_strdup(directory);
	return finder;
}

void claw_source_finder_free(struct claw_source_finder *finder)
{
	if (!finder)
		return;
	claw_source_lines_release(&finder->lines);
	claw_source_files_release(&finder->files);
	free(finder);
}

void claw_source_finder_add(struct claw_source_finder *finder,
			    const char *path)
{
	claw_source_files_add(&finder->files, path);
}

int claw_source_find(struct claw_source_finder *finder, const char *text,
		     size_t bytes, const char *name,
		     struct claw_source_places *ret_places)
{
	struct claw_source_places places = { .pieces = NULL };
	struct search search = {
		.text = text, .end = claw_source_without_blanks(text, bytes),
		.places = &places,
	};
	int ret = 0;

	while (search.begin < search.end &&
	       strchr(" \t\r\n", text[search.begin]))
		search.begin++;
	if (search.end - search.begin >= CLAW_SOURCE_TELLING_BYTES)
		look(finder, &search);
	if (has_rest(&search))
		ret = write_rest(finder, name, text, bytes, &places.rest);
	if (ret < 0)
		claw_source_places_release(&places);
	else
		*ret_places = places;
	return ret;
}

void claw_source_places_release(struct claw_source_places *places)
{
	free(places->pieces);
	*places = (struct claw_source_places) { .pieces = NULL };
}

const char *claw_source_place(const struct claw_source_places *places,
			      unsigned int line, unsigned int *ret_line)
{
	for (size_t i = 0; i < places->count; i++) {
		const struct claw_source_piece *piece = &places->pieces[i];

		if (line < piece->first || line - piece->first >= piece->count)
			continue;
		*ret_line = piece->file_line + (line - piece->first);
		return piece->path;
	}
	*ret_line = line;
	return places->rest;
}

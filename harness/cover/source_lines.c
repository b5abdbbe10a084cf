/* SPDX-License-Identifier: Apache-2.0 */
/* An index of the lines of files: see source_lines.h. */
#include "config.h"

#include "source_lines.h"

#include <stdlib.h>
#include <string.h>

#include "faults/shared/trace_hash.h"
#include "harness/base/memory.h"

static uint64_t hash_of(const char *line, size_t size)
{
	uint64_t hash[2];

	claw_trace_hash(line, size, hash);
	return hash[0];
}

static void add(struct claw_source_lines *lines, uint32_t file,
		size_t offset, uint64_t hash)
{
	lines->items = claw_one_more(lines->items, lines->count,
				     sizeof(*lines->items));
	lines->items[lines->count++] = (struct claw_source_line) {
		.hash = hash, .offset = (uint32_t)offset, .file = file,
	};
}

static void add_file(struct claw_source_lines *lines,
		     const struct claw_source_file *file, uint32_t number)
{
	size_t key = 0, key_size = 0;

	for (size_t at = 0; at < file->size;) {
		const char *line = file->bytes + at;
		const char *newline = memchr(line, '\n', file->size - at);
		size_t size = newline ? (size_t)(newline - line) :
			file->size - at;

		if (size >= CLAW_SOURCE_LINE_BYTES) {
			if (newline && size > key_size) {
				key = lines->count;
				key_size = size;
			}
			add(lines, number, at, hash_of(line, size));
		}
		at += size + 1;
	}
	if (key_size) {
		lines->items[key].is_key = 1;
		return;
	}
	lines->keyless = claw_one_more(lines->keyless, lines->keyless_count,
				       sizeof(*lines->keyless));
	lines->keyless[lines->keyless_count++] = number;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_hash(const void *a, const void *b)
{
	const struct claw_source_line *one = a, *other = b;
	int order = compare(one->hash, other->hash);

	if (!order)
		order = compare(one->file, other->file);
	return order ? order : compare(one->offset, other->offset);
}

void claw_source_lines_read(struct claw_source_lines *lines,
			    const struct claw_source_files *files)
{
	if (lines->version == files->version)
		return;
	claw_source_lines_release(lines);
	lines->version = files->version;
	for (size_t i = 0; i < files->count; i++)
		add_file(lines, &files->items[i], (uint32_t)i);
	if (lines->count)
		qsort(lines->items, lines->count, sizeof(*lines->items),
		      by_hash);
}

void claw_source_lines_release(struct claw_source_lines *lines)
{
	free(lines->items);
	free(lines->keyless);
	*lines = (struct claw_source_lines) { .items = NULL };
}

const struct claw_source_line *
claw_source_lines_find(const struct claw_source_lines *lines, const char *line,
		       size_t size, size_t *ret_count)
{
	uint64_t hash = hash_of(line, size);
	size_t low = 0, high = lines->count, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lines->items[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < lines->count && lines->items[end].hash == hash;)
		end++;
	*ret_count = end - low;
	return end > low ? &lines->items[low] : NULL;
}

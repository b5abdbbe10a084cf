/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read probes that nothing is known of: nothing in the file is believed.
 */
#include "config.h"

#include "probe_reader.h"

#include <stdlib.h>
#include <string.h>

#include "harness/files/byte_source.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"

enum {
	WORDS_MAX = 1 << 26,
	STATE_COUNT = CLAW_PROBE_NO_HELPER + 1,
	BITS = 32,
};

static const char *const states[STATE_COUNT] = {
	[CLAW_PROBE_NOT_ASKED] = "none of its kernels was asked for",
	[CLAW_PROBE_INSTRUMENTED] = "instrumented",
	[CLAW_PROBE_REFUSED] = "it cannot be instrumented",
	[CLAW_PROBE_NOT_SOURCE] = "it was not made of source, but of SPIR-V, a binary or built-in kernels",
	[CLAW_PROBE_NOT_BUILT] = "the driver would not build it with probes",
	[CLAW_PROBE_NO_HELPER] = "openclaw-instrument could not be run",
};

const char *claw_probe_state_text(enum claw_probe_state state)
{
	return states[state];
}

const char *claw_probe_more(const struct claw_probe_header *header)
{
	return header->state == CLAW_PROBE_NOT_SOURCE ? "" : header->why;
}

/* Ended, and without what would end a line. */
static void clean(char *text, size_t size)
{
	text[size - 1] = '\0';
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = ' ';
}

static bool is_key(const struct claw_probe_part *part)
{
	size_t length = strnlen(part->key, sizeof(part->key));

	return length > 0 && length < sizeof(part->key) &&
		strspn(part->key, "0123456789abcdef") == length;
}

static int read_header(const struct claw_source *source,
		       struct claw_probe_header *header)
{
	int ret = claw_source_read_head(source, header, sizeof(*header),
					CLAW_PROBE_MAGIC, CLAW_PROBE_VERSION);

	if (ret < 0)
		return ret;
	if (header->state >= STATE_COUNT || header->parts > CLAW_PROBE_PARTS ||
	    header->words > WORDS_MAX ||
	    header->header_bytes > sizeof(*header) * 4)
		return -CLAW_E_DAMAGED;
	clean(header->why, sizeof(header->why));
	clean(header->partly_why, sizeof(header->partly_why));
	clean(header->device, sizeof(header->device));
	return 0;
}

/* Parts whose key is none are left out. */
static void read_parts(const struct claw_source *source,
		       struct claw_probe_file *file)
{
	uint32_t said = file->header.parts, kept = 0;

	file->parts = claw_calloc(said + 1, sizeof(*file->parts));
	for (uint32_t i = 0; i < said; i++) {
		struct claw_probe_part *part = &file->parts[kept];

		if (claw_source_read(source, file->header.header_bytes +
				     i * sizeof(*part), part, sizeof(*part)) ==
		    sizeof(*part) && is_key(part))
			kept++;
		else
			file->damaged++;
	}
	file->header.parts = kept;
}

static void read_words(const struct claw_source *source,
		       struct claw_probe_file *file)
{
	uint64_t at = file->header.header_bytes +
		CLAW_PROBE_PARTS * sizeof(struct claw_probe_part);
	uint64_t there = source->size > at ?
		(source->size - at) / sizeof(uint32_t) : 0;
	uint64_t said = file->header.words;
	uint64_t count = said < there ? said : there;

	file->words = claw_malloc((count + 1) * sizeof(uint32_t));
	file->word_count = claw_source_read(source, at, file->words,
		count * sizeof(uint32_t)) / sizeof(uint32_t);
	file->damaged += said - file->word_count;
}

static int read_source(const struct claw_source *source,
		       struct claw_probe_file *ret_file)
{
	struct claw_probe_file file = { .parts = NULL };
	int ret = read_header(source, &file.header);

	if (ret < 0)
		return ret;
	read_parts(source, &file);
	read_words(source, &file);
	*ret_file = file;
	return 0;
}

/* ---- public */

int claw_probe_file_read(const char *path, struct claw_probe_file *ret_file)
{
	struct claw_source source;
	int ret = claw_source_open_own(path, &source);

	if (ret < 0)
		return ret;
	ret = read_source(&source, ret_file);
	claw_source_close(&source);
	return ret;
}

int claw_probe_file_read_memory(const void *bytes, size_t size,
				struct claw_probe_file *ret_file)
{
	struct claw_source source = { .fd = -1, .bytes = bytes, .size = size };

	if (!bytes)
		return -CLAW_E_DAMAGED;
	return read_source(&source, ret_file);
}

void claw_probe_file_release(struct claw_probe_file *file)
{
	free(file->parts);
	free(file->words);
	*file = (struct claw_probe_file) { .parts = NULL };
}

bool claw_probe_counter(const struct claw_probe_file *file, size_t part,
			uint32_t counter, uint32_t *ret_count)
{
	uint64_t at = (uint64_t)file->parts[part].counters_base + counter;
	bool counts = file->header.modes & CLAW_PROBE_COUNT;
	uint64_t word = CLAW_PROBE_COUNTERS_AT + (counts ? at : at / BITS);

	if (word >= file->word_count)
		return false;
	*ret_count = counts ? file->words[word] :
		file->words[word] >> at % BITS & 1;
	return true;
}

bool claw_probe_access(const struct claw_probe_file *file, uint64_t access,
		       size_t *ret_part, uint32_t *ret_number)
{
	bool is_found = false;
	uint64_t best = 0;

	for (size_t i = 0; i < file->header.parts; i++) {
		uint64_t base = file->parts[i].accesses_base;

		if (base > access || (is_found && base < best))
			continue;
		is_found = true;
		best = base;
		*ret_part = i;
		*ret_number = (uint32_t)(access - base);
	}
	return is_found && access - best <= UINT32_MAX;
}

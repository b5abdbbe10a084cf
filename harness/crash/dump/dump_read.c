/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a dump of which nothing is believed: a section counts when its header
 * and its bytes have the checks that they say. Behind what is damaged the
 * next sync word is looked for. How much is checked, unpacked and kept is
 * limited by the size of the file and by what the caller allows.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "dump_parts.h"
#include "dump_unpack.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/spare_memory.h"

enum {
	CHUNK_BYTES = 64 << 10,
	/* Where the first section must begin when the first line is damaged:
	 * else it is no dump. */
	DAMAGED_HEAD_BYTES = 1 << 20,
	CHECKS = 4,	/* how often all of the file may be checked */
};

#define DEFAULT_BYTES	(UINT64_C(4) << 30)
#define DEFAULT_SECTIONS	1000000u

struct reading {
	const struct claw_source *source;
	struct claw_dump *dump;
	struct claw_dump_unpacker *unpacker;
	struct claw_dump_parts parts;
	uint64_t budget;	/* bytes that may still be unpacked */
	uint64_t check_budget;	/* that may still be checked */
	uint32_t max_sections;
	uint64_t frames;	/* whose headers were right */
	uint64_t end_frames;	/* as END says */
	bool has_end, behind_end;
};

static void count_damage(struct reading *reading)
{
	if (reading->dump->damaged < UINT32_MAX)
		reading->dump->damaged++;
}

/* ---- frames */

bool claw_dump_frame_read(const struct claw_source *source, uint64_t offset,
			  struct claw_dump_frame *ret_frame)
{
	return claw_source_read(source, offset, ret_frame,
				sizeof(*ret_frame)) == sizeof(*ret_frame) &&
		memcmp(ret_frame->sync, CLAW_DUMP_SYNC,
		       sizeof(ret_frame->sync)) == 0 &&
		ret_frame->check == claw_dump_frame_check(ret_frame) &&
		ret_frame->endian == CLAW_JOURNAL_ENDIAN;
}

/* The next sync word from *offset on, before limit; false: there is none. */
static bool find_sync(const struct claw_source *source, uint64_t limit,
		      uint64_t *offset)
{
	unsigned char buffer[CHUNK_BYTES];

	while (*offset < limit) {
		const unsigned char *chunk = buffer, *found;
		size_t got;

		if (source->bytes) {
			chunk = source->bytes + *offset;
			got = (size_t)(source->size - *offset);
		} else {
			got = claw_source_read(source, *offset, buffer,
					       sizeof(buffer));
		}
		found = memmem(chunk, got, CLAW_DUMP_SYNC,
			       CLAW_DUMP_SYNC_BYTES);
		if (found) {
			*offset += (uint64_t)(found - chunk);
			return *offset < limit;
		}
		if (source->bytes || got < sizeof(buffer))
			return false;
		*offset += got - CLAW_DUMP_SYNC_BYTES + 1;
	}
	return false;
}

/* The next intact frame from *offset on, before limit. */
static bool find_frame(const struct claw_source *source, uint64_t limit,
		       uint64_t *offset, struct claw_dump_frame *ret_frame)
{
	if (*offset < limit && claw_dump_frame_read(source, *offset, ret_frame))
		return true;
	while (find_sync(source, limit, offset)) {
		if (claw_dump_frame_read(source, *offset, ret_frame))
			return true;
		++*offset;
	}
	return false;
}

/* ---- sections */

/* Are its bytes there, and right? So much of it is read. */
static bool is_intact(struct reading *reading, uint64_t offset,
		      const struct claw_dump_frame *frame)
{
	uint64_t room = reading->source->size - offset;

	if (frame->stored > room || frame->stored > reading->check_budget ||
	    frame->flags & ~(uint32_t)CLAW_DUMP_KNOWN_FLAGS)
		return false;
	reading->check_budget -= frame->stored;
	return claw_dump_check_stored(reading->unpacker, offset, frame);
}

static void take_end(struct reading *reading, const unsigned char *bytes,
		     uint64_t size)
{
	struct claw_dump_end end;

	if (size < sizeof(end)) {
		count_damage(reading);
		return;
	}
	memcpy(&end, bytes, sizeof(end));
	reading->has_end = true;
	reading->end_frames = end.frames;
}

/* 0: it is right, and taken or of no use; -CLAW_E_DAMAGED; -CLAW_E_LIMIT. */
static int take_section(struct reading *reading, uint64_t offset,
			const struct claw_dump_frame *frame)
{
	const struct claw_dump_kind *kind = claw_dump_kind_get(frame->section);
	unsigned char *bytes = NULL;
	uint64_t made = 0;
	int ret;

	if (!kind)
		return 0;	/* a later version's */
	if (kind->max_bytes && frame->bytes > kind->max_bytes)
		return -CLAW_E_DAMAGED;
	if (claw_dump_parts_has(&reading->parts, frame->section))
		return -CLAW_E_DAMAGED;
	if (frame->bytes > reading->budget)
		return -CLAW_E_LIMIT;
	ret = claw_dump_unpack(reading->unpacker, offset, frame, &bytes, &made);
	reading->budget -= made;
	if (ret < 0)
		return ret;
	if (frame->section == CLAW_DUMP_END) {
		take_end(reading, bytes, frame->bytes);
		free(bytes);
		return 0;
	}
	return claw_dump_parts_take(&reading->parts, frame->section, bytes,
				    (size_t)frame->bytes);
}

static int add_part(struct reading *reading,
		    const struct claw_dump_frame *frame, bool intact)
{
	struct claw_dump *dump = reading->dump;

	if (dump->part_count == reading->max_sections)
		return -CLAW_E_LIMIT;
	/* Full at every power of two. */
	if ((dump->part_count & (dump->part_count - 1)) == 0) {
		size_t room = dump->part_count ? dump->part_count * 2 : 1;

		dump->parts = claw_grow(dump->parts, room,
					sizeof(*dump->parts));
	}
	dump->parts[dump->part_count++] = (struct claw_dump_part) {
		.section = (enum claw_dump_section)frame->section,
		.stored = frame->stored, .bytes = frame->bytes,
		.intact = intact,
	};
	return 0;
}

/* Where to go on behind a frame: where it ends, when that may be believed. */
static uint64_t behind(const struct reading *reading, uint64_t offset,
		       const struct claw_dump_frame *frame, bool intact)
{
	struct claw_dump_frame next;

	if (frame->stored > reading->source->size - offset)
		return offset;
	if (intact || offset + frame->stored == reading->source->size ||
	    claw_dump_frame_read(reading->source, offset + frame->stored, &next))
		return offset + frame->stored;
	return offset;
}

/* One frame; *offset is its header's, then what is behind it. */
static int read_section(struct reading *reading, uint64_t *offset,
			const struct claw_dump_frame *frame)
{
	uint64_t start = *offset + sizeof(*frame);
	bool intact = is_intact(reading, start, frame);
	int ret = intact ? take_section(reading, start, frame) :
		-CLAW_E_DAMAGED;

	if (ret < 0 && ret != -CLAW_E_DAMAGED)
		return ret;
	if (ret < 0)
		count_damage(reading);
	*offset = behind(reading, start, frame, intact);
	return add_part(reading, frame, ret == 0);
}

static int read_sections(struct reading *reading, uint64_t offset)
{
	const struct claw_source *source = reading->source;
	struct claw_dump_frame frame;
	bool is_damaged = false;
	uint64_t expected = 0;
	int ret = 0;

	while (ret == 0 && find_frame(source, source->size, &offset, &frame)) {
		/* Of a section that was damaged, that was counted. */
		if (expected ? offset != expected && !is_damaged :
		    frame.number != 1)
			count_damage(reading);
		reading->behind_end = reading->has_end;
		if (!reading->has_end)
			reading->frames += frame.section != CLAW_DUMP_END;
		ret = read_section(reading, &offset, &frame);
		if (ret == 0)
			is_damaged = !reading->dump->parts
				[reading->dump->part_count - 1].intact;
		expected = offset;
	}
	if (ret == 0 && expected && expected != source->size && !is_damaged)
		count_damage(reading);
	return ret;
}

/* ---- whole dumps */

/* Where sections may begin. */
static int read_first_line(struct reading *reading, uint64_t *ret_offset)
{
	static const size_t length = sizeof(CLAW_DUMP_FIRST_LINE) - 1;
	const struct claw_source *source = reading->source;
	char line[sizeof(CLAW_DUMP_FIRST_LINE)] = "";
	struct claw_dump_frame frame;

	*ret_offset = length;
	if (claw_source_read(source, 0, line, length) != length)
		return -CLAW_E_DAMAGED;
	if (memcmp(line, CLAW_DUMP_FIRST_LINE, length) == 0)
		return 0;
	if (strncmp(line, CLAW_DUMP_FIRST_WORD,
		    strlen(CLAW_DUMP_FIRST_WORD)) == 0)
		return -CLAW_E_VERSION;
	*ret_offset = 0;
	if (!find_frame(source, source->size < DAMAGED_HEAD_BYTES ?
			source->size : DAMAGED_HEAD_BYTES, ret_offset, &frame))
		return -CLAW_E_DAMAGED;
	count_damage(reading);
	return 0;
}

static int read_all(struct reading *reading)
{
	struct claw_dump *dump = reading->dump;
	uint64_t offset;
	int ret = read_first_line(reading, &offset);

	if (ret == 0)
		ret = read_sections(reading, offset);
	if (ret < 0)
		return ret;
	claw_dump_parts_finish(&reading->parts);
	dump->whole = reading->has_end && !reading->behind_end &&
		dump->damaged == 0 && reading->frames == reading->end_frames;
	return 0;
}

/* Half of what there is: what is made of the bytes takes memory, too. */
static uint64_t default_bytes(void)
{
	uint64_t half = claw_spare_memory() / 2;

	return half < DEFAULT_BYTES ? half : DEFAULT_BYTES;
}

static int read_source(const struct claw_source *source,
		       const struct claw_dump_limits *limits,
		       struct claw_dump **ret_dump)
{
	struct reading reading = {
		.source = source,
		.dump = claw_calloc(1, sizeof(*reading.dump)),
		.budget = limits && limits->max_bytes ? limits->max_bytes :
			default_bytes(),
		.max_sections = limits && limits->max_sections ?
			limits->max_sections : DEFAULT_SECTIONS,
	};
	int ret;

	if (__builtin_mul_overflow(source->size, CHECKS, &reading.check_budget))
		reading.check_budget = UINT64_MAX;
	reading.unpacker = claw_dump_unpacker_new(source);
	claw_dump_parts_init(&reading.parts, reading.dump);
	ret = read_all(&reading);
	claw_dump_unpacker_free(reading.unpacker);
	if (ret < 0)
		claw_dump_free(reading.dump);
	else
		*ret_dump = reading.dump;
	return ret;
}

int claw_dump_read(const char *path, const struct claw_dump_limits *limits,
		   struct claw_dump **ret_dump)
{
	struct claw_source source;
	int ret = claw_source_open(path, &source);

	if (ret < 0)
		return ret;
	ret = read_source(&source, limits, ret_dump);
	claw_source_close(&source);
	return ret;
}

int claw_dump_read_memory(const void *bytes, size_t size,
			  const struct claw_dump_limits *limits,
			  struct claw_dump **ret_dump)
{
	struct claw_source source = { .fd = -1, .bytes = bytes, .size = size };

	return bytes ? read_source(&source, limits, ret_dump) :
		-CLAW_E_DAMAGED;
}

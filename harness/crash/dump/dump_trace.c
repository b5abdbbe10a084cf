/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces into a dump: the used part of a session's files, with those contents
 * that a record or a slot names; or one from memory.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/files/byte_source.h"
#include "dump_frame.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/crash/trace/trace_parts.h"
#include "harness/crash/trace/trace_write.h"

enum { CHUNK_BYTES = 128 << 10 };

_Static_assert(CHUNK_BYTES % CLAW_TRACE_HASH_STEP == 0, "hashed in chunks");

/* ---- a content */

static int begin_content(struct claw_dump_writer *writer,
			 const uint64_t hash[2], uint64_t length)
{
	struct claw_dump_content content = { .length = length };

	memcpy(content.hash, hash, sizeof(content.hash));
	claw_dump_section_begin(writer, CLAW_DUMP_CONTENT,
				sizeof(content) + length);
	return claw_dump_section_add(writer, &content, sizeof(content));
}

/* What is in a dump's CONTENT sections. */
static int write_content(struct claw_dump_writer *writer,
			 const struct claw_trace_bytes *content)
{
	begin_content(writer, content->hash, content->length);
	claw_dump_section_add(writer, content->bytes, (size_t)content->length);
	return claw_dump_section_end(writer);
}

/* Bytes of a contents file, unless they are not what they are said to be: a
 * hole, or not written to the end. *ret_lost is counted up then. */
static int copy_content(struct claw_dump_writer *writer,
			const struct claw_source *source,
			const struct claw_trace_content *content,
			unsigned char *chunk, uint64_t *ret_lost)
{
	struct claw_trace_hasher hasher;
	uint64_t done = 0, hash[2];
	int ret = begin_content(writer, content->hash, content->length);

	claw_trace_hash_begin(&hasher, content->length, NULL);
	while (ret == 0 && done < content->length) {
		uint64_t left = content->length - done;
		size_t size = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;

		if (claw_source_read(source, content->offset + done, chunk,
				     size) != size)
			break;
		claw_trace_hash_add(&hasher, chunk, size);
		ret = claw_dump_section_add(writer, chunk, size);
		done += size;
	}
	if (ret < 0)
		return ret;
	claw_trace_hash_end(&hasher, hash);
	if (done == content->length && hash[0] == content->hash[0] &&
	    hash[1] == content->hash[1])
		return claw_dump_section_end(writer);
	++*ret_lost;
	return claw_dump_section_undo(writer);
}

/* Has the trace left it out (dump_choose.h)? */
static bool is_left_out(const struct claw_trace *trace,
			const struct claw_trace_content *content)
{
	uint32_t number = trace ? claw_trace_contents_find(trace, content) : 0;

	return number && !trace->contents[number - 1].bytes;
}

/* Each content once: the first of equals that has its bytes. */
static int copy_contents(struct claw_dump_writer *writer,
			 const struct claw_source *source,
			 const struct claw_trace_content *list, size_t count,
			 const struct claw_trace *trace, uint64_t *ret_lost)
{
	unsigned char *chunk = claw_malloc(CHUNK_BYTES);
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < count; i++) {
		if (list[i].offset == 0 ||
		    (i > 0 && !claw_trace_content_compare(&list[i - 1],
							  &list[i])))
			continue;
		if (is_left_out(trace, &list[i]))
			++*ret_lost;
		else
			ret = copy_content(writer, source, &list[i], chunk,
					   ret_lost);
	}
	free(chunk);
	return ret;
}

/* ---- the files of a session */

/* Slots that are used, one after the other; then the ring as far as it was
 * ever used. */
static int write_used(struct claw_dump_writer *writer, const void *bytes,
		      size_t size, const struct claw_trace_records *records,
		      uint64_t lost)
{
	struct claw_trace_header header = records->header;
	const unsigned char *ring = (const unsigned char *)bytes +
		header.ring_offset;
	uint64_t used = header.ring_used < header.ring_bytes ?
		header.ring_used : header.ring_bytes;

	if (header.ring_offset > size)
		used = 0;
	else if (used > size - header.ring_offset)
		used = size - header.ring_offset;
	header.slots_offset = sizeof(header);
	header.slot_count = (uint32_t)records->slot_count;
	header.ring_offset = sizeof(header) +
		(uint64_t)header.slot_count * header.slot_bytes;
	header.file_bytes = header.ring_offset + used;
	header.contents_lost += lost;
	header.header_bytes = sizeof(header);
	claw_dump_section_begin(writer, CLAW_DUMP_TRACE, header.file_bytes);
	claw_dump_section_add(writer, &header, sizeof(header));
	for (size_t i = 0; i < records->slot_count; i++)
		claw_dump_section_add(writer, records->slots[i].slot,
				      header.slot_bytes);
	if (used > 0)
		claw_dump_section_add(writer, ring, (size_t)used);
	return claw_dump_section_end(writer);
}

static int write_files(struct claw_dump_writer *writer, const void *bytes,
		       size_t size, const struct claw_trace *trace,
		       struct claw_content_file *file,
		       struct claw_trace_records *records)
{
	struct claw_trace_content *list = NULL;
	uint64_t lost = 0;
	size_t count = 0;
	int ret = claw_trace_records_read(&(struct claw_trace_input) {
		.bytes = bytes, .size = size,
		.find_content = claw_content_file_find, .content_user = file,
	}, file->arena, records);

	if (ret == 0)
		claw_trace_contents_list(records, true, &list, &count);
	if (ret == 0 && file->source.fd >= 0)
		ret = copy_contents(writer, &file->source, list, count,
				    trace, &lost);
	free(list);
	return ret < 0 ? ret : write_used(writer, bytes, size, records, lost);
}

int claw_dump_write_trace_file(struct claw_dump_writer *writer,
			       const char *trace_path,
			       const struct claw_trace *trace)
{
	struct claw_trace_records records = { .list = NULL };
	struct claw_arena *arena = claw_arena_new();
	struct claw_content_file file;
	void *bytes = NULL;
	size_t size = 0;
	int ret;

	claw_content_file_open(trace_path, arena, &file);
	ret = claw_trace_slurp(trace_path, &bytes, &size);
	if (ret == 0)
		ret = write_files(writer, bytes, size, trace, &file,
				  &records);
	if (ret == -CLAW_E_VERSION)
		ret = -CLAW_E_DAMAGED;
	claw_trace_records_release(&records);
	claw_content_file_close(&file);
	claw_arena_free(arena);
	free(bytes);
	return ret;
}

/* ---- from memory */

static int take_content(const struct claw_trace_bytes *content, void *user)
{
	return write_content(user, content);
}

int claw_dump_write_trace(struct claw_dump_writer *writer,
			  const struct claw_trace *trace)
{
	void *bytes = NULL;
	size_t size = 0;
	int ret = 0;

	for (uint32_t i = 0; ret == 0 && i < trace->content_count; i++)
		if (trace->contents[i].bytes)
			ret = take_content(&trace->contents[i], writer);
	if (ret == 0)
		ret = claw_trace_write_memory(trace, take_content, writer,
					      &bytes, &size);
	if (ret == 0)
		ret = claw_dump_write(writer, CLAW_DUMP_TRACE, bytes, size);
	free(bytes);
	return ret;
}

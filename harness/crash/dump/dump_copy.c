/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of one dump, as they are, into another. */
#include "config.h"

#include "dump_copy.h"

#include <stdlib.h>
#include <string.h>

#include "dump_unpack.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/spare_memory.h"

enum { HEAD_BYTES = 1 << 20 };

/* Where the first section begins; false: nowhere. */
static bool find_first(const struct claw_source *source, uint64_t *ret_offset)
{
	size_t size = source->size < HEAD_BYTES ? (size_t)source->size :
		HEAD_BYTES;
	unsigned char *head = claw_malloc(size + 1), *found;

	size = claw_source_read(source, 0, head, size);
	found = memmem(head, size, CLAW_DUMP_SYNC, CLAW_DUMP_SYNC_BYTES);
	if (found)
		*ret_offset = (uint64_t)(found - head);
	free(head);
	return found != NULL;
}

static int copy_section(struct claw_dump_writer *writer,
			struct claw_dump_unpacker *unpacker, uint64_t offset,
			const struct claw_dump_frame *frame)
{
	unsigned char *bytes = NULL;
	uint64_t made;
	int ret;

	if (!claw_dump_check_stored(unpacker, offset, frame))
		return 0;	/* damaged: nothing is lost that was there */
	if (frame->bytes > claw_spare_memory() / 2)
		return -CLAW_E_LIMIT;
	ret = claw_dump_unpack(unpacker, offset, frame, &bytes, &made);
	if (ret == 0)
		ret = claw_dump_write(writer,
				      (enum claw_dump_section)frame->section,
				      bytes, (size_t)frame->bytes);
	free(bytes);
	return ret == -CLAW_E_DAMAGED ? 0 : ret;
}

/* One whose bytes are all there. */
static bool read_frame(const struct claw_source *source, uint64_t offset,
		       struct claw_dump_frame *ret_frame)
{
	return claw_dump_frame_read(source, offset, ret_frame) &&
		ret_frame->stored <= source->size - offset -
			sizeof(*ret_frame);
}

static int copy_sections(struct claw_dump_writer *writer,
			 const struct claw_source *source, uint32_t sections)
{
	struct claw_dump_unpacker *unpacker = claw_dump_unpacker_new(source);
	struct claw_dump_frame frame;
	uint64_t offset;
	int ret = 0;

	if (!find_first(source, &offset))
		offset = source->size;
	while (ret == 0 && read_frame(source, offset, &frame)) {
		const struct claw_dump_kind *kind =
			claw_dump_kind_get(frame.section);

		offset += sizeof(frame);
		if (kind && frame.section < 32 &&
		    sections & 1u << frame.section &&
		    (!kind->max_bytes || frame.bytes <= kind->max_bytes))
			ret = copy_section(writer, unpacker, offset, &frame);
		offset += frame.stored;
	}
	claw_dump_unpacker_free(unpacker);
	return ret;
}

int claw_dump_copy(struct claw_dump_writer *writer, const char *path,
		   uint32_t sections)
{
	struct claw_source source;
	int ret = claw_source_open(path, &source);

	if (ret < 0)
		return ret;
	ret = copy_sections(writer, &source, sections);
	claw_source_close(&source);
	return ret;
}

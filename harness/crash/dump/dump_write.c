/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dump is written beside its name and gets it when it is whole. Sections
 * are compressed as they come; a frame's header is filled in behind them.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "dump_frame.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"

enum {
	LEVEL = 3,
	CHUNK_BYTES = 128 << 10,
	LEAST_PACKED_BYTES = 64,	/* shorter ones are not worth it */
};

struct claw_dump_writer {
	char *path, *fresh;	/* as it will be, as it is called so far */
	FILE *file;
	ZSTD_CCtx *zstd;
	struct claw_dump_frame frame;	/* the one that is written */
	off_t start;			/* of its header */
	uint32_t frames;
	int error;			/* the first one; nothing goes on after it */
	int number;			/* errno of it */
	unsigned char chunk[CHUNK_BYTES];
};

static int fail(struct claw_dump_writer *writer, int error)
{
	if (writer->error == 0) {
		writer->error = error;
		writer->number = errno;
	}
	return writer->error;
}

static int put(struct claw_dump_writer *writer, const void *bytes, size_t size)
{
	if (writer->error == 0 && size > 0 &&
	    fwrite(bytes, size, 1, writer->file) != 1)
		return fail(writer, -CLAW_E_IO);
	return writer->error;
}

/* ---- frames */

/* What ZSTD says, but where it says that there is no memory: sizes and
 * parameters are right. */
static size_t zstd_made(size_t made)
{
	if (ZSTD_isError(made))
		claw_made(NULL);
	return made;
}

static int put_stored(struct claw_dump_writer *writer, const void *bytes,
		      size_t size)
{
	struct claw_dump_frame *frame = &writer->frame;

	frame->stored += size;
	frame->stored_check = (uint32_t)crc32_z(frame->stored_check, bytes,
						size);
	return put(writer, bytes, size);
}

static int put_packed(struct claw_dump_writer *writer, const void *bytes,
		      size_t size, ZSTD_EndDirective how)
{
	ZSTD_inBuffer in = { .src = bytes, .size = size };
	size_t left;

	do {
		ZSTD_outBuffer out = {
			.dst = writer->chunk, .size = sizeof(writer->chunk),
		};

		left = zstd_made(ZSTD_compressStream2(writer->zstd, &out, &in,
						      how));
		if (out.pos > 0)
			put_stored(writer, writer->chunk, out.pos);
	} while (writer->error == 0 &&
		 (in.pos < in.size || (how == ZSTD_e_end && left > 0)));
	return writer->error;
}

int claw_dump_section_begin(struct claw_dump_writer *writer,
			    enum claw_dump_section section, uint64_t bytes)
{
	struct claw_dump_frame *frame = &writer->frame;

	*frame = (struct claw_dump_frame) {
		.section = (uint32_t)section, .bytes = bytes,
		.number = writer->frames + 1, .endian = CLAW_JOURNAL_ENDIAN,
		.flags = bytes >= LEAST_PACKED_BYTES ? CLAW_DUMP_ZSTD : 0,
	};
	memcpy(frame->sync, CLAW_DUMP_SYNC, sizeof(frame->sync));
	frame->stored_check = (uint32_t)crc32(0, NULL, 0);
	writer->start = ftello(writer->file);
	if (writer->start < 0)
		return fail(writer, -CLAW_E_IO);
	ZSTD_CCtx_reset(writer->zstd, ZSTD_reset_session_only);
	ZSTD_CCtx_setPledgedSrcSize(writer->zstd, bytes);
	return put(writer, frame, sizeof(*frame));
}

int claw_dump_section_add(struct claw_dump_writer *writer, const void *bytes,
			  size_t size)
{
	if (writer->error || size == 0)
		return writer->error;
	return writer->frame.flags & CLAW_DUMP_ZSTD ?
		put_packed(writer, bytes, size, ZSTD_e_continue) :
		put_stored(writer, bytes, size);
}

int claw_dump_section_end(struct claw_dump_writer *writer)
{
	struct claw_dump_frame *frame = &writer->frame;
	off_t end;

	if (writer->error == 0 && frame->flags & CLAW_DUMP_ZSTD)
		put_packed(writer, NULL, 0, ZSTD_e_end);
	if (writer->error)
		return writer->error;
	frame->check = claw_dump_frame_check(frame);
	end = ftello(writer->file);
	if (end < 0 || fseeko(writer->file, writer->start, SEEK_SET) != 0)
		return fail(writer, -CLAW_E_IO);
	put(writer, frame, sizeof(*frame));
	if (writer->error == 0 && fseeko(writer->file, end, SEEK_SET) != 0)
		return fail(writer, -CLAW_E_IO);
	writer->frames++;
	return writer->error;
}

int claw_dump_section_undo(struct claw_dump_writer *writer)
{
	if (writer->error)
		return writer->error;
	if (fflush(writer->file) != 0 ||
	    ftruncate(fileno(writer->file), writer->start) != 0 ||
	    fseeko(writer->file, writer->start, SEEK_SET) != 0)
		return fail(writer, -CLAW_E_IO);
	return 0;
}

int claw_dump_write(struct claw_dump_writer *writer,
		    enum claw_dump_section section, const void *bytes,
		    size_t size)
{
	claw_dump_section_begin(writer, section, size);
	claw_dump_section_add(writer, bytes, size);
	return claw_dump_section_end(writer);
}

int claw_dump_write_json(struct claw_dump_writer *writer,
			 enum claw_dump_section section, const json_t *value)
{
	char *text = claw_made(json_dumps(value, JSON_SORT_KEYS |
					  JSON_COMPACT | JSON_ENCODE_ANY));
	int ret = claw_dump_write(writer, section, text, strlen(text));

	free(text);
	return ret;
}

/* ---- files */

static void writer_free(struct claw_dump_writer *writer)
{
	if (writer->file)
		fclose(writer->file);
	ZSTD_freeCCtx(writer->zstd);
	free(writer->path);
	free(writer->fresh);
	free(writer);
}

/* Readable by its owner only: there is a program's memory in it. */
static int open_file(struct claw_dump_writer *writer)
{
	int fd = mkostemp(writer->fresh, O_CLOEXEC);

	if (fd < 0)
		return fail(writer, -CLAW_E_IO);
	writer->file = fdopen(fd, "w");
	if (!writer->file) {
		fail(writer, -CLAW_E_IO);
		close(fd);
		unlink(writer->fresh);
	}
	return writer->error;
}

static int write_head(struct claw_dump_writer *writer, const char *head)
{
	size_t length = strlen(head);

	put(writer, CLAW_DUMP_FIRST_LINE, strlen(CLAW_DUMP_FIRST_LINE));
	put(writer, head, length);
	if (length > 0 && head[length - 1] != '\n')
		put(writer, "\n", 1);
	return put(writer, CLAW_DUMP_MARKER, strlen(CLAW_DUMP_MARKER));
}

int claw_dump_writer_new(const char *path, const char *head,
			 struct claw_dump_writer **ret_writer)
{
	struct claw_dump_writer *writer = claw_calloc(1, sizeof(*writer));
	int ret;

	writer->path = claw_strdup(path);
	writer->zstd = claw_made(ZSTD_createCCtx());
	writer->fresh = claw_format("%s.XXXXXX", path);
	ZSTD_CCtx_setParameter(writer->zstd, ZSTD_c_compressionLevel, LEVEL);
	ret = open_file(writer);
	if (ret < 0) {
		errno = writer->number;
		writer_free(writer);
		return ret;
	}
	ret = write_head(writer, head);
	if (ret < 0)
		claw_dump_writer_cancel(writer);
	else
		*ret_writer = writer;
	return ret;
}

static int finish(struct claw_dump_writer *writer)
{
	const struct claw_dump_end end = { .frames = writer->frames };
	int closed;

	claw_dump_write(writer, CLAW_DUMP_END, &end, sizeof(end));
	if (writer->error == 0 && (fflush(writer->file) != 0 ||
				   fsync(fileno(writer->file)) != 0))
		fail(writer, -CLAW_E_IO);
	closed = fclose(writer->file);
	writer->file = NULL;
	if (closed != 0)
		fail(writer, -CLAW_E_IO);
	if (writer->error == 0 && rename(writer->fresh, writer->path) != 0)
		fail(writer, -CLAW_E_IO);
	return writer->error;
}

int claw_dump_writer_finish(struct claw_dump_writer *writer)
{
	int ret = finish(writer), number = writer->number;

	if (ret < 0)
		unlink(writer->fresh);
	writer_free(writer);
	if (ret < 0)
		errno = number;
	return ret;
}

void claw_dump_writer_cancel(struct claw_dump_writer *writer)
{
	int number = writer->error ? writer->number : errno;

	unlink(writer->fresh);
	writer_free(writer);
	errno = number;
}

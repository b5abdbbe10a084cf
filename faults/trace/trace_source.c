/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes of the program's own memory. Where it is more than a handful the kernel
 * is asked first whether it is there.
 */
#include "config.h"

#include "trace_private.h"

#include "faults/call/program_memory.h"

enum { DIRECT = 64, PAGE = 4096 };

/* What begins on a page may end on one that is not there: sizes that are
 * wrong are for the driver to refuse. */
static bool is_on_one_page(const void *from, uint64_t bytes)
{
	return (uintptr_t)from % PAGE + bytes <= PAGE;
}

static bool copy(void *to, const void *from, uint64_t bytes, bool direct)
{
	if ((uintptr_t)from < PAGE || bytes > UINTPTR_MAX - (uintptr_t)from)
		return !bytes;
	if (!direct && claw_readable_look(from, bytes) == CLAW_NOT_READABLE)
		return false;
	claw_program_copy(to, from, bytes);
	return true;
}

bool claw_source_copy(void *to, const void *from, uint64_t bytes)
{
	return copy(to, from, bytes,
		    bytes <= DIRECT && is_on_one_page(from, bytes));
}

uint64_t claw_source_text(const char *text, uint64_t max)
{
	char piece[512];
	uint64_t length = 0;

	while (length < max) {
		/* No further than the page that the text is known to reach. */
		uintptr_t at = (uintptr_t)text + length;
		size_t bytes = sizeof(piece) - at % sizeof(piece);

		if (!claw_source_copy(piece, (const void *)at, bytes))
			return UINT64_MAX;
		for (size_t i = 0; i < bytes; i++)
			if (!piece[i])
				return length + i < max ? length + i : max;
		length += bytes;
	}
	return max;
}

/* *page: one that is there; the kernel is asked once about each. */
static bool fetch_row(const struct claw_trace_source *source, uint64_t row,
		      uint64_t from, void *to, uint64_t bytes, uintptr_t *page)
{
	const void *start = (const void *)(uintptr_t)((uintptr_t)source->base +
		from + row / source->rows * source->slice_pitch +
		row % source->rows * source->row_pitch);
	bool direct = bytes <= DIRECT && is_on_one_page(start, bytes) &&
		(uintptr_t)start / PAGE == *page;

	*page = (uintptr_t)start / PAGE;
	return copy(to, start, bytes, direct);
}

bool claw_source_fetch(const struct claw_trace_source *source, uint64_t offset,
		       void *to, uint64_t bytes)
{
	unsigned char *at = to;
	uintptr_t page = 0;

	if (source->read)
		return source->read(source->user, offset, to, bytes);
	/* Its last piece may be a small one. */
	if (source->rows * source->slices == 1)
		return copy(to, source->base + offset, bytes, !offset &&
			    bytes <= DIRECT &&
			    is_on_one_page(source->base, bytes));
	while (bytes) {
		uint64_t from = offset % source->row_bytes;
		uint64_t piece = source->row_bytes - from;

		if (piece > bytes)
			piece = bytes;
		if (!fetch_row(source, offset / source->row_bytes, from, at,
			       piece, &page))
			return false;
		at += piece;
		offset += piece;
		bytes -= piece;
	}
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounded capture of a program's output: the first bytes, the last bytes, and
 * how many were left out between them. NUL bytes are bytes like any other.
 */
#include "config.h"

#include "capture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* Grow *bytes to hold `wanted`, never beyond `most`. */
static void grow(char **bytes, size_t *room, size_t wanted, size_t most)
{
	if (wanted <= *room)
		return;

	size_t size = *room ? *room : 4096;

	while (size < wanted)
		size *= 2;
	if (size > most)
		size = most;

	*bytes = claw_grow(*bytes, size, 1);
	*room = size;
}

static size_t add_to_head(struct claw_capture_writer *w, const char *bytes,
			  size_t size)
{
	struct claw_capture *c = &w->capture;
	size_t part = w->head_max - c->head_bytes;

	if (part > size)
		part = size;
	if (part == 0)
		return 0;
	grow(&c->head, &w->head_room, c->head_bytes + part, w->head_max);
	memcpy(c->head + c->head_bytes, bytes, part);
	c->head_bytes += part;
	return part;
}

static void add_to_tail(struct claw_capture_writer *w, const char *bytes,
			size_t size)
{
	struct claw_capture *c = &w->capture;

	if (size > w->tail_max) {
		c->cut_bytes += size - w->tail_max;
		bytes += size - w->tail_max;
		size = w->tail_max;
	}
	if (size == 0)
		return;

	size_t wanted = c->tail_bytes + size;

	if (wanted > w->tail_max)
		wanted = w->tail_max;
	/* The ring may wrap only when it has its full size. */
	grow(&c->tail, &w->tail_room, wanted, w->tail_max);
	for (size_t done = 0; done < size;) {
		size_t at = (w->tail_start + c->tail_bytes) % w->tail_max;
		size_t part = size - done;

		if (c->tail_bytes == w->tail_max)
			at = w->tail_start;
		if (part > w->tail_max - at)
			part = w->tail_max - at;
		memcpy(c->tail + at, bytes + done, part);
		done += part;

		size_t overwritten = 0;

		if (c->tail_bytes + part > w->tail_max)
			overwritten = c->tail_bytes + part - w->tail_max;
		c->tail_bytes += part - overwritten;
		c->cut_bytes += overwritten;
		w->tail_start = (w->tail_start + overwritten) % w->tail_max;
	}
}

static void reverse(char *bytes, size_t from, size_t to)
{
	while (from + 1 < to) {
		char byte = bytes[from];

		bytes[from++] = bytes[--to];
		bytes[to] = byte;
	}
}

void claw_capture_writer_init(struct claw_capture_writer *writer,
			      size_t head_max, size_t tail_max)
{
	*writer = (struct claw_capture_writer) {
		.head_max = head_max,
		.tail_max = tail_max,
	};
}

void claw_capture_writer_add(struct claw_capture_writer *writer,
			     const void *bytes, size_t size)
{
	const char *from = bytes;
	size_t in_head = add_to_head(writer, from, size);

	writer->capture.total_bytes += size;
	add_to_tail(writer, from + in_head, size - in_head);
}

void claw_capture_writer_finish(struct claw_capture_writer *writer,
				struct claw_capture *ret_capture)
{
	struct claw_capture *c = &writer->capture;

	/* Rotate the ring in place by three reversals. */
	reverse(c->tail, 0, writer->tail_start);
	reverse(c->tail, writer->tail_start, c->tail_bytes);
	reverse(c->tail, 0, c->tail_bytes);
	*ret_capture = *c;
	claw_capture_writer_init(writer, writer->head_max, writer->tail_max);
}

void claw_capture_release(struct claw_capture *capture)
{
	free(capture->head);
	free(capture->tail);
	*capture = (struct claw_capture) { 0 };
}

char *claw_capture_text(const struct claw_capture *capture)
{
	char between[64] = "";

	if (capture->cut_bytes)
		snprintf(between, sizeof(between),
			 "\n... %" PRIu64 " bytes cut ...\n",
			 capture->cut_bytes);

	size_t middle = strlen(between);
	size_t size = capture->head_bytes + middle + capture->tail_bytes;
	char *text = claw_malloc(size + 1);

	if (capture->head_bytes)
		memcpy(text, capture->head, capture->head_bytes);
	memcpy(text + capture->head_bytes, between, middle);
	if (capture->tail_bytes)
		memcpy(text + capture->head_bytes + middle, capture->tail,
		       capture->tail_bytes);
	text[size] = '\0';
	return text;
}

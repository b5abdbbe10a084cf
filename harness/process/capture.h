/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gather output of any length in bounded memory: its head, its tail and the
 * count of what was between them. The result is struct claw_capture
 * (runner.h).
 */
#ifndef CLAW_CAPTURE_H
#define CLAW_CAPTURE_H

#include <stddef.h>

#include "runner.h"

struct claw_capture_writer {
	struct claw_capture capture;	/* tail is a ring until finish */
	size_t head_max, tail_max;
	size_t tail_start;		/* oldest byte in the ring */
	size_t head_room, tail_room;	/* bytes allocated */
};

/* head_max, tail_max: most bytes kept of each. Cannot fail. */
void claw_capture_writer_init(struct claw_capture_writer *writer,
			      size_t head_max, size_t tail_max);
void claw_capture_writer_add(struct claw_capture_writer *writer,
			     const void *bytes, size_t size);
/* Hand the capture over; the caller frees head and tail. */
void claw_capture_writer_finish(struct claw_capture_writer *writer,
				struct claw_capture *ret_capture);
void claw_capture_release(struct claw_capture *capture);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers in the program's own memory (CL_MEM_USE_HOST_PTR): the device works
 * on a shadow, between zones, in memory of ours. Where a driver uses such memory
 * in place, programs read and write theirs without mapping the buffer, and it
 * works; so what one side changes is carried over to the other beside each
 * command (guard_sync.c) and wherever the program learns that one is complete.
 *
 * Only bytes that changed are written, on either side: whatever the other side
 * is doing to others meanwhile, and a second buffer in the same memory, are
 * left alone. Memory that nothing has to be carried to is not touched: the
 * program may have freed it.
 *
 * Not kept: what a kernel and the program tell each other in that memory while
 * the kernel runs.
 */
#ifndef CLAW_GUARD_SHADOW_H
#define CLAW_GUARD_SHADOW_H

#include <pthread.h>

#include "faults/call/guest.h"

struct claw_shadow {
	struct claw_shadow *next, **link;	/* of all */
	uint8_t *host;			/* the program's memory */
	uint8_t *device;		/* ours, that the device uses */
	uint8_t *base;			/* what both were when last compared */
	size_t bytes;			/* of each */
	pthread_mutex_t lock;		/* of base */
	uint32_t writers;		/* commands that may write to it, and were not
					 * followed by claw_shadow_push() yet: atomic */
};

/* The program's bytes are copied to device. NULL: no memory. Never more than
 * claw_shadow_is_possible() allows. */
CLAW_HIDDEN struct claw_shadow *claw_shadow_new(void *host, uint8_t *device,
						size_t bytes);
/* NULL is fine. */
CLAW_HIDDEN void claw_shadow_free(struct claw_shadow *shadow);
CLAW_HIDDEN bool claw_shadow_is_possible(size_t bytes);
/* The program has memory that it shares with kernels by itself. */
CLAW_HIDDEN void claw_shadows_refuse(void);
CLAW_HIDDEN bool claw_shadows_are_any(void);
CLAW_HIDDEN void claw_shadows_begin(void);

/* To the device what the program changed of those bytes; the other way. Any
 * thread, at any time; the driver is not called. */
CLAW_HIDDEN void claw_shadow_pull(struct claw_shadow *shadow, size_t offset,
				  size_t bytes);
CLAW_HIDDEN void claw_shadow_push(struct claw_shadow *shadow, size_t offset,
				  size_t bytes);
/* A command that may write to it is about to be enqueued; one is done, or was
 * not enqueued. */
CLAW_HIDDEN void claw_shadow_begin_writing(struct claw_shadow *shadow);
CLAW_HIDDEN void claw_shadow_end_writing(struct claw_shadow *shadow);

/* The program learns that something is complete: push all that anything may
 * have written to. */
CLAW_HIDDEN void claw_shadows_push(void);
/* Nobody knows which ones a command uses: pull all, and from now on they are
 * pushed each time. */
CLAW_HIDDEN void claw_shadows_pull_and_keep(void);

/* The same place on the other side; NULL: it is not in there. */
CLAW_HIDDEN void *claw_shadow_to_host(const struct claw_shadow *shadow,
				      const void *at);
CLAW_HIDDEN void *claw_shadow_to_device(const struct claw_shadow *shadow,
					const void *at);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's own memory, while commands use it: frames of functions that
 * have returned (host_frames.c), sources that are changed (host_sources.c),
 * mappings that are given up (host_mappings.c), memory that is freed
 * (host_freed.c).
 */
#ifndef CLAW_HOST_MEMORY_H
#define CLAW_HOST_MEMORY_H

#include "commands_private.h"

/* ---- frames; outside of the lock */

/* Does it lie in this thread's own stack, above the call? */
CLAW_HIDDEN bool claw_host_is_on_stack(const struct claw_call *call,
				       uint64_t start);
/* This thread's stack; false: not known. */
CLAW_HIDDEN bool claw_host_own_stack(uintptr_t *ret_low, uintptr_t *ret_high);
/* This thread has one more access there. */
CLAW_HIDDEN void claw_host_frame_used(void);
/* At each call: is a frame gone that a command still uses? */
CLAW_HIDDEN void claw_host_frames_look(struct claw_call *call);

/* ---- sources */

/* As it is now; outside of the lock, for a command that the driver has taken. */
CLAW_HIDDEN void claw_host_hash(struct claw_source *source);
/* Has it changed? By one thread at a time. *ret_offset: where the first chunk
 * begins that has. */
CLAW_HIDDEN bool claw_host_is_changed(const struct claw_source *source,
				      uint64_t *ret_offset);
/* Under the lock, before the access is entered. What the new command writes is
 * no source to look at any more; false: its own source may change by right. */
CLAW_HIDDEN bool claw_host_keep_source(const struct claw_access *access);

/* ---- mappings; under the lock */

CLAW_HIDDEN void claw_host_mappings_begin(void);
CLAW_HIDDEN void claw_host_mapped(const struct claw_call *call,
				  const struct claw_access *access);
CLAW_HIDDEN void claw_host_unmapped(const struct claw_call *call);
/* Is some of it a mapping's, as far as that is known? */
CLAW_HIDDEN bool claw_host_is_mapped(uint64_t start, uint64_t end);
/* Without the lock, too. */
CLAW_HIDDEN bool claw_host_any_mapped(void);
CLAW_HIDDEN void claw_host_mem_gone(uint64_t mem);
/* Memory that the driver or the program may use for something else now. */
CLAW_HIDDEN void claw_host_mappings_freed(uint64_t start, uint64_t end);
CLAW_HIDDEN void claw_host_mappings_watch(void);
/* A command is about to use this address. */
CLAW_HIDDEN void
claw_host_look_at_mappings(const struct claw_call *call,
			   const struct claw_access *access,
			   struct claw_found_list *list);

/* ---- what is freed; under the lock */

CLAW_HIDDEN void claw_host_freed_begin(void);
CLAW_HIDDEN bool claw_host_frees_are_seen(void);
/* Who is told first of memory that goes, and of what may go, move or be
 * protected otherwise; NULL: nobody. */
struct claw_host_watcher {
	void (*freeing)(uint64_t start, uint64_t bytes);
	void (*touching)(uint64_t start, uint64_t bytes);
};
CLAW_HIDDEN void claw_host_tell(const struct claw_host_watcher *watcher);
/* Be told when that goes. */
CLAW_HIDDEN void claw_host_watch(uint64_t start, uint64_t bytes);
/* A buffer is released whose commands are pending. */
CLAW_HIDDEN void claw_host_released(void);
/* Commands have been completed. */
CLAW_HIDDEN void claw_host_sweep(void);
/* A command is about to use a buffer whose memory is freed. */
CLAW_HIDDEN void claw_host_look_at_freed(const struct claw_call *call,
					 const struct claw_access *access,
					 struct claw_found_list *list);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands that are under way, as far as the program can know: what each one
 * reads and writes, what it waits for, and whether anything the program did
 * since makes sure that it is done. That is not whether it is done: what is
 * right only on a fast day is found on every day.
 */
#ifndef CLAW_COMMANDS_H
#define CLAW_COMMANDS_H

#include "faults/call/guest.h"
#include "faults/ledger/ledger.h"

/* Rows of bytes at equal distances: of a buffer from its begin, of shared or
 * host memory as addresses. */
struct claw_span {
	uint64_t start, row_bytes, row_pitch, slice_pitch;
	uint32_t rows, slices;
};
/* Behind its last byte. */
static inline uint64_t claw_span_end(const struct claw_span *span)
{
	return span->start + (span->slices - 1) * span->slice_pitch +
	       (span->rows - 1) * span->row_pitch + span->row_bytes;
}

/* In this process, or anew in a forked child. */
CLAW_HIDDEN void claw_commands_begin(void);
/* The process ends: launches that nothing has waited for. No call of the driver
 * is made. */
CLAW_HIDDEN void claw_commands_end(void);
extern bool claw_commands_on CLAW_HIDDEN;
static inline bool claw_commands_are_on(void)
{
	return claw_commands_on;
}

/* Accesses in this thread's frames that commands may still make: each call of
 * the thread is to be seen then. */
extern __thread uint32_t claw_host_frames_used
	__attribute__((tls_model(CLAW_TLS_MODEL), visibility("hidden")));
/* Was any kernel ever given a pointer? Then each argument is to be seen. */
extern bool claw_kernels_shared CLAW_HIDDEN;
static inline bool claw_kernels_have_shared(void)
{
	return __atomic_load_n(&claw_kernels_shared, __ATOMIC_RELAXED);
}

/* A launch of that kernel is near: what is known of it is of use soon. */
CLAW_HIDDEN void claw_kernels_prefetch(const void *handle);

/* Before the driver: after claw_life_before() and before claw_ledger_before(),
 * and after that, which knows the last release; and after the driver. An
 * answered call is not seen. */
CLAW_HIDDEN void claw_commands_before(struct claw_call *call);
CLAW_HIDDEN void claw_commands_releasing(struct claw_call *call);
CLAW_HIDDEN void claw_commands_after(struct claw_call *call);

/* What is left of it before the driver for a launch of a kernel that is alive,
 * as is all that it uses. False: it is not known well enough, and nothing was
 * done. */
enum { CLAW_LAUNCH_USES = 16 };
struct claw_launch {
	uint64_t kernel, serial;
	unsigned int count;
	struct claw_ledger_used used[CLAW_LAUNCH_USES];
};
CLAW_HIDDEN bool claw_commands_launching(struct claw_call *call,
					 const struct claw_launch *launch);
/* And after it; event 0: none. */
CLAW_HIDDEN void claw_commands_launched(const struct claw_call *call,
					uint64_t event);

/* What is left of the two before the driver when the program gives up its last
 * reference to a memory object or to a command's event. False: more than that
 * is to be done, and nothing was. */
CLAW_HIDDEN bool claw_commands_let_go(const struct claw_ledger_entry *entry);
CLAW_HIDDEN void claw_commands_event_gone(uint64_t event);

/* The lock of all that is known of commands. False: not now (a handler that
 * interrupted its own thread inside), and all that is pending will be
 * forgotten. */
CLAW_HIDDEN bool claw_commands_enter(void);
CLAW_HIDDEN void claw_commands_leave(void);
/* Within it: does the program know that the command with that number in its lane
 * is complete? */
CLAW_HIDDEN bool claw_order_is_complete(unsigned int slot, uint64_t number);
/* Between the two: its place in its lane (claw_order_is_complete()), and does
 * it wait for a user event? False: it has no record. */
CLAW_HIDDEN bool claw_enqueue_number(const struct claw_call *call,
				     uint8_t *ret_slot, uint64_t *ret_number,
				     bool *ret_is_gated);

#endif

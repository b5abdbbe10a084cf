/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's own memory, where it may not be there: the driver is to be the
 * first to trip over a pointer that is wrong.
 */
#ifndef CLAW_PROGRAM_MEMORY_H
#define CLAW_PROGRAM_MEMORY_H

#include "guest.h"

enum claw_readable {
	CLAW_NOT_READABLE,	/* not all of it is there */
	CLAW_READABLE,
	CLAW_READABLE_UNKNOWN,	/* this kernel does not tell */
};

/* Asks the kernel, with a call that every program of threads makes. errno
 * stays. */
CLAW_HIDDEN enum claw_readable claw_readable_look(const void *from,
						uint64_t bytes);

/* Not memcpy(), which a sanitizer would look at as if the program called it:
 * it is memory that other threads may write. */
CLAW_HIDDEN void claw_program_copy(void *to, const void *from, uint64_t bytes);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call sites: the frames of the program, without the guest's and
 * the loader's own, or the Python frames of a CPython program.
 */
#ifndef CLAW_SITE_H
#define CLAW_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "faults/shared/plan.h"

/* The site of the call in progress on this thread. */
struct claw_site {
	uint64_t hash;
	uint32_t kind;		/* enum claw_site_kind */
	uint32_t frame_count;
	struct {
		const struct claw_module *module;	/* native */
		uint64_t offset;	/* native: in the module; Python: line */
		const char *file, *function;	/* Python, borrowed */
	} frames[CLAW_JOURNAL_MAX_FRAMES];
};

/* A loaded object as the guest knows it; never freed. What is not loaded any
 * more may become another: nobody is still inside. */
struct claw_module {
	_Atomic uint64_t seen;		/* in the latest look that found it; 0: in
					 * the making */
	uintptr_t base, low, high;	/* load address; first and last+1 of its code */
	void *eh_frame_header;
	uint8_t build_id[CLAW_JOURNAL_BUILD_ID_BYTES];
	uint8_t build_id_bytes;
	bool ours;			/* the guest or the loader: left out */
	char path[256];
};

/* Learn the modules loaded now and whether this process is CPython. A forked
 * child has its parent's. */
void claw_site_init(void);

/* File of the module that holds this address, "" when none does. */
const char *claw_site_path_of(const void *address);

/* PT_GNU_EH_FRAME of the module that holds this address and the bounds of its
 * code; NULL when none does. */
void *claw_site_unwind_table(const void *address, void **ret_low,
			     void **ret_high);

/* Is this process CPython? Its sites are Python frames, and at= is matched by
 * text; elsewhere the host resolves at=. */
bool claw_site_has_python(void);

/* Walk the stack of this thread. Takes no lock that the program may hold
 * but the dynamic linker's, allocates nothing. */
void claw_site_capture(struct claw_site *site);

enum { CLAW_SITE_MAX_WORDS = 28 };

/* Stack positions of the return addresses of a native site, including ours and
 * the loader's. */
struct claw_site_words {
	uintptr_t from;		/* given: those below are left out */
	unsigned int count;
	bool whole;		/* that is all of them: the site is theirs */
	uintptr_t pcs[CLAW_SITE_MAX_WORDS], places[CLAW_SITE_MAX_WORDS];
};

/* As claw_site_capture(). */
void claw_site_capture_words(struct claw_site *site,
			     struct claw_site_words *words);

/* The same from a handler of a fatal signal: native frames only, those of the
 * code that was interrupted, no lock. stack: its stack pointer, or 0. It may
 * read where nothing is: the caller survives that. */
void claw_site_capture_crash(struct claw_site *site, uintptr_t pc,
			     uintptr_t stack);

/*
 * The same of a fault that the program lives on with: where its own code was,
 * without the handler and without libc's functions that it was in. asks_python:
 * may the interpreter be asked, which allocates? False: it was our own code.
 */
bool claw_site_capture_fault(struct claw_site *site, bool asks_python);

/* The number (index + 1) under which the journal keeps it. */
uint32_t claw_site_record(const struct claw_site *site);

/* Does the site meet at=, pc= and site= of the rule? */
bool claw_site_matches(const struct claw_site *site, const struct claw_rule *rule);

#endif

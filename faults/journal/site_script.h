/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that do what a file says, as openclaw-kernel does: where their
 * calls came from is a line of that file, and no line of theirs tells a person
 * anything.
 */
#ifndef CLAW_SITE_SCRIPT_H
#define CLAW_SITE_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "journal.h"
#include "site.h"

/* This thread's calls from now on are of that line; NULL: of its own stack.
 * The words stay the caller's, until the next call. */
CLAW_HIDDEN void claw_site_script_set(const char *file, uint32_t line,
				      const char *what);

/* The site of the line that was set; false: none is. */
CLAW_HIDDEN bool claw_site_script_take(struct claw_site *site);

/* The number under which the journal keeps that site: 0, not known; and
 * remember it. begin: in a forked child, whose journal is another. */
CLAW_HIDDEN uint32_t claw_site_script_number(void);
CLAW_HIDDEN void claw_site_script_keep(uint32_t number);
CLAW_HIDDEN void claw_site_script_begin(void);

/* Has any thread ever set one? */
extern bool claw_site_has_scripts CLAW_HIDDEN;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory that this process writes into. The host has made one
 * (OPENCLAW_SESSION), or, with CLW_CRASH_DUMP=1 and no host, the process makes
 * one itself, session_YYYYMMDD_HHMMSS.<pid> below CLW_CRASH_DUMP_PATH (or the
 * working directory), as OPENCLAW_CAPTURE says ("capture=hash
 * capture_redact=1", keys of the session's config with blanks between them);
 * that one goes again when the process ends well, unless capture_keep=1 is
 * among them. "openclaw capture --recover" makes dumps of what stays. With
 * OPENCLAW_ENABLE_GPU_ASAN=1 alone (instrument.h) it is below TMPDIR or /tmp,
 * captures nothing, and goes when the process ends.
 */
#ifndef CLAW_OWN_SESSION_H
#define CLAW_OWN_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "faults/journal/journal.h"

/* The directory, or NULL: there is none. Once a process. */
CLAW_HIDDEN const char *claw_own_session(void);
/* Is that one made here, without a host? */
CLAW_HIDDEN bool claw_own_session_is_own(void);
/* The process comes to its end by itself, after claw_journal_close(). */
CLAW_HIDDEN void claw_own_session_end(void);

/*
 * Beside the journal, process.<pid>.<n>: who this process is, also anew in a
 * forked child. Entries with a NUL behind each: 'A' and a word of its command
 * line, 'E' and a variable of environment.def with its value, 'D' and its
 * working directory. redact: the second alone.
 */
CLAW_HIDDEN void claw_own_session_introduce(bool redact);

/* mkdir -p, of what is above the last part, too; the path is changed meanwhile. */
CLAW_HIDDEN bool claw_directories_make(char *path);

/* Where the host makes dumps of the session; "" when there is no host. */
CLAW_HIDDEN void claw_own_session_set_into(const char *into);
/* Where a dump of this process will be, or what one can be made of, for a
 * person; NULL when nothing is captured. */
CLAW_HIDDEN const char *claw_own_session_dump(char *text, size_t size);

#endif

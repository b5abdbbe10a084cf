/* SPDX-License-Identifier: Apache-2.0 */
/*
 * META of a dump (dump.h): what is known of a process and its machine beside
 * its calls. What the host knew at the start is kept in the session, for whoever
 * makes the dump when the host is gone.
 */
#ifndef CLAW_DUMP_META_H
#define CLAW_DUMP_META_H

#include <jansson.h>
#include <stdbool.h>

#include "dump_trigger.h"

struct claw_session;

/* What the host says of a run, before it: argv, working_directory,
 * captured_at, redacted. */
json_t *claw_dump_about_new(char *const *argv, bool redact);
/* Into and out of DIRECTORY/about.json. 0 or -CLAW_E_IO; one that is not there,
 * or damaged, is {}. */
int claw_dump_about_write(const json_t *about, const char *directory);
json_t *claw_dump_about_read(const char *directory);

/* The machine and its OpenCL, asked of a child process; "problem" where not all
 * was answered. */
json_t *claw_dump_machine(void);
json_t *claw_dump_opencl(char *const *set_env);

/*
 * The whole of it.
 *
 * directory: the session's, for the faults that were armed.
 * about:     as above; borrowed.
 * process:   path of the guest's process.<pid>.<n>, which need not be there.
 * is_first:  the process is the one that about is about.
 * result:    how it ended, or NULL.
 */
json_t *claw_dump_meta_make(const char *directory, const json_t *about,
			    const char *process,
			    const struct claw_journal *journal, bool is_first,
			    const struct claw_run_result *result,
			    const struct claw_dump_trigger *trigger);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The findings of one run, and whether one of them is what --finding names. */
#ifndef CLAW_BISECT_FOUND_H
#define CLAW_BISECT_FOUND_H

#include <stdbool.h>

#include "harness/records/past_run.h"

/* All of them, a line each with the fingerprint of report.sarif. */
char **claw_bisect_found_lines(const struct claw_past_run *run);

/*
 * wanted: a fingerprint, or a part of what the reports, or openclaw history,
 * print of the finding, where numbers may be others; keys: of findings of another
 * run that matched, or NULL. ret_keys: of those that match, a list; may be NULL.
 */
bool claw_bisect_found_has(const struct claw_past_run *run, const char *wanted,
			   char *const *keys, char ***ret_keys);

/* Is the text as fingerprints are? */
bool claw_bisect_is_fingerprint(const char *text);

/* What else went wrong, so that a finding that is not there could not be seen;
 * NULL: nothing. malloced. */
char *claw_bisect_found_hidden(const struct claw_past_run *run);

#endif

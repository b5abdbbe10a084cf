/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a tool saw in a faulted run, and not in the run without faults under
 * the same tool.
 */
#ifndef CLAW_JUDGED_FOUND_H
#define CLAW_JUDGED_FOUND_H

#include "judged_run.h"

struct claw_judged_found {
	/* Those, each once: a line, and below it the tool's own words; or
	 * NULL: there is nothing. */
	char *text;
	/* "host-uninitialized in load under valgrind": of the first; without
	 * lines, so that a later build has the same. Or NULL. */
	char *chain;
	/* Memory that a program did not free on its way out of an error:
	 * lines, or NULL. */
	char *notes;
	struct claw_findings findings;	/* those of the text */
};

/* left_counts: memory that is lost counts, too. The caller releases. */
void claw_judged_found_compare(const struct claw_judged_run *baseline,
			       const struct claw_judged_run *faulted,
			       bool left_counts,
			       struct claw_judged_found *ret_found);
void claw_judged_found_release(struct claw_judged_found *found);

/* One finding: a line, and below it the tool's words, indented. */
void claw_judged_found_print(FILE *out, const struct claw_finding *finding);

#endif

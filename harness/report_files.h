/* SPDX-License-Identifier: Apache-2.0 */
/* The reports of a command that is over. */
#ifndef CLAW_REPORT_FILES_H
#define CLAW_REPORT_FILES_H

#include "reports/report.h"

/* What --junit, --sarif and --json say: NULL: not given, "": without a FILE. */
struct claw_report_files {
	const char *junit, *sarif, *json;
};

/*
 * All reports that options->verb has by itself, into the directory; those that
 * were asked for, where they were asked for; JSON without a FILE is report.json
 * there. Dies when one cannot be written. shown: the directory, for a person.
 */
void claw_report_files_write(const char *directory, const char *shown,
			     const struct claw_report_files *files,
			     const struct claw_report_head *options);

/* --source-root, or the working directory; good until the next call. */
const char *claw_report_source_root(const char *given);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words that "openclaw report" knows before its directories.
 */
#ifndef CLAW_CMD_REPORT_H
#define CLAW_CMD_REPORT_H

#include <stdbool.h>

#include "harness/records/past_run.h"

struct claw_report_words {
	int count;
	char *const *items;	/* directories */
	const char *output;	/* or NULL */
	const char *source_root;
	const char *html, *json;	/* of diff; "": the usual place, or NULL */
	bool force;
	char *const *devices;	/* of items, "": not known; or NULL */
	/* Of a batch: output is open already, and nothing is printed on stdout; a
	 * note for the records; when the batch began; whether it was ended early; the status of findings. */
	const char *note, *started;
	bool is_open, cancelled, has_findings_status;
	int findings_status;
	int argc;		/* the command line, for the records */
	char *const *argv;
};

/* "merge DIR... --output DIR": the exit status. */
int claw_cmd_report_merge(const struct claw_report_words *words);
/* "diff OLD NEW": the exit status. */
int claw_cmd_report_diff(const struct claw_report_words *words);

/* The run in directory, or die; word: "merge" or "diff", for the message. */
struct claw_past_run *claw_cmd_report_read(const char *word,
					   const char *directory);

#endif

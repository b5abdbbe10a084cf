/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Print and record findings: what check_report.c does with leaks. The parts
 * that both share are here, too.
 */
#ifndef CLAW_FOUND_REPORT_H
#define CLAW_FOUND_REPORT_H

#include "check_report.h"

/* A line an error, and a note when they are asked for; what has no guard
 * zones. */
void claw_found_print(FILE *out, const struct claw_check_view *view,
		      const struct claw_check_scan *scan);
void claw_found_write_suppressions(FILE *out,
				   const struct claw_check_view *view,
				   const struct claw_found_groups *groups);
/* common: what all results of the run have. 0 or what the records return. */
int claw_found_record(struct claw_records *records,
		      const struct claw_check_view *view,
		      const struct claw_check_scan *scan,
		      const struct claw_result *common);

/* Each line of the text. */
void claw_check_print_lines(FILE *out, const char *indent, const char *text);
/* " (forked child 12, NAME)", when there are several. */
void claw_check_print_process(FILE *out, const struct claw_leak_scan *scan,
			      uint32_t pid);

#endif

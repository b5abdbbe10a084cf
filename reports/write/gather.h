/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first reading of the records for a report: everything but results,
 * samples and events, which are counted.
 */
#ifndef CLAW_REPORT_GATHER_H
#define CLAW_REPORT_GATHER_H

#include "reports/report.h"

/* Texts are copies. */
struct claw_report_gathering {
	struct claw_report_head head;
	struct claw_environment_entry *environment;
	struct claw_report_rule *rules;
	const char **notes;
	struct claw_change *changes;
};

/* Into one that is empty; released also after a failure. As
 * claw_records_read(). */
int claw_report_gather(const char *path,
		       struct claw_report_gathering *gathering);
void claw_report_gathering_release(struct claw_report_gathering *gathering);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* By what code scanning knows a finding of an earlier run again. */
#ifndef CLAW_REPORT_SARIF_H
#define CLAW_REPORT_SARIF_H

#include "harness/records/records.h"

/* The 16 hexadecimal digits that primaryLocationLineHash of report.sarif has
 * before the colon: the same for one finding in a later build. result: of class
 * 'f'. malloced. */
char *claw_report_fingerprint(const struct claw_result *result);

#endif

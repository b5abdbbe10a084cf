/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The readable text that a dump begins with, for people who have nothing but
 * "cat"; and the list of what a dump holds, for those who send it away.
 */
#ifndef CLAW_DUMP_HEAD_H
#define CLAW_DUMP_HEAD_H

#include "harness/crash/dump/dump.h"

/*
 * From what dump has in memory (meta, journal, trace, sites: each may be
 * missing). name: of the file that it will be, for the lines to paste. UTF-8,
 * malloced.
 */
char *claw_dump_head(const struct claw_dump *dump, const char *name);

/*
 * One line for each kind of data with how much of it there is; what may be
 * personal is marked. malloced.
 */
char *claw_dump_holds(const struct claw_dump *dump);

#endif

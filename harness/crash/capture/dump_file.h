/* SPDX-License-Identifier: Apache-2.0 */
/* Write the dump of one process out of its session. */
#ifndef CLAW_DUMP_FILE_H
#define CLAW_DUMP_FILE_H

#include "harness/crash/dump/dump.h"

/*
 * view:         what was made of it in memory: meta, sites, stacks, texts, and
 *               the trace, for the head; its ledger is filled in here.
 * journal_path: the files beside it are taken as they are.
 * path:         of the dump; it appears when it is whole.
 *
 * Returns 0, -CLAW_E_IO (errno set) or -CLAW_E_DAMAGED.
 */
int claw_dump_file_write(struct claw_dump *view, const char *journal_path,
			 const char *path);
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "--on ENGINE": a command's work is done in pieces by the tasks of an engine
 * (local processes, Slurm, Kubernetes), and comes back as one run.
 *
 * A piece is the command with --shard K/N. Tasks take pieces from a folder
 * (batch_queue.h) until there are none; whoever follows the batch puts back what
 * a lost task had, and merges the pieces in the end. All that they have in
 * common is the output directory, which every node sees at the same path.
 */
#ifndef CLAW_BATCH_H
#define CLAW_BATCH_H

#include <stdbool.h>

#include "harness/base/options.h"

/* Does the command line have --on, or "report merge --follow"? */
bool claw_batch_is_wanted(const struct claw_command *command, int argc,
			  char *const *argv);
/* Do it: the exit status. argv[0] is the verb; find: the command of a name, or
 * NULL. */
int claw_batch_run(const struct claw_command *command, int argc,
		   char *const *argv,
		   const struct claw_command *(*find)(const char *name));

#endif

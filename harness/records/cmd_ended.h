/* SPDX-License-Identifier: Apache-2.0 */
/* How a command's program started and ended, said in one way. */
#ifndef CLAW_CMD_ENDED_H
#define CLAW_CMD_ENDED_H

#include <stdint.h>

#include "harness/session/program.h"
#include "harness/process/runner.h"

/* Look at the program that is to run. Dies when it cannot: 127 where it is not
 * there, 126 where it cannot be executed. */
void claw_cmd_look_at_program(const char *name,
			      struct claw_program *ret_program);

/* The exit status when it did not start, which is said on standard error, or
 * -1: it did. */
int claw_cmd_not_started(const struct claw_run_result *run,
			 const char *program);

/* How the program itself failed, one line, malloced, or NULL: it did not. */
char *claw_cmd_own_failure(const struct claw_run_result *run,
			   const char *program, uint64_t timeout_ms);

#endif

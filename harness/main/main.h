/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command table with its groups, for what is generated from it: shell
 * completion and the manual pages.
 */
#ifndef CLAW_MAIN_H
#define CLAW_MAIN_H

#include "harness/base/options.h"

/* Rows in the order of --help: a group's title (command NULL), or a command
 * (group NULL), hidden ones too. */
typedef void claw_main_visit(const char *group,
			     const struct claw_command *command, void *user);
void claw_main_walk(claw_main_visit *visit, void *user);

/* The command of that name, or of another of its names, or NULL. */
const struct claw_command *claw_main_command(const char *name);
/* The command that a program of another name is ("clw-info"), or NULL. */
const struct claw_command *claw_main_program(const char *name);

/* Options of openclaw itself, before the command; ends with OPT_END. */
const struct claw_option *claw_main_options(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The output directory of a command, and its records, or the command ends. */
#ifndef CLAW_CMD_OUTPUT_H
#define CLAW_CMD_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "records.h"

struct claw_cmd_output {
	char *shown;		/* as a person knows it */
	char *directory;	/* absolute */
	struct claw_records *records;
};

/* given: --output, or NULL. As claw_output_open(), or it dies; records stay
 * NULL. */
void claw_cmd_output_directory(const char *given, const char *verb, bool force,
			       struct claw_cmd_output *ret_output);
/* The same with new records of so many results to come, and their facts. */
void claw_cmd_output_open(const char *given, const char *verb, bool force,
			  int argc, char *const *command, uint64_t planned,
			  uint64_t seed, struct claw_cmd_output *ret_output);
/* What every page begins with: the machine and the commit. A command that goes
 * on with older records has a commit again. */
void claw_cmd_output_facts(struct claw_records *records, bool is_resumed);
/* The program's name: that of the script, where an interpreter runs one. */
void claw_cmd_output_program(struct claw_records *records, char *const *argv);
/* The records end with that status, and are freed. Dies when they could not be
 * written. */
void claw_cmd_output_end(struct claw_cmd_output *output, int status,
			 bool cancelled);
/*
 * Can a file that an option names be written? Dies where not; leaves nothing.
 * given: --output: what is to be in that directory is not looked at yet.
 */
void claw_cmd_output_check_file(const char *option, const char *path,
				const char *given);
void claw_cmd_output_release(struct claw_cmd_output *output);

#endif

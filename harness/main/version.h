/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What this openclaw is and what it found on this machine: the loader, the
 * drivers, the tools. "openclaw --version" prints it, "openclaw doctor"
 * judges it.
 */
#ifndef CLAW_VERSION_H
#define CLAW_VERSION_H

#include <stddef.h>
#include <stdio.h>

#include "harness/machine/machine.h"

enum claw_tool_index {
	CLAW_TOOL_OCLGRIND, CLAW_TOOL_VALGRIND, CLAW_TOOL_LCOV,
	CLAW_TOOL_LIBCLANG, CLAW_TOOL_CLANG, CLAW_TOOL_INSTRUMENT,
	CLAW_TOOL_GDB, CLAW_TOOL_COUNT,
};

struct claw_tool {
	const char *name;
	const char *package;	/* Debian's */
	const char *gives;	/* "runs under memcheck" */
	char *path;		/* NULL: not found */
	char *version;		/* first line of what it says, or NULL */
};

/* An .icd file, or a library that OCL_ICD_VENDORS names. */
struct claw_icd {
	char *file;
	char *library;		/* first line of the file */
	struct claw_machine *machine;	/* asked alone, or NULL */
};

struct claw_found {
	struct claw_machine *machine;	/* never NULL */
	struct claw_tool tools[CLAW_TOOL_COUNT];
	struct claw_icd *icds;
	size_t icd_count;
};

/*
 * Look for everything, with all questions asked at the same time, each in a
 * child process with a time limit. icds_alone: also ask each ICD by itself.
 *
 * Returns 0, -CLAW_E_SPAWN or -CLAW_E_CANCELLED. The caller releases it.
 */
int claw_found_init(struct claw_found *found, bool icds_alone);
void claw_found_release(struct claw_found *found);

/* "openclaw --version": the first line, then one a thing looked for. */
void claw_version_print(FILE *out);

#endif

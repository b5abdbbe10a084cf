/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loader, the drivers and the tools of this machine, for "openclaw
 * doctor".
 */
#ifndef CLAW_FOUND_H
#define CLAW_FOUND_H

#include <stddef.h>

#include "harness/machine/machine.h"

enum claw_tool_index {
	CLAW_TOOL_OCLGRIND, CLAW_TOOL_RUSTICL, CLAW_TOOL_VALGRIND,
	CLAW_TOOL_LCOV,
	CLAW_TOOL_LIBCLANG, CLAW_TOOL_CLANG, CLAW_TOOL_INSTRUMENT,
	CLAW_TOOL_GDB, CLAW_TOOL_COUNT,
};

struct claw_tool {
	const char *name;
	const char *package;	/* Debian's; NULL: not known */
	const char *gives;	/* "runs under memcheck" */
	char *path;		/* NULL: not found */
	char *version;		/* first line of what it says, or NULL */
	char *needed;		/* the package that it named itself, or NULL */
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
 * child process with a time limit; each ICD is also asked by itself.
 *
 * Returns 0, -CLAW_E_IO, -CLAW_E_SPAWN or -CLAW_E_CANCELLED. The caller
 * releases it.
 */
int claw_found_init(struct claw_found *found);
void claw_found_release(struct claw_found *found);

#endif

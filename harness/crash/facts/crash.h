/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The causes of a captured failure: found in its dump by rules, each
 * with its evidence, and named by a signature that a second occurrence of the
 * same thing has, too.
 */
#ifndef CLAW_CRASH_H
#define CLAW_CRASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/crash/dump/dump.h"

enum claw_crash_class {
	CLAW_CRASH_NONE,	/* it ended well */
	CLAW_CRASH_SIGNAL,	/* a fatal signal in the program */
	CLAW_CRASH_DRIVER,	/* a fatal signal within a call of OpenCL */
	CLAW_CRASH_GPU,		/* a launch faulted on the device */
	CLAW_CRASH_LOST,	/* the device went away */
	CLAW_CRASH_MEMORY,	/* an allocation failed and was not dealt with */
	CLAW_CRASH_TIMEOUT,	/* a call or command did not end */
	CLAW_CRASH_KILLED,	/* from outside (SIGKILL, the out-of-memory killer) */
	CLAW_CRASH_BUILD,	/* a program was refused */
	CLAW_CRASH_ERROR,	/* another call failed and the program gave up */
};

struct claw_crash_cause {
	char *text;		/* one sentence */
	char *evidence;		/* "call #812 clCreateBuffer returned ..." */
	unsigned int percent;	/* how likely */
};

struct claw_crash {
	enum claw_crash_class kind;
	const char *code;	/* of diagnosis.def: "clw-gpu-crash"; "" for none */
	unsigned int percent;	/* confidence */
	int signal;		/* or 0 */
	int32_t result;		/* CL code of the call that told, or 0 */
	bool has_address;
	uint64_t address;	/* that faulted */
	uint32_t call;		/* that the process was in, or that told (index + 1); 0:
				 * none */
	uint32_t launch;	/* most likely culprit among launches (index + 1), or 0 */
	char *kernel;		/* its name, or NULL */
	char *where;		/* "file.c:88" of the program's own code, or NULL */
	struct claw_crash_cause *causes;	/* most likely first */
	size_t cause_count;
	/* Kind, code or signal, function or kernel: no address, no number of a
	 * call, no path: "driver-crash SIGSEGV in clEnqueueNDRangeKernel(blur)". Of
	 * a device only the kind and the kernel: which call tells, and how, is a
	 * matter of time: "gpu-crash in blur". */
	char *signature;
};

/* Release it in any case. */
void claw_crash_find(const struct claw_dump *dump,
		     struct claw_crash *ret_crash);
void claw_crash_release(struct claw_crash *crash);
const char *claw_crash_kind_name(enum claw_crash_class kind);

#endif

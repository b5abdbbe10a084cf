/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel's parameters as the source that was captured declares them. The
 * text is looked at, not compiled: a kernel that macros make is not found.
 */
#ifndef CLAW_CRASH_KERNEL_H
#define CLAW_CRASH_KERNEL_H

#include "harness/crash/trace/trace.h"

enum { CLAW_CRASH_WORD = 64 };

struct claw_crash_param {
	char name[CLAW_CRASH_WORD];
	bool is_pointer, is_local, is_real;	/* real: no whole number */
	uint64_t element_bytes;	/* of what it points at, or of itself; 0: not known */
};

struct claw_crash_kernel {
	unsigned int line;	/* of its name in the source, from 1 */
	unsigned int source;	/* which of the program's texts, from 1 */
	unsigned int text_count;
	unsigned int param_count;
	struct claw_crash_param params[64];
};

/* False: the source is not there, or has no such kernel. */
bool claw_crash_kernel_find(const struct claw_trace *trace,
			    claw_object_id kernel,
			    struct claw_crash_kernel *ret_kernel);
/* Is the argument a NULL where the kernel takes memory? With no source at hand
 * (param_count 0) only what the trace itself knows counts. */
bool claw_crash_kernel_has_null(const struct claw_crash_kernel *kernel,
				const struct claw_trace_kernel_arg *arg);
/* The kernel as a text declares it. */
bool claw_crash_kernel_parse(const char *text, size_t length, const char *name,
			     struct claw_crash_kernel *ret_kernel);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write a captured program out: as a C program that needs an OpenCL loader
 * and nothing else (for a driver vendor's bug form).
 */
#ifndef CLAW_EMIT_H
#define CLAW_EMIT_H

#include "harness/crash/facts/crash.h"

/*
 * DIRECTORY/repro.c, a Makefile and the bytes it needs, below a directory
 * that is made, or empty. trace: dump's, or a smaller one of it. crash: of the
 * dump, for the comments. name: of the dump's file, for people.
 *
 * Returns 0, -CLAW_E_EXISTS (the directory has something in it) or -CLAW_E_IO
 * (errno set).
 */
int claw_emit_c(const struct claw_dump *dump, const struct claw_trace *trace,
		const struct claw_crash *crash, const char *name,
		const char *directory);

#endif

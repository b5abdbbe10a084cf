/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of the kernel's log that are about devices (xid.def), and about
 * processes that it killed for want of memory.
 */
#ifndef CLAW_XID_H
#define CLAW_XID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct claw_dmesg_line {
	const char *text;	/* in the log, not terminated */
	size_t length;
	unsigned int xid;	/* 0: a line without a number */
	const char *code;	/* diagnosis, or NULL */
	const char *whose;	/* "program", "driver", "hardware" */
	const char *meaning;
	uint64_t pid;		/* as the line has it, or 0 */
	char name[16];		/* and the process's name, or "" */
	bool has_stamp;
	double stamp;		/* seconds since the machine was started */
	bool has_address;
	uint64_t address;	/* that faulted, as the line has it */
};

/* The next one that is about a device, from *at on, which moves behind it;
 * false: no more. log NULL is none. An Xid that is not in the table is given
 * without a code. */
bool claw_dmesg_next(const char **at, struct claw_dmesg_line *ret_line);

/* "<4>[   99.543592] ...": seconds since the machine was started. */
bool claw_dmesg_stamp(const char *line, double *ret_seconds);

/* The line that says that the process was killed for want of memory, or NULL;
 * pid 0: any process. It ends with a newline or the log. */
const char *claw_dmesg_find_killed(const char *log, uint64_t pid);
static inline bool claw_dmesg_has_killed(const char *log, uint64_t pid)
{
	return claw_dmesg_find_killed(log, pid) != NULL;
}

#endif

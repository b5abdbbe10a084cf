/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What processes take of the machine, from /proc.
 */
#ifndef CLAW_USAGE_H
#define CLAW_USAGE_H

#include <stddef.h>
#include <stdint.h>

/* A value that cannot be read is NAN (another user's smaps_rollup). Sums over
 * the process and all its descendants. */
struct claw_usage {
	double rss, pss, heap;		/* bytes; heap: anonymous */
	double threads, files;
	double cpu_ms;			/* since each began */
	size_t processes;		/* 0: it has ended */
};

/* 0 or -CLAW_E_NO_MEMORY. */
int claw_usage_read(int pid, struct claw_usage *ret_usage);

/* Memory of the machine, or of the cgroup we are in where that is less. */
double claw_usage_host_bytes(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What processes take of the machine, from /proc.
 */
#ifndef CLAW_USAGE_H
#define CLAW_USAGE_H

#include <stddef.h>

/* A value that cannot be read is NAN (another user's smaps_rollup). Sums over
 * the process and all its descendants. */
struct claw_usage {
	double rss, pss, heap;		/* bytes; heap: anonymous, swapped out or not */
	double threads, files;
	double cpu_ms;			/* since each began */
	double wait_ms;			/* so long had their threads, of those
					 * that are there, to wait for a processor */
	size_t processes;		/* 0: it has ended, and all else is NAN */
};

void claw_usage_read(int pid, struct claw_usage *ret_usage);

/* What all processors did since the machine started, for whomever. */
double claw_usage_machine_ms(void);

/* Swap space that is used, by whomever; 0 where there is none. */
double claw_usage_swap_bytes(void);

/* Memory of the machine, or of the cgroup we are in where that is less. */
double claw_usage_host_bytes(void);

/* The same of a directory that stands for / (tests). */
void claw_usage_read_at(const char *root, int pid,
			struct claw_usage *ret_usage);
double claw_usage_swap_bytes_at(const char *root);
double claw_usage_host_bytes_at(const char *root);
double claw_usage_machine_ms_at(const char *root);

#endif

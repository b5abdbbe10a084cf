/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long the threads of a process waited until a processor was free, from
 * /proc/PID/task/TID/schedstat (Documentation/scheduler/sched-stats.rst).
 */
#ifndef CLAW_WAITS_H
#define CLAW_WAITS_H

/* Of the threads that are there, each since it began, in milliseconds. NAN
 * where the kernel does not say, or the process has ended. */
struct claw_waits {
	double sum_ms;		/* of all of them */
	double longest_ms;	/* of the one that waited longest */
};

struct claw_waits claw_waits_read(int pid);
/* The same of a directory that stands for / (tests). */
struct claw_waits claw_waits_read_at(const char *root, int pid);

#endif

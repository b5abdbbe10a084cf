/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processors: what the machine has spent on all its programs, and how long the
 * threads of one process waited until one was free.
 */
#include "config.h"

#include "usage.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/files/small_file.h"

enum { STAT_BYTES = 4096 };

/* "RUN WAIT TIMES", in nanoseconds. */
static double wait_of_thread(const char *root, int pid, const char *thread)
{
	unsigned long long waited;
	char text[256];

	if (!claw_small_file_read(text, sizeof(text),
				  "%s/proc/%d/task/%s/schedstat", root, pid,
				  thread) ||
	    sscanf(text, "%*u %llu", &waited) != 1)
		return NAN;
	return (double)waited / 1e6;
}

double claw_usage_wait_ms_at(const char *root, int pid)
{
	double sum = NAN;
	char path[4096];
	DIR *threads;

	snprintf(path, sizeof(path), "%s/proc/%d/task", root, pid);
	threads = opendir(path);
	if (!threads)
		return NAN;
	for (struct dirent *entry; (entry = readdir(threads));) {
		double wait = entry->d_name[0] == '.' ? NAN :
			wait_of_thread(root, pid, entry->d_name);

		/* One that ended meanwhile has no part. */
		if (!isnan(wait))
			sum = isnan(sum) ? wait : sum + wait;
	}
	closedir(threads);
	return sum;
}

/* user nice system idle iowait irq softirq steal: what another machine on the
 * same hardware took is as little ours as what another program took. */
double claw_usage_machine_ms_at(const char *root)
{
	double user, nice, system, irq, softirq, steal;
	char text[STAT_BYTES];

	if (!claw_small_file_read(text, sizeof(text), "%s/proc/stat", root) ||
	    sscanf(text, "cpu %lf %lf %lf %*f %*f %lf %lf %lf", &user, &nice,
		   &system, &irq, &softirq, &steal) != 6)
		return NAN;
	return (user + nice + system + irq + softirq + steal) * 1000 /
		(double)sysconf(_SC_CLK_TCK);
}

double claw_usage_machine_ms(void)
{
	return claw_usage_machine_ms_at("");
}

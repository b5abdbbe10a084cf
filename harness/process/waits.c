/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel's scheduler says of a process. */
#include "config.h"

#include "waits.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>

#include "harness/files/small_file.h"

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

struct claw_waits claw_waits_read_at(const char *root, int pid)
{
	struct claw_waits waits = { .sum_ms = NAN, .longest_ms = NAN };
	char path[4096];
	DIR *threads;

	snprintf(path, sizeof(path), "%s/proc/%d/task", root, pid);
	threads = opendir(path);
	if (!threads)
		return waits;
	for (struct dirent *entry; (entry = readdir(threads));) {
		double wait = entry->d_name[0] == '.' ? NAN :
			wait_of_thread(root, pid, entry->d_name);

		/* One that ended meanwhile has no part. */
		if (isnan(wait))
			continue;
		waits.sum_ms = isnan(waits.sum_ms) ? wait : waits.sum_ms + wait;
		waits.longest_ms = fmax(waits.longest_ms, wait);
	}
	closedir(threads);
	return waits;
}

struct claw_waits claw_waits_read(int pid)
{
	return claw_waits_read_at("", pid);
}

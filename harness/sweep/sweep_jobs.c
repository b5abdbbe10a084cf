/* SPDX-License-Identifier: Apache-2.0 */
/*
 * By what the runs without faults have written, by what they have taken of the
 * machine, and by whether they do the same beside each other.
 */
#include "config.h"

#include "sweep_jobs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/base/cores.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/files/spare_memory.h"

enum {
	MEMORY_SHARE = 2,	/* one part in that many of what is spare */
	OWN_BYTES = 1,		/* libuv's to itself in a child, before exec() */
};

/* What cannot be shared, or NULL. */
static const char *gpu(void)
{
	static const char *const devices[] = {
		"/dev/nvidiactl", "/dev/kfd", "/dev/dri",
	};

	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
		if (access(devices[i], F_OK) == 0)
			return devices[i];
	return NULL;
}

/* Bytes that went elsewhere than to standard output and error. */
static uint64_t bytes_elsewhere(const struct claw_run_result *result)
{
	uint64_t captured = result->out.total_bytes + result->err.total_bytes +
		OWN_BYTES;

	return result->cost.written_bytes > captured ?
		result->cost.written_bytes - captured : 0;
}

/* Why runs beside each other might get into each other's way, malloced, or
 * NULL. */
static char *obstacle(const struct claw_sweep *sweep)
{
	const struct claw_judge *judge = sweep->how->judge;
	const struct claw_judged_run *runs = sweep->baseline.runs;
	const char *device = gpu();

	if (judge->prepare || judge->cleanup)
		return claw_strdup("a command prepares each run");
	if (judge->artifacts.count > 0 || sweep->baseline.setup.own_directory)
		return claw_strdup("it writes files");
	if (judge->tool || sweep->look_count > 0)
		return claw_strdup("a tool is under it");
	if (device)
		return claw_format("they would share a GPU (%s)", device);
	for (size_t i = 0; i < 2; i++) {
		const struct claw_run_result *result = &runs[i].result;

		if (!result->cost.is_known || runs[i].evidence.count != 1 ||
		    result->stragglers_killed > 0)
			return claw_strdup("whether it writes files is not "
					   "known");
		if (bytes_elsewhere(result) > 0)
			return claw_format("it writes files (%" PRIu64
					   " bytes)", bytes_elsewhere(result));
	}
	return NULL;
}

/* By what a run takes: processors that it keeps busy, and memory. */
static unsigned int room_for(const struct claw_run_result *result,
			     unsigned int most, char **ret_why)
{
	const struct claw_run_cost *cost = &result->cost;
	unsigned int cores = claw_core_count(), count = cores;
	uint64_t spare = claw_spare_memory() / MEMORY_SHARE;
	double busy = result->duration_us ?
		(double)cost->cpu_us / (double)result->duration_us : 1;

	if (busy > 1)
		count = (unsigned int)(cores / busy + 0.5);
	if (cost->peak_bytes && spare / cost->peak_bytes < count)
		count = (unsigned int)(spare / cost->peak_bytes);
	count = count < most ? count : most;
	*ret_why = claw_format("%u core%s, of which a run keeps %.1f busy, "
			       "%" PRIu64 " MiB a run", cores,
			       cores == 1 ? "" : "s", busy,
			       cost->peak_bytes >> 20);
	return count ? count : 1;
}

void claw_sweep_jobs_choose(const struct claw_sweep *sweep, unsigned int most,
			    struct claw_sweep_jobs *ret_jobs)
{
	const struct claw_run_result *result = &sweep->baseline.runs[0].result;
	char *why = obstacle(sweep), *different;

	*ret_jobs = (struct claw_sweep_jobs) { .count = 1, .why = why };
	if (why)
		return;
	ret_jobs->count = room_for(result, most, &ret_jobs->why);
	if (ret_jobs->count == 1)
		return;
	different = claw_judge_beside(&sweep->baseline, ret_jobs->count);
	if (!different)
		return;
	free(ret_jobs->why);
	ret_jobs->count = 1;
	ret_jobs->why = claw_format("beside each other runs differ: %s",
				    different);
	free(different);
}

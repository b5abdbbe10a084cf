/* SPDX-License-Identifier: Apache-2.0 */
/* What sampler.c and sampler_processes.c share. */
#ifndef CLAW_SAMPLER_PRIVATE_H
#define CLAW_SAMPLER_PRIVATE_H

#include "harness/readers/meter_reader.h"
#include "sampler.h"
#include "harness/check/site_names.h"

/* A process, or one program image of it, that keeps meters. */
struct claw_metered {
	uint32_t pid, image;
	char *path;			/* of its meters */
	struct claw_meter_file *last;	/* as they were looked at last */
	struct claw_process_sites *sites;
	bool is_alive;
};

struct claw_sampler {
	struct claw_sampler_totals totals;
	struct claw_meter interval[CLAW_METER_KIND_COUNT];
	double ns_per_tick;		/* 0: not known yet */
	uint64_t peak_bytes;
	bool has_meters, ever_metered;
	/* the run */
	const char *directory;		/* of the session, or NULL */
	struct claw_metered *processes;
	size_t process_count;
	bool has_lost;		/* one that held something was forgotten */
	struct claw_site_names *names;
	/* the sample */
	struct claw_sample_site sites[CLAW_SAMPLER_SITES];
	size_t site_count;
	struct claw_telemetry_values device;
	int cpu_pid;
	double cpu_ms, wait_ms, machine_ms;
	uint64_t launches_before;
};

/* Find the processes of the run, read the meters of those that may have
 * changed, add what is new to the totals and the interval. */
void claw_sampler_read(struct claw_sampler *sampler);
void claw_sampler_forget(struct claw_sampler *sampler);

#endif

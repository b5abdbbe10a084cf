/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program's use of device memory: its peak and who owned it, what its kernels
 * and transfers take, how long allocations last. From the meters of a run
 * (faults/shared/meter_format.h) after it, and from its ledgers while it runs.
 */
#ifndef CLAW_PROFILE_H
#define CLAW_PROFILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile_fragments.h"
#include "harness/session/session.h"

/* Memory of one creation site. */
struct claw_profile_owner {
	char *place;		/* "load (tile.c:88)", or NULL: not known */
	char *name;		/* stable: "clCreateBuffer < load < main" */
	char *stack;		/* one line a frame */
	uint64_t bytes;		/* at that moment */
	uint64_t site_peak_bytes, made, live;	/* of the whole run */
};

struct claw_profile_owners {
	struct claw_profile_owner *items;	/* largest first */
	size_t count;
};

struct claw_profile_kernel {
	char *name;
	uint64_t launches;
	/* UINT64_MAX: the driver does not say. */
	uint64_t local_bytes, private_bytes, spill_bytes;
	uint64_t work_group_size, multiple;
};

enum { CLAW_PROFILE_DECADES = 9 };	/* < 1 us, < 10 us, ... < 10 s, more */

/* Calls of one kind; times in ms, NAN where there were none. */
struct claw_profile_calls {
	const char *title;	/* "host to device" */
	uint64_t count, bytes;
	double total_ms, p50_ms, p90_ms, p99_ms, max_ms;
	uint64_t decades[CLAW_PROFILE_DECADES];
};

enum claw_profile_kind {
	CLAW_PROFILE_WRITE, CLAW_PROFILE_READ, CLAW_PROFILE_COPY,
	CLAW_PROFILE_MAP, CLAW_PROFILE_ALLOC, CLAW_PROFILE_KIND_COUNT,
};

struct claw_profile {
	size_t processes;	/* that kept meters */
	uint32_t pid;		/* of the one with the highest peak; the rest is of
				 * this one */
	uint64_t calls;
	uint64_t peak_bytes, end_bytes, allocated_bytes, freed_bytes;
	double peak_ms;		/* after the run's start; NAN: not known */
	uint64_t snapshot_bytes;/* that peak.items tell of: the peak; where threads
				 * raced to it, at most 1/128 less */
	struct claw_profile_owners peak, end;
	struct claw_profile_kernel *kernels;	/* most launches first */
	size_t kernel_count;
	struct claw_profile_calls kinds[CLAW_PROFILE_KIND_COUNT];
};

/* After the run. start_mono_ns: CLOCK_MONOTONIC of its start. 0 or
 * -CLAW_E_NOT_FOUND (no process kept meters). */
int claw_profile_collect(const struct claw_session *session,
			 uint64_t start_mono_ns, struct claw_profile *ret_profile);
void claw_profile_release(struct claw_profile *profile);

/* For a person; at most `top` owners and kernels. fragments: or NULL. */
void claw_profile_say(FILE *out, const struct claw_profile *profile,
		      const struct claw_fragments *fragments, size_t top,
		      bool verbose);
json_t *claw_profile_json(const struct claw_profile *profile,
			  const struct claw_fragments *fragments);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One sample from all that is measured: the meters of the program's processes,
 * /proc, and the device's own word. Totals go on over all runs of the program;
 * nothing here grows with the number of samples or runs.
 */
#ifndef CLAW_SAMPLER_H
#define CLAW_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faults/shared/meter_format.h"
#include "harness/records/series.h"
#include "harness/session/session.h"
#include "harness/machine/telemetry.h"

enum { CLAW_SAMPLER_SITES = 1024 };	/* of a sample, at most */

/* Since the soak began. */
struct claw_sampler_totals {
	uint64_t calls, failed, injected, launches;
	uint64_t iterations, wrong_results;	/* that processes told of */
	uint64_t errors[CLAW_METER_CODES], injections[CLAW_METER_CODES];
};

struct claw_sampler;

struct claw_sampler *claw_sampler_new(void);
void claw_sampler_free(struct claw_sampler *sampler);

/* Totals go on from those of the last sample before. */
void claw_sampler_continue(struct claw_sampler *sampler,
			   const struct claw_sample *last);

/* A run of the program in that session begins; look at its meters, as often as
 * wanted; it is over. */
void claw_sampler_begin(struct claw_sampler *sampler,
			const struct claw_session *session);
void claw_sampler_look(struct claw_sampler *sampler);
void claw_sampler_end(struct claw_sampler *sampler);

const struct claw_sampler_totals *
claw_sampler_get_totals(const struct claw_sampler *sampler);
/* Has any process of this run kept meters? */
bool claw_sampler_has_meters(const struct claw_sampler *sampler);
/* Objects that the processes of this run held when they were looked at last, all
 * kinds together; UINT64_MAX: of one of them that is not known. */
uint64_t claw_sampler_count_alive(const struct claw_sampler *sampler);
/* Has a process of this run ended with objects, and its files had to go? */
bool claw_sampler_has_lost(const struct claw_sampler *sampler);
/* Highest sum of device memory of one process that was ever seen. */
uint64_t claw_sampler_get_peak(const struct claw_sampler *sampler);

/*
 * Everything since the sample before, as of now; t_ms and the like are the
 * caller's. pid: of the program, 0: none runs. interval_ms: since the sample
 * before. telemetry: or NULL. iterations, restarts: totals.
 */
void claw_sampler_take(struct claw_sampler *sampler, int pid,
		       double interval_ms, struct claw_telemetry *telemetry,
		       struct claw_sample *ret_sample);
/* Of that sample: good until the next one. */
size_t claw_sampler_get_sites(const struct claw_sampler *sampler,
			      const struct claw_sample_site **ret_sites);
/* The device's own words of that sample. */
const struct claw_telemetry_values *
claw_sampler_get_device(const struct claw_sampler *sampler);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a soak as OpenMetrics text, for the textfile collector of
 * Prometheus' node_exporter. Only what was measured is in it.
 */
#ifndef CLAW_METRICS_FILE_H
#define CLAW_METRICS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/records/series.h"

struct claw_metrics_label {
	const char *name;	/* [a-zA-Z_][a-zA-Z0-9_]*; not kind, code, injected
				 * or verdict */
	const char *value;	/* anything; NULL: the label is left out */
};

/* How often something happened, by struct claw_soak_event's members; one row
 * for each three of them. */
struct claw_metrics_event {
	const char *kind, *code;	/* code NULL: "" */
	bool injected;
	uint64_t count;
};

struct claw_metrics {
	const struct claw_sample *sample;	/* NULL: none yet */
	const struct claw_metrics_label *labels;	/* of every line */
	size_t label_count;
	const struct claw_metrics_event *events;
	size_t event_count;
	const char *verdict;	/* "running", "clean", "leak", "slowdown",
				 * "failed" or "unknown" */
};

/*
 * Write it to a file that is there as a whole or as it was before. Its name
 * ends in .prom where node_exporter is to find it.
 *
 * Returns 0 or -CLAW_E_IO (errno set).
 */
int claw_metrics_write(const char *path, const struct claw_metrics *metrics);

/* The text alone. */
void claw_metrics_print(FILE *out, const struct claw_metrics *metrics);

#endif

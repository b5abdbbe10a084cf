/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Series of a soak (series.def), one sample of all of them, and a thing that
 * happened between two. A value that could not be measured is NAN, never 0.
 */
#ifndef CLAW_SERIES_H
#define CLAW_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum claw_series_id {
#define CLAW_SERIES(id, name, unit, shape, group, title) CLAW_SERIES_##id,
#include "series.def"
#undef CLAW_SERIES
	CLAW_SERIES_COUNT,
};

enum claw_series_unit {
	CLAW_UNIT_BYTES, CLAW_UNIT_COUNT, CLAW_UNIT_MS, CLAW_UNIT_PER_S,
	CLAW_UNIT_CELSIUS, CLAW_UNIT_MHZ, CLAW_UNIT_PERCENT, CLAW_UNIT_WATT,
};

enum claw_series_shape {
	CLAW_SHAPE_LEVEL, CLAW_SHAPE_TOTAL, CLAW_SHAPE_RATE,
};

enum claw_series_group {
	CLAW_GROUP_NONE, CLAW_GROUP_LEDGER, CLAW_GROUP_HANDLES,
	CLAW_GROUP_HEAP, CLAW_GROUP_RESIDENT, CLAW_GROUP_LATENCY,
	CLAW_GROUP_THROUGHPUT, CLAW_GROUP_EVENTS,
};

struct claw_series {
	const char *name, *title;
	enum claw_series_unit unit;
	enum claw_series_shape shape;
	enum claw_series_group group;
};
extern const struct claw_series claw_series[CLAW_SERIES_COUNT];

int claw_series_find(const char *name);	/* or -1 */

/* "MiB" and the like: a value as a person reads it, "12.4 MiB", "3.1 ms",
 * "12.3 us", "3.92 s", "1,440"; NAN: "not measurable". */
void claw_series_print(char *text, size_t size, enum claw_series_unit unit,
		       double value);

struct claw_sample {
	uint64_t t_ms;		/* of the soak's own time: what ran, over restarts of
				 * the harness, suspend and clock jumps left out */
	int64_t wall_ms;	/* Unix time, for people */
	uint64_t segment;	/* from 0: which start of the harness (--resume) */
	uint64_t run;		/* from 1: which start of the program */
	double values[CLAW_SERIES_COUNT];
};

/* All NAN. */
void claw_sample_init(struct claw_sample *sample);

/* Live objects and bytes of one creation site at a sample. */
struct claw_sample_site {
	const char *site;	/* stable name: "clCreateBuffer < load < main" */
	const char *place;	/* "load (tile.c:88)", or NULL */
	uint64_t objects, bytes;
};

/* What happened, at a time. */
struct claw_soak_event {
	uint64_t t_ms;
	int64_t wall_ms;
	uint64_t segment, run;
	const char *kind;	/* "crash" "exit" "hang" "leak" "wrong-result" "error"
				 * "fault" "lost" "ecc" "throttle" "pcie" "xid" "slow" "clock"
				 * "resume" "disk" "note" */
	const char *code;	/* diagnosis ("clw-gpu-crash"), or NULL */
	const char *text;	/* one line for a person */
	const char *signature;	/* of a crash: dump's; or NULL */
	const char *path;	/* raw file (dump, log), relative to DIR, or NULL */
	bool injected;		/* openclaw's own doing; else measured */
	uint64_t count;		/* how often since the last event of it, at least 1 */
};

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of a soak (doc/records.md): segment, sample, event; and going on
 * with those of one that was ended from outside. A line is one write(2), on disk
 * after ten seconds at most (fdatasync).
 */
#ifndef CLAW_RECORDS_SOAK_H
#define CLAW_RECORDS_SOAK_H

#include <stddef.h>
#include <stdint.h>

#include "records.h"
#include "series.h"

/* One start of the harness. */
struct claw_soak_segment {
	uint64_t segment;	/* from 0 */
	const char *started;	/* UTC, ISO 8601; NULL: now */
	const char *boot_id;	/* of the machine's start, or NULL */
	int64_t wall_ms;	/* Unix time */
	uint64_t t_ms;		/* the soak's own time that it begins at */
};

/*
 * Write one. Where there is no room (ENOSPC, EDQUOT, EFBIG) what was begun is
 * taken away again, and, unlike with all other records, the next one may
 * succeed. sites: only those that changed since the sample before; objects 0:
 * it has none any more (soak_sites.h finds them). soak_disk.h decides what is
 * written at all.
 * Returns 0 or -CLAW_E_IO (errno set).
 */
int claw_records_segment(struct claw_records *records,
			 const struct claw_soak_segment *segment);
int claw_records_sample(struct claw_records *records,
			const struct claw_sample *sample,
			const struct claw_sample_site *sites,
			size_t site_count);
int claw_records_event(struct claw_records *records,
		       const struct claw_soak_event *event);

/* Facts of the environment, of what a soak is of: the program and its words, or
 * the kernel file or suite; the rules of its faults, "none"; the models, "none". */
#define CLAW_FACT_WORKLOAD "workload"
#define CLAW_FACT_FAULTS "faults"
#define CLAW_FACT_MODEL "model"

/* Is it the result of the soak's workload? */
bool claw_soak_is_workload(const struct claw_result *result);
/* Of the result of a soak's workload, as it was at the very end; else NAN, or
 * where it was not measured. */
#define CLAW_TOLD_ITERATIONS "iterations"
#define CLAW_TOLD_ELAPSED "elapsed_ms"
#define CLAW_TOLD_PEAK "peak_device_bytes"
double claw_soak_told(const struct claw_result *result, const char *metric);

/* What there is of a soak that is to go on. */
struct claw_soak_past {
	uint64_t segments;	/* number of the next one; 0: it is no soak */
	uint64_t t_ms;		/* of the last record: goes on from there */
	uint64_t runs;		/* starts of the program so far */
	uint64_t samples, events;
	bool is_at_end;		/* the last record is one of its end */
	int64_t wall_ms;	/* of the last record */
	struct claw_sample last;	/* newest value of each series, NAN: never any:
				 * totals go on from there */
};

/*
 * claw_records_continue() for a soak: its results, too, are taken away, for
 * they will be other ones; every sample, event and segment stays.
 */
int claw_records_continue_soak(const char *directory,
			       struct claw_records **ret_records,
			       struct claw_soak_past *ret_past);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw report merge", in parts: cmd_report_merge.c does it for runs with a
 * list of cases, report_merge_soak.c for soaks (report_merge_parts.c: their
 * segments; report_merge_same.c: what they are of).
 */
#ifndef CLAW_REPORT_MERGE_H
#define CLAW_REPORT_MERGE_H

#include "cmd_report.h"

/* "merge" of runs that are read, which have plans or are soaks: the exit status. runs is
 * malloced and taken over; not none. */
int claw_merge_runs(const struct claw_report_words *words,
		    struct claw_past_run **runs, size_t run_count);

/* The directory of the whole, malloced, or die. */
char *claw_merge_open(const struct claw_report_words *words);

/* Facts and notes of all runs, each once; and one of the whole, or NULL. */
void claw_merge_facts(struct claw_records *records,
		      struct claw_past_run *const *runs, size_t run_count);
void claw_merge_notes(struct claw_records *records,
		      struct claw_past_run *const *runs, size_t run_count,
		      const char *note);

/* Results by device, of runs each on one: names, as many as runs, "": not known;
 * NULL: they have none. new: NULL where there are not two, which the others
 * take. add: sets the result's device. put: the findings that only one of them
 * has, as notes. */
struct claw_merge_devices;
struct claw_merge_devices *claw_merge_devices_new(char *const *names,
						  size_t count);
void claw_merge_devices_add(struct claw_merge_devices *devices,
			    const char *name, struct claw_result *result);
void claw_merge_devices_put(const struct claw_merge_devices *devices,
			    struct claw_records *records);
void claw_merge_devices_free(struct claw_merge_devices *devices);

/* The exit status of the whole; counts: results by verdict. incomplete: a part
 * is missing. */
int claw_merge_status(struct claw_past_run *const *runs, size_t run_count,
		      const uint64_t *counts, uint64_t results,
		      bool incomplete);

/* Die when they are soaks of different things. */
void claw_merge_check_same(struct claw_past_run *const *runs, size_t run_count);

/* Segments of a soak, or whole soaks, one behind the other by wall time: the
 * exit status. runs are put in that order. */
int claw_merge_soaks(const struct claw_report_words *words,
		     struct claw_past_run **runs, size_t run_count);

#endif

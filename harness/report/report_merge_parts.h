/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of soaks that "openclaw report merge" joins, by wall time. */
#ifndef CLAW_REPORT_MERGE_PARTS_H
#define CLAW_REPORT_MERGE_PARTS_H

#include "harness/records/past_run.h"
#include "harness/records/records_soak.h"

/* A segment, as one run has it. Totals are of the soak's series that only grow;
 * NAN: none was measured. */
struct claw_merge_part {
	size_t run;		/* in runs */
	uint64_t number;	/* of the segment, in that run's records */
	char *started, *boot_id;
	int64_t wall_ms;
	uint64_t t_ms, last_ms;	/* as it began and ended, in that run */
	double before[CLAW_SERIES_COUNT], after[CLAW_SERIES_COUNT];
	uint64_t records;
	/* of those that are taken: in the whole */
	uint64_t new_number, shift_ms;
	double shift[CLAW_SERIES_COUNT];
};

struct claw_merge_parts {
	struct claw_merge_part *items;	/* by moment, the best of each first */
	size_t count, taken;
	bool has_hole;			/* a segment is in no run */
	double totals[CLAW_SERIES_COUNT];	/* of the whole */
};

/* runs are put in the order of their first segments; a segment that nobody has is
 * said on stderr. 0 or one of claw_records_read()'s; release in any case. */
int claw_merge_parts_find(struct claw_past_run **runs, size_t run_count,
			  struct claw_merge_parts *ret_parts);
void claw_merge_parts_release(struct claw_merge_parts *parts);

/* Is the part the one of its moment that is taken? */
bool claw_merge_is_taken(const struct claw_merge_parts *parts, size_t index);
/* Of a run; NULL: it has none. */
const struct claw_merge_part *
claw_merge_last_part(const struct claw_merge_parts *parts, size_t run);
/* Has another run all of it, and more? */
bool claw_merge_is_needless(const struct claw_merge_parts *parts,
			    struct claw_past_run *const *runs,
			    size_t run_count, size_t run);

/* claw_records_read() of a run's records. */
int claw_merge_read(const struct claw_past_run *run,
		    const struct claw_records_visitor *visitor, void *user);

#endif

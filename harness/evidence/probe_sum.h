/* SPDX-License-Identifier: Apache-2.0 */
/* How many launches of a session's kernels had probes, and why others had
 * none. */
#ifndef CLAW_PROBE_SUM_H
#define CLAW_PROBE_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/readers/probe_reader.h"
#include "harness/session/session.h"

/* Kernels whose results with and without probes were compared. */
struct claw_probe_compared {
	uint64_t same, changed, unknown;
	uint64_t launches, left_out;	/* compared; to be compared, and not */
	uint32_t why;			/* unknown, left_out: enum claw_probe_unverified */
};

struct claw_probe_sum {
	uint32_t modes;			/* enum claw_probe_mode, of all */
	uint64_t launches;		/* with probes */
	uint64_t plain_kernel, plain_refused, plain_other, plain_changed;
	uint64_t unchecked;		/* of launches: nothing of them was checked */
	uint64_t partly;		/* of launches: some accesses were not */
	char *partly_why;		/* which, of one kernel; or NULL */
	struct claw_probe_compared compared;
	uint64_t pending;		/* whose words were never read */
	size_t programs;		/* with probes */
	struct claw_probe_reason {
		char *text;
		uint64_t launches;
	} *reasons;			/* why others were not checked */
	size_t reason_count;
	char *gap;			/* what cannot be read, one line, or NULL */
};

void claw_probe_compared_add(struct claw_probe_compared *compared,
			     const struct claw_probe_header *header);
/* "results of 2 kernels are the same without probes, of 1 not compared (...)";
 * malloced, "" if there is none. */
char *claw_probe_compared_text(const struct claw_probe_compared *compared);

/* 0 or -CLAW_E_IO. */
int claw_probe_sum_read(const struct claw_session *session,
			struct claw_probe_sum *ret_sum);
void claw_probe_sum_release(struct claw_probe_sum *sum);

/* "2 launches had accesses that were not checked (...)", malloced; or NULL. */
char *claw_probe_sum_partly(const struct claw_probe_sum *sum);

uint64_t claw_probe_sum_plain(const struct claw_probe_sum *sum);

/* Why "nothing was found in the kernels" would be a lie, one line, malloced:
 * how many of how many launches were checked, and why the others were not; or
 * NULL: all were, or there was none. is_part: only some were asked for. */
char *claw_probe_sum_gap(const struct claw_probe_sum *sum, bool is_part);

#endif

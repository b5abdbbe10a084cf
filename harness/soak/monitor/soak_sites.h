/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live objects by creation site, from sample to sample: records have only what
 * changed.
 */
#ifndef CLAW_SOAK_SITES_H
#define CLAW_SOAK_SITES_H

#include "harness/records/series.h"

enum {
	CLAW_SOAK_SITES_WRITTEN = 64,	/* of a sample */
	CLAW_SOAK_SITES_KEPT = 4096,
};

struct claw_soak_sites;

struct claw_soak_sites *claw_soak_sites_new(void);
void claw_soak_sites_free(struct claw_soak_sites *sites);

/*
 * Writing: of all sites of a moment those that are not as they were in what was
 * written last, at most max, the largest changes first; one that is gone has 0
 * objects. They count as written. ret_changed: room for max; texts are good
 * until the next call. Returns how many.
 */
size_t claw_soak_sites_changed(struct claw_soak_sites *sites,
			       const struct claw_sample_site *now, size_t count,
			       struct claw_sample_site *ret_changed,
			       size_t max);

/* What was written last is lost: all of them are as good as changed. */
void claw_soak_sites_doubt(struct claw_soak_sites *sites);

/*
 * Reading: the changes of a sample, applied; then all that are alive, in
 * ret_all, good until the next call.
 */
void claw_soak_sites_apply(struct claw_soak_sites *sites,
			   const struct claw_sample_site *changed, size_t count,
			   const struct claw_sample_site **ret_all,
			   size_t *ret_count);

#endif

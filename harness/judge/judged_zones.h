/* SPDX-License-Identifier: Apache-2.0 */
/* What guard zones found in one judged run. */
#ifndef CLAW_JUDGED_ZONES_H
#define CLAW_JUDGED_ZONES_H

#include "judged_run.h"

struct claw_judged_zones {
	char *text;	/* the findings, a line each, or NULL: none */
	char *chain;	/* claw_found_chain() of the first, or NULL */
	char *gap;	/* why there could be none, or NULL */
	char *lost;	/* why these are not all, or NULL */
};

/*
 * find: enum claw_found_mode of the run's session; without GUARDS all stays
 * NULL. The caller releases.
 *
 * Returns 0 or -CLAW_E_IO.
 */
int claw_judged_zones_look(const struct claw_judged_run *run, uint32_t find,
			   struct claw_judged_zones *ret_zones);
void claw_judged_zones_release(struct claw_judged_zones *zones);

#endif

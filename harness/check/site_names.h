/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the creation sites of running processes are called. Symbols are looked
 * up by an errand, so a name may come later than its site.
 */
#ifndef CLAW_SITE_NAMES_H
#define CLAW_SITE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "faults/shared/meter_format.h"

struct claw_site_name {
	char *site;		/* "clCreateBuffer < load < main" */
	char *place;		/* "load (tile.c:88)", or NULL */
};

/* Of one process. names[] are borrowed of the table that all have. */
struct claw_process_sites {
	const struct claw_site_name *names[CLAW_METER_SITES];
	uint8_t tries[CLAW_METER_SITES];
};

struct claw_site_names;

struct claw_site_names *claw_site_names_new(void);
void claw_site_names_free(struct claw_site_names *names);

/* Is nobody looking anything up now? */
bool claw_site_names_idle(const struct claw_site_names *names);

/*
 * Have the sites that hold something and have no name yet looked up.
 *
 * journal: path of the process's journal.
 */
void claw_site_names_ask(struct claw_site_names *names,
			 struct claw_process_sites *sites,
			 const struct claw_meter_site *meters,
			 const char *journal);
/* It has been asked often enough. */
bool claw_site_names_gave_up(const struct claw_process_sites *sites,
			     uint32_t number);
/* Take what has come of it, if it is there now. */
void claw_site_names_poll(struct claw_site_names *names, int wait_ms);
/* The process is gone. */
void claw_site_names_forget(struct claw_site_names *names,
			    const struct claw_process_sites *sites);

#endif

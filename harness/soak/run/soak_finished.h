/* SPDX-License-Identifier: Apache-2.0 */
/* Did a soak come to its end, when, and with what? */
#ifndef CLAW_SOAK_FINISHED_H
#define CLAW_SOAK_FINISHED_H

#include <stdbool.h>
#include <stdint.h>

struct claw_soak_finished {
	bool is_soak;		/* else nothing below is set */
	bool is_finished;	/* it has its end, and was not interrupted */
	int exit_status;	/* that it ended with */
	uint64_t t_ms;		/* the soak's own time */
	double iterations;	/* NAN: not known */
	char at[32];		/* "2026-11-22T09:00:00Z" */
};

/* Of DIRECTORY/records.jsonl. 0 or one of claw_records_read()'s. */
int claw_soak_finished_read(const char *directory,
			    struct claw_soak_finished *ret_finished);

#endif

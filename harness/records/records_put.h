/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of records share. */
#ifndef CLAW_RECORDS_PUT_H
#define CLAW_RECORDS_PUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "records.h"

enum {
	CLAW_RECORDS_VERSION = 1,
	CLAW_RECORDS_LINE_MAX = 64 << 20,
	CLAW_RECORDS_DIGITS = 9,	/* of a number that is not whole */
};
#define CLAW_RECORDS_CRC ",\"crc\":\""

struct claw_records {
	int fd;
	uint64_t next;		/* sequence number of the next line */
	int error;		/* first failure, or 0 */
	int saved_errno;	/* of that failure */
	char *directory;	/* absolute; NULL: not known */
	int64_t synced_s;	/* CLOCK_MONOTONIC */
	/* The plan, between claw_records_plan_begin() and _end(). */
	bool is_planning, only_own;
	uint64_t plan_count, plan_sum;
};

/* Complete, number, sum and write one line; members is taken over. A failure is
 * remembered; of try only one that is not for want of room. */
int claw_records_write(struct claw_records *records, const char *type,
		       json_t *members);
int claw_records_try(struct claw_records *records, const char *type,
		     json_t *members);
/* try, of a soak: on the disk at most ten seconds later. */
int claw_records_put(struct claw_records *records, const char *type,
		     json_t *members);
/* Was ret, of try or put, for want of room? */
bool claw_records_is_full(const struct claw_records *records, int ret);
/* All that was written is on the disk. */
int claw_records_sync(struct claw_records *records);

unsigned long claw_records_sum(const char *text, size_t length);
/* The line's object when its sum fits, else NULL. */
json_t *claw_records_parse(char *line, size_t length);

/* Go on after the last intact line that stays. */
int claw_records_reopen(const char *directory,
			bool (*stays)(void *user, const char *type,
				      const json_t *object), void *user,
			struct claw_records **ret_records);

#endif

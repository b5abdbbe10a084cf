/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A part of a plan: which cases are this process's when several machines
 * share them.
 */
#ifndef CLAW_SHARD_H
#define CLAW_SHARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct claw_shard {
	uint64_t number;	/* from 1; 0: there are no shards */
	uint64_t count;
	bool own;		/* other shards' cases are not recorded, but by
				 * the first */
};

/*
 * "M/N", "M/N:own", or "auto": what the environment says. Variables are looked for in
 * the order of the table in shard.c; doc/openclaw-test.man has them.
 *
 * Returns 0 or -CLAW_E_USAGE with one line in error.
 */
int claw_shard_parse(const char *text, struct claw_shard *ret_shard,
		     char *error, size_t error_size);

/* A number for the case, the same on every machine. */
uint64_t claw_shard_hash(const char *suite, const char *name, const char *tool);

/* Does the case belong to the shard? The same on every machine, whatever else
 * is in the plan. No shards: yes. */
bool claw_shard_has(const struct claw_shard *shard, const char *suite,
		    const char *name, const char *tool);

#endif

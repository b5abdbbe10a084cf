/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What became of a case that is run more than once: tried again because it
 * failed, or repeated on purpose.
 */
#ifndef CLAW_TEST_TALLY_H
#define CLAW_TEST_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/name_index.h"
#include "harness/records/records.h"

/* One of the case's results, over all its runs. */
struct claw_test_counted {
	struct claw_result result;	/* own texts; the one that is shown */
	unsigned int runs, failures;
	uint64_t total_us;
	char *earlier;			/* what earlier tries said, or NULL */
	bool fresh;			/* the newest run has it */
};

struct claw_test_tally {
	struct claw_test_counted *items;
	size_t count;
	struct claw_name_index names;	/* of the items */
	unsigned int runs;
	char *dropped;	/* what tries said whose results no later one has */
};

/* A further try, of which only the newest counts. */
void claw_test_tally_retry(struct claw_test_tally *tally,
			    const struct claw_result *results, size_t count);
/* A further repetition, all of which count: the worst is shown. */
void claw_test_tally_repeat(struct claw_test_tally *tally,
			      const struct claw_result *results, size_t count);

/* Say in the results how often they failed, and which are flaky. most: tries
 * that were allowed; 0: they were repetitions. */
void claw_test_tally_finish(struct claw_test_tally *tally, uint64_t most);
void claw_test_tally_release(struct claw_test_tally *tally);

#endif

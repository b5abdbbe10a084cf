/* SPDX-License-Identifier: Apache-2.0 */
/* How many launches of a session's kernels had probes, and why others had
 * none. */
#ifndef CLAW_PROBE_SUM_H
#define CLAW_PROBE_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session.h"

struct claw_probe_sum {
	uint64_t launches;		/* with probes */
	uint64_t plain_kernel, plain_refused, plain_other;
	uint64_t pending;		/* whose words were never read */
	size_t programs;		/* with probes */
	char *why;			/* of the first program without, or NULL */
	char *gap;			/* what cannot be read, one line, or NULL */
};

/* 0, -CLAW_E_IO or -CLAW_E_NO_MEMORY. */
int claw_probe_sum_read(const struct claw_session *session,
			struct claw_probe_sum *ret_sum);
void claw_probe_sum_release(struct claw_probe_sum *sum);

uint64_t claw_probe_sum_plain(const struct claw_probe_sum *sum);

/* Why "nothing was found in the kernels" would be a lie, one line, malloced,
 * or NULL: all launches had probes, or there was none. is_part: only some were
 * asked for. */
char *claw_probe_sum_gap(const struct claw_probe_sum *sum, bool is_part);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program whose kernels get probes stands still while these are compiled and
 * tried out; whoever waits for it is told.
 */
#ifndef CLAW_COMPILING_H
#define CLAW_COMPILING_H

#include <stdint.h>

#include "harness/process/runner.h"
#include "harness/session/session.h"

/* How long kernels with probes are being made in one of the session's
 * processes now, 0: none is. ret_since_ns: which, for it is the same until it
 * is done. */
uint64_t claw_compiling_ns(const struct claw_session *session,
			   uint64_t *ret_since_ns);

#define CLAW_COMPILING_TEXT \
	"compiling and verifying instrumented kernels"

struct claw_compiling {
	const struct claw_session *session;
	uint64_t told_ns;	/* the one that was said */
};

/* Say on standard error, once each, what takes longer than a second; where that
 * is no terminal, than half a minute. The runner may run one program. */
void claw_compiling_watch(struct claw_compiling *compiling,
			  struct claw_runner *runner);

#endif

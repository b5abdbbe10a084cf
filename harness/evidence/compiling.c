/* SPDX-License-Identifier: Apache-2.0 */
/* Are kernels with probes being made? Their journals say so. */
#include "config.h"

#include "compiling.h"

#include <stdlib.h>
#include <unistd.h>

#include "faults/shared/clock.h"
#include "harness/base/errors.h"
#include "harness/readers/journal_reader.h"

enum { TICK_MS = 500, SCREEN_MS = 1000, LOG_MS = 30 * 1000 };

uint64_t claw_compiling_ns(const struct claw_session *session,
			   uint64_t *ret_since_ns)
{
	uint64_t first = 0, now;
	char **paths;
	size_t count;

	if (claw_session_journals(session, &paths, &count) < 0)
		return 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t since = claw_journal_probes_since_ns(paths[i]);

		if (since && (!first || since < first))
			first = since;
		free(paths[i]);
	}
	free(paths);
	now = claw_clock_mono_ns();
	*ret_since_ns = first;
	return first && now > first ? now - first : 0;
}

static void tick(void *user)
{
	struct claw_compiling *compiling = user;
	uint64_t least = isatty(STDERR_FILENO) ? SCREEN_MS : LOG_MS;
	uint64_t since, ns = claw_compiling_ns(compiling->session, &since);

	if (ns < least * 1000000u || since == compiling->told_ns)
		return;
	compiling->told_ns = since;
	claw_warn("%s", CLAW_COMPILING_TEXT);
}

void claw_compiling_watch(struct claw_compiling *compiling,
			  struct claw_runner *runner)
{
	claw_runner_set_tick(runner, TICK_MS, tick, compiling);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where in OpenCL the processes of a case were when they were ended, by their
 * journals.
 */
#ifndef CLAW_TEST_WHERE_H
#define CLAW_TEST_WHERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/readers/journal_reader.h"
#include "harness/session/session.h"

struct claw_test_where {
	bool is_known;		/* a journal says it */
	char call[64];		/* the function that had not come back, or "" */
	bool is_build;		/* call builds a program */
	/* A launch was made, has not been waited for to its end, and call
	 * waits, or polls. */
	bool is_in_launch;
	uint64_t launch_mono_ns;	/* CLOCK_MONOTONIC of the last launch made, 0: none */
};

/*
 * Of all processes that neither ended by themselves nor crashed: the one in a
 * launch, else in a build, else in any call. is_newest: only of the one that
 * was started last.
 *
 * Returns 0 or -CLAW_E_IO.
 */
int claw_test_where_read(const struct claw_session *session, bool is_newest,
			 struct claw_test_where *ret_where);

/* Did any process ask for a launch, ended or not? */
bool claw_test_where_was_launched(const struct claw_session *session);

/* How many of the session's processes were killed in a launch: tests of a
 * libcheck program that it gave up. */
size_t claw_test_where_count(const struct claw_session *session);

/* "clw-kernel-timeout" in a launch, "clw-kernel-compile-timeout" in a build,
 * NULL where nothing of a kernel stands still. */
const char *claw_test_where_code(const struct claw_test_where *where);

#endif

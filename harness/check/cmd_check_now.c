/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw check --now": what is alive in a session at this moment, without
 * stopping anybody. The session is named by its directory, or by a process
 * that runs in it or has started one that does.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd_check.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/process/processes.h"

enum { GENERATIONS_MAX = 16 };

/* The session that the process was started with. */
static bool take_session(long pid, void *user)
{
	char **found = user;
	bool is_readable;

	*found = claw_process_variable(pid, "OPENCLAW_SESSION", &is_readable);
	return !*found;
}

static bool is_session(const char *directory)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/config", directory);
	if (access(path, R_OK) < 0)
		return false;
	snprintf(path, sizeof(path), "%s/rules", directory);
	return access(path, R_OK) == 0;
}

static char *session_of_pid(const char *operand)
{
	char *end, *found = NULL, path[64];
	long pid;

	errno = 0;
	pid = strtol(operand, &end, 10);
	if (errno || *end || pid <= 0)
		claw_die(CLAW_EXIT_USAGE, "--now: expected a process or a "
			 "directory, found \"%s\"", operand);
	snprintf(path, sizeof(path), "/proc/%ld", pid);
	if (access(path, F_OK) < 0)
		claw_die(CLAW_EXIT_USAGE, "--now: no process %ld",
			 pid);
	claw_processes_walk(pid, GENERATIONS_MAX, take_session, &found);
	if (!found)
		claw_die(CLAW_EXIT_USAGE, "--now: process %ld does not run "
			 "under openclaw check or belongs to another user",
			 pid);
	return found;
}

/* The session that a person means; malloced. */
static char *resolve(const char *operand)
{
	char *inner;

	if (operand[0] && operand[strspn(operand, "0123456789")] == '\0' &&
	    access(operand, F_OK) < 0)
		return session_of_pid(operand);
	if (is_session(operand))
		return claw_strdup(operand);
	inner = claw_format("%s/session", operand);
	if (is_session(inner))
		return inner;
	free(inner);
	if (access(operand, F_OK) < 0)
		claw_die(CLAW_EXIT_USAGE, "--now: %s: %s", operand,
			 strerror(errno));
	claw_die(CLAW_EXIT_USAGE, "--now: %s: expected the output directory of "
		 "an openclaw check, found something else", operand);
}

int claw_cmd_check_now(const char *operand, const struct claw_check_view *view,
		       struct claw_suppressions *suppressions)
{
	struct claw_session session = { .directory = resolve(operand) };
	struct claw_check_scan scan;
	const char *gap;
	int status = CLAW_EXIT_CLEAN;
	char *summary;

	claw_cmd_check_scan(&session, view, 0, suppressions, &scan);
	gap = claw_cmd_check_gap(&scan);
	claw_check_print(stdout, view, &scan);
	summary = claw_check_summary(view, &scan);
	if (scan.leaks.process_count == 0 && !gap)
		printf("no OpenCL call yet\n");
	else
		printf("%s\n", summary);
	if (gap || scan.leaks.process_count == 0)
		status = CLAW_EXIT_UNKNOWN;
	if (gap)
		claw_warn("incomplete: %s", gap);
	free(summary);
	claw_cmd_check_scan_release(&scan);
	free(session.directory);
	return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw check --now": what is alive in a session at this moment, without
 * stopping anybody. The session is named by its directory, or by a process
 * that runs in it or has started one that does.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd_check.h"
#include "errors.h"

#define VARIABLE "OPENCLAW_SESSION="

enum {
	ENVIRONMENT_MAX_BYTES = 1 << 21,
	GENERATIONS_MAX = 16,
};

/* All of a small file, and a NUL behind it; malloced, or NULL. */
static char *read_whole(const char *path, size_t *ret_size)
{
	FILE *in = fopen(path, "re");
	char *text = in ? malloc(ENVIRONMENT_MAX_BYTES + 1) : NULL;

	if (text) {
		*ret_size = fread(text, 1, ENVIRONMENT_MAX_BYTES, in);
		text[*ret_size] = '\0';
	}
	if (in)
		fclose(in);
	return text;
}

/* What the process was started with; malloced, or NULL. */
static char *session_of(long pid)
{
	char path[64], *value = NULL;
	size_t size = 0;
	char *text;

	snprintf(path, sizeof(path), "/proc/%ld/environ", pid);
	text = read_whole(path, &size);
	for (const char *entry = text; entry && entry < text + size;
	     entry += strlen(entry) + 1)
		if (strncmp(entry, VARIABLE, strlen(VARIABLE)) == 0) {
			free(value);
			value = strdup(entry + strlen(VARIABLE));
		}
	free(text);
	return value;
}

static char *find_session(long pid, int generations);

/* Of the processes that one of its threads has started. */
static char *session_of_children(const char *path, int generations)
{
	size_t size = 0;
	char *text = read_whole(path, &size), *found = NULL, *rest = text;

	while (rest && !found) {
		char *end;
		long pid = strtol(rest, &end, 10);

		if (end == rest || pid <= 0)
			break;
		found = find_session(pid, generations);
		rest = end;
	}
	free(text);
	return found;
}

static char *find_session(long pid, int generations)
{
	char *found = session_of(pid);
	char path[64];
	DIR *threads;
	struct dirent *entry;

	if (found || generations == 0)
		return found;
	snprintf(path, sizeof(path), "/proc/%ld/task", pid);
	threads = opendir(path);
	while (threads && !found && (entry = readdir(threads))) {
		char children[PATH_MAX];

		if (*entry->d_name == '.')
			continue;
		snprintf(children, sizeof(children), "/proc/%ld/task/%s/"
			 "children", pid, entry->d_name);
		found = session_of_children(children, generations - 1);
	}
	if (threads)
		closedir(threads);
	return found;
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
	char *end, *found, path[64];
	long pid;

	errno = 0;
	pid = strtol(operand, &end, 10);
	if (errno || *end || pid <= 0)
		claw_die(CLAW_EXIT_USAGE, "--now: expected a process or a "
			 "directory; found \"%s\"", operand);
	snprintf(path, sizeof(path), "/proc/%ld", pid);
	if (access(path, F_OK) < 0)
		claw_die(CLAW_EXIT_USAGE, "--now: there is no process %ld",
			 pid);
	found = find_session(pid, GENERATIONS_MAX);
	if (!found)
		claw_die(CLAW_EXIT_USAGE, "--now: process %ld does not run "
			 "under openclaw check, or is another user's", pid);
	return found;
}

/* The session that a person means; malloced. */
static char *resolve(const char *operand)
{
	char *inner = NULL;

	if (operand[0] && operand[strspn(operand, "0123456789")] == '\0' &&
	    access(operand, F_OK) < 0)
		return session_of_pid(operand);
	if (is_session(operand))
		return strdup(operand);
	if (asprintf(&inner, "%s/session", operand) < 0)
		return NULL;
	if (is_session(inner))
		return inner;
	free(inner);
	if (access(operand, F_OK) < 0)
		claw_die(CLAW_EXIT_USAGE, "--now: %s: %s", operand,
			 strerror(errno));
	claw_die(CLAW_EXIT_USAGE, "--now: %s is not the output directory of "
		 "an \"openclaw check\"", operand);
}

int claw_cmd_check_now(const char *operand, const struct claw_check_view *view,
		       struct claw_suppressions *suppressions)
{
	struct claw_session session = { .directory = resolve(operand) };
	struct claw_check_scan scan;
	const char *gap;
	int status = CLAW_EXIT_CLEAN;
	char *summary;

	if (!session.directory)
		claw_die(CLAW_EXIT_INFRA, "out of memory");
	claw_cmd_check_scan(&session, view, 0, suppressions, &scan);
	gap = claw_cmd_check_gap(&scan);
	claw_check_print(stdout, view, &scan);
	summary = claw_check_summary(view, &scan);
	if (scan.leaks.process_count == 0 && !gap)
		printf("no OpenCL call yet\n");
	else
		printf("%s\n", summary ? summary : "out of memory");
	if (gap || scan.leaks.process_count == 0)
		status = CLAW_EXIT_UNKNOWN;
	if (gap)
		claw_warn("not everything is known: %s", gap);
	free(summary);
	claw_cmd_check_scan_release(&scan);
	free(session.directory);
	return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw capture without a program: dumps of sessions that nobody has made
 * dumps of, and of a program that another openclaw runs.
 */
#include "config.h"

#include "cmd_capture.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "capturing.h"
#include "dump_take.h"
#include "harness/base/errors.h"
#include "harness/files/outside_file.h"
#include "harness/process/runner.h"
#include "harness/session/session.h"
#include "harness/base/text.h"

enum { DEPTH_MAX = 4, UNPACK_MS = 10 * 60 * 1000 };

/* ---- sessions left behind --------------------------------------------- */

struct sums {
	size_t sessions, made, well, running, known, refused, metered;
	bool failed;
};

/* A session has no links. In one that somebody has sent they lead to what its
 * sender may not read, and his reader may. */
static bool has_link(const char *directory)
{
	struct dirent **entries = NULL;
	int count = scandir(directory, &entries, NULL, alphasort);
	bool has = false;

	for (int i = 0; i < count; i++) {
		char *path = has ? NULL : claw_path_in(directory,
						       entries[i]->d_name);
		struct stat status;

		if (path && lstat(path, &status) == 0 &&
		    S_ISLNK(status.st_mode)) {
			claw_warn("%s: is a symbolic link, which is not "
				  "followed: no dump of %s", path, directory);
			has = true;
		}
		free(path);
		free(entries[i]);
	}
	free(entries);
	return has;
}

static void take_session(const struct claw_recovering *recovering,
			 const char *directory, struct sums *sums)
{
	struct claw_dump_taking taking = {
		.session = directory,
		.directory = recovering->output ? recovering->output :
			claw_capturing_default(),
		.max_dumps = recovering->max_dumps,
		.max_bytes = recovering->max_bytes,
		.always = recovering->always,
		.running_too = recovering->running_too,
		.once = true,
	};
	struct claw_dumps_made made;
	int ret;

	if (has_link(directory)) {
		sums->sessions++;
		sums->refused++;
		return;
	}
	if (claw_dump_is_metered_only(directory)) {
		sums->metered++;
		return;
	}
	sums->sessions++;
	ret = claw_dump_take(&taking, &made);
	sums->made += made.count;
	sums->well += made.well;
	sums->running += made.running;
	sums->known += made.known_count;
	claw_capturing_say(&made);
	for (size_t i = 0; i < made.known_count; i++)
		claw_warn("%s: dump already exists: %s", directory,
			  made.known[i]);
	if (made.running)
		claw_warn("%s: process %u is still running; use --now to dump "
			  "it anyway", directory,
			  made.running_pid);
	if (ret < 0) {
		claw_warn("%s: cannot write the dump: %s", directory,
			  ret == -CLAW_E_IO ? strerror(errno) :
			  claw_error_text(ret));
		sums->failed = true;
	}
	claw_dumps_made_release(&made);
}

/* It, or those in it; links are not followed. */
static void find_sessions(const struct claw_recovering *recovering,
			  const char *directory, int depth, struct sums *sums)
{
	struct dirent **entries = NULL;
	int count;

	if (claw_dump_is_session(directory)) {
		take_session(recovering, directory, sums);
		return;
	}
	count = depth < DEPTH_MAX ? scandir(directory, &entries, NULL,
					    alphasort) : 0;
	for (int i = 0; i < count; i++) {
		char *path = *entries[i]->d_name == '.' ? NULL :
			claw_path_in(directory, entries[i]->d_name);
		struct stat status;

		if (path && lstat(path, &status) == 0 &&
		    S_ISDIR(status.st_mode))
			find_sessions(recovering, path, depth + 1, sums);
		free(path);
		free(entries[i]);
	}
	free(entries);
}

/* A tar file into a directory of our own; malloced. */
static char *unpack(const char *file)
{
	char words[][32] = { "tar", "-x", "-f", "-C", "--no-same-owner",
			     "--no-same-permissions" };
	char *directory = claw_format("%s/openclaw.XXXXXX",
				      claw_session_temporary_base());
	char *path = realpath(file, NULL), *why;
	char *argv[] = { words[0], words[1], words[2], path, words[3], NULL,
			 words[4], words[5], NULL };
	struct claw_run_spec spec = { .argv = argv, .timeout_ms = UNPACK_MS };
	struct claw_run_result result;

	if (!path)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", file, strerror(errno));
	if (!mkdtemp(directory))
		claw_die(CLAW_EXIT_INFRA, "%s: %s", directory,
			 strerror(errno));
	argv[5] = directory;
	if (claw_run_once(&spec, &result) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s", claw_error_text(-CLAW_E_SPAWN));
	if (result.end != CLAW_END_EXIT || result.code != 0) {
		why = claw_capture_text(&result.err);
		claw_directory_remove(directory);
		claw_die(CLAW_EXIT_USAGE, "capture: --recover: expected a "
			 "session, a directory of them or a tar file of one, "
			 "found %s, which tar cannot read%s%.*s", file,
			 why && *why ? ": " : "",
			 why ? (int)strcspn(why, "\n") : 0, why ? why : "");
	}
	claw_run_result_release(&result);
	free(path);
	return directory;
}

int claw_capture_recover(const struct claw_recovering *recovering)
{
	struct sums sums = { .sessions = 0 };
	char *unpacked = NULL;
	struct stat status;

	if (stat(recovering->from, &status) < 0)
		claw_die(CLAW_EXIT_USAGE, "capture: --recover: %s: %s",
			 recovering->from, strerror(errno));
	if (!S_ISDIR(status.st_mode))
		unpacked = unpack(recovering->from);
	find_sessions(recovering, unpacked ? unpacked : recovering->from, 0,
		      &sums);
	if (unpacked)
		claw_directory_remove(unpacked);
	free(unpacked);
	if (sums.failed)
		return CLAW_EXIT_INFRA;
	if (!sums.sessions && sums.metered)
		claw_die(CLAW_EXIT_USAGE, "capture: --recover: expected the "
			 "session of a capture, found one of a profile or a "
			 "soak, which records no calls: %s",
			 recovering->from);
	if (!sums.sessions)
		claw_die(CLAW_EXIT_USAGE, "capture: --recover: expected a "
			 "session, a directory of them or a tar file of one, "
			 "found %s, in which no process has left a journal",
			 recovering->from);
	if (!sums.made && !sums.running && !sums.known && !sums.refused)
		claw_warn("no dump: nothing went wrong in %zu process%s; use "
			  "--always to dump anyway", sums.well,
			  sums.well == 1 ? "" : "es");
	return sums.running || sums.refused ? CLAW_EXIT_UNKNOWN : CLAW_EXIT_CLEAN;
}

/* ---- a dump of what runs ---------------------------------------------- */

/* The value of a line "NAME:\tVALUE" of /proc/PID/status, in that base. */
static bool read_status(long pid, const char *name, int base,
			unsigned long long *ret_value)
{
	char path[64], *line = NULL;
	size_t room = 0, length = strlen(name);
	bool found = false;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%ld/status", pid);
	in = claw_outside_fopen(path);
	while (in && !found && claw_getline(&line, &room, in) > 0)
		if (strncmp(line, name, length) == 0 && line[length] == ':') {
			*ret_value = strtoull(line + length + 1, NULL, base);
			found = true;
		}
	free(line);
	if (in)
		fclose(in);
	return found;
}

/* Is it an openclaw that waits for the signal? Another program would be
 * killed by it. */
static bool is_capturing(long pid)
{
	char path[64], target[4096], words[4096];
	unsigned long long blocked = 0;
	ssize_t size;
	FILE *in;
	size_t length = 0;

	snprintf(path, sizeof(path), "/proc/%ld/exe", pid);
	size = readlink(path, target, sizeof(target) - 1);
	target[size > 0 ? size : 0] = '\0';
	snprintf(path, sizeof(path), "/proc/%ld/cmdline", pid);
	in = claw_outside_fopen(path);
	if (in) {
		length = fread(words, 1, sizeof(words) - 1, in);
		fclose(in);
	}
	words[length] = '\0';
	return claw_begins(claw_base_name(target), "openclaw") &&
		(memmem(words, length, "\0capture", 9) ||
		 memmem(words, length, "\0inject", 8)) &&
		read_status(pid, "SigBlk", 16, &blocked) &&
		blocked >> (SIGUSR1 - 1) & 1;
}

int claw_capture_request(const char *pid)
{
	unsigned long long parent;
	char *end;
	long number = strtol(pid, &end, 10);

	if (*pid < '0' || *pid > '9' || *end || number <= 1)
		claw_die(CLAW_EXIT_USAGE, "capture: option --request: expected "
			 "the number of a process, found \"%s\"", pid);
	if (kill((pid_t)number, 0) < 0 && errno == ESRCH)
		claw_die(CLAW_EXIT_USAGE, "capture: --request: there is no "
			 "process %s", pid);
	while (number > 1 && !is_capturing(number)) {
		if (!read_status(number, "PPid", 10, &parent))
			break;
		number = (long)parent;
	}
	if (number <= 1 || !is_capturing(number))
		claw_die(CLAW_EXIT_USAGE, "capture: --request: neither process "
			 "%s nor one that started it is an \"openclaw "
			 "capture\"", pid);
	if (kill((pid_t)number, SIGUSR1) < 0)
		claw_die(CLAW_EXIT_INFRA, "capture: --request: process %ld: "
			 "%s", number, strerror(errno));
	claw_warn("requested a dump of process %ld; see the path on its "
		  "standard error", number);
	return CLAW_EXIT_CLEAN;
}

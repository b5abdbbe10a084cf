/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output directory of a judging command: whose it is, and whether this
 * run may have it.
 */
#include "config.h"

#include "records.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/files/directories.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/files/outside_file.h"
#include "harness/session/session.h"
#include "output_parent.h"

/* All that openclaw puts into an output directory; a reused one loses these
 * and nothing else. */
static const char *const our_names[] = {
#define REPORT(...)
#define REPORT_FILE(id_, name_, file_, ...) file_,
#define REPORT_OPTION REPORT_FILE
#include "report_formats.def"
#undef REPORT_OPTION
#undef REPORT_FILE
#undef REPORT
	"profile.json", "explore.json", "coverage.info", "cobertura.xml", "coverage-host.info",
	"coverage-html", "kernel-texts", "cases", "runs", "tools", "sessions",
	"signatures", "session", "crashes", "batch.json", "job.json",
	"jobs", "pieces", "tasks", "resume.json", "records.jsonl",	/* last: it says whose the rest is */
};

const char *claw_output_name(size_t i)
{
	return i < sizeof(our_names) / sizeof(*our_names) ? our_names[i] : NULL;
}

static bool is_empty(const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	bool empty = true;

	if (!directory)
		return false;
	while (empty && (entry = readdir(directory)))
		empty = strcmp(entry->d_name, ".") == 0 ||
			strcmp(entry->d_name, "..") == 0;
	closedir(directory);
	return empty;
}

/* Somebody writes it: see claw_records_new(). */
static bool is_locked(const char *records)
{
	int fd = claw_outside_open(records, 0, UINT64_MAX);
	bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 &&
		      errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return locked;
}

static void see_segment(void *user, const struct claw_soak_segment *segment)
{
	(void)segment;
	*(bool *)user = true;
}

enum claw_output_state claw_output_look(const char *path)
{
	static const struct claw_records_visitor visitor = {
		.segment = see_segment,
	};
	char records[PATH_MAX];
	struct stat about;
	bool complete = false, is_soak = false;
	uint64_t damaged = 0;
	int ret;

	if (stat(path, &about) < 0)
		return errno == ENOENT ? CLAW_OUTPUT_ABSENT : CLAW_OUTPUT_UNREADABLE;
	if (!S_ISDIR(about.st_mode))
		return CLAW_OUTPUT_NO_DIRECTORY;
	if (is_empty(path))
		return CLAW_OUTPUT_EMPTY;
	snprintf(records, sizeof(records), "%s/records.jsonl", path);
	if (access(records, F_OK) < 0)
		return CLAW_OUTPUT_FOREIGN;
	if (is_locked(records))
		return CLAW_OUTPUT_IN_USE;
	ret = claw_records_read(records, &visitor, &is_soak, &complete,
				&damaged);
	if (ret == 0 && complete)
		return is_soak ? CLAW_OUTPUT_SOAKED : CLAW_OUTPUT_FINISHED;
	/* A run that ended before its plan record was whole left nothing
	 * else; a file of that name that is not ours has lines. */
	if (ret == 0 || ret == -CLAW_E_VERSION ||
	    (stat(records, &about) == 0 && about.st_size == 0))
		return CLAW_OUTPUT_UNFINISHED;
	return CLAW_OUTPUT_FOREIGN;
}

static void remove_ours(const char *path)
{
	for (size_t i = 0; i < sizeof(our_names) / sizeof(*our_names); i++) {
		char name[PATH_MAX];

		snprintf(name, sizeof(name), "%s/%s", path, our_names[i]);
		if (unlink(name) < 0 && errno == EISDIR)
			claw_directory_remove(name);
	}
}

/* A file can be made there and a page of it written. */
static int try_writing(const char *path)
{
	static const char page[4096];
	char name[PATH_MAX];
	int fd, ret = 0, error;

	snprintf(name, sizeof(name), "%s/.openclaw-XXXXXX", path);
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return -CLAW_E_IO;
	errno = ENOSPC;
	if (write(fd, page, sizeof(page)) != (ssize_t)sizeof(page))
		ret = -CLAW_E_IO;
	error = errno;
	unlink(name);
	close(fd);
	errno = error;
	return ret;
}

/* openclaw-out/latest, replaced in one step. Not having it is no failure. */
static void point_latest(const char *name)
{
	char *fresh = claw_format("%s/.latest-%ld", claw_output_parent(),
				  (long)getpid());
	char *latest = claw_path_in(claw_output_parent(), "latest");

	if (symlink(name, fresh) == 0 && rename(fresh, latest) < 0)
		unlink(fresh);
	free(latest);
	free(fresh);
}

/* openclaw-out/<verb>-<time>, with a number where two begin in a second. */
static int make_default(const char *verb, char **ret_directory)
{
	time_t now = time(NULL);
	struct tm parts;
	char stamp[32];

	if (!localtime_r(&now, &parts) ||
	    strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &parts) == 0)
		return -CLAW_E_IO;
	if (claw_output_parent_make() < 0)
		return -CLAW_E_IO;
	for (unsigned int i = 1; i < 1000; i++) {
		char suffix[16] = "", *path;

		if (i > 1)
			snprintf(suffix, sizeof(suffix), "-%u", i);
		path = claw_format("%s/%s-%s%s", claw_output_parent(), verb,
				   stamp, suffix);
		if (mkdir(path, 0777) == 0) {
			point_latest(claw_base_name(path));
			*ret_directory = path;
			return 0;
		}
		free(path);
		/* "openclaw clean" has just removed the empty parent. */
		if (errno == ENOENT ? claw_output_parent_make() < 0 :
		    errno != EEXIST)
			return -CLAW_E_IO;
	}
	errno = EEXIST;
	return -CLAW_E_IO;
}

static void refuse(const char *path, const char *what, char *error,
		   size_t error_size)
{
	snprintf(error, error_size, "%s holds %s; read it with \"openclaw "
		 "report %s\", choose another directory, or overwrite it with "
		 "--force", path, what, path);
}

/* Whether a directory somebody named may be used; error says why not. */
static int take_requested(const char *path, bool force, char *error,
			  size_t error_size)
{
	enum claw_output_state state = claw_output_look(path);
	int ret;

	switch (state) {
	case CLAW_OUTPUT_ABSENT:
		ret = claw_output_parent_make_for(path);
		return ret < 0 ? ret : claw_make_directories(path);
	case CLAW_OUTPUT_UNREADABLE:
		return -CLAW_E_IO;
	case CLAW_OUTPUT_EMPTY:
		return 0;
	case CLAW_OUTPUT_UNFINISHED:
	case CLAW_OUTPUT_SOAKED:
		if (!force) {
			refuse(path, state == CLAW_OUTPUT_SOAKED ? "a finished soak" :
			       "an interrupted run", error, error_size);
			return -CLAW_E_USAGE;
		}
		/* fall through */
	case CLAW_OUTPUT_FINISHED:
		remove_ours(path);
		return 0;
	case CLAW_OUTPUT_IN_USE:
		snprintf(error, error_size, "%s is in use by another openclaw "
			 "process",
			 path);
		return -CLAW_E_USAGE;
	case CLAW_OUTPUT_NO_DIRECTORY:
		snprintf(error, error_size, "%s: expected a "
			 "directory, found a file", path);
		return -CLAW_E_USAGE;
	case CLAW_OUTPUT_FOREIGN:
		break;
	}
	snprintf(error, error_size, "%s is not empty and not an output "
		 "directory of openclaw; choose another", path);
	return -CLAW_E_USAGE;
}

int claw_output_open(const char *requested, const char *verb, bool force,
		     char **ret_directory, char *error, size_t error_size)
{
	char *directory = NULL;
	int ret;

	error[0] = '\0';
	if (requested) {
		directory = claw_strdup(requested);
		ret = take_requested(requested, force, error, error_size);
	} else {
		ret = make_default(verb, &directory);
	}
	if (ret == 0)
		ret = try_writing(directory);
	if (ret == 0) {
		*ret_directory = directory;
		return 0;
	}
	if (ret == -CLAW_E_IO)
		snprintf(error, error_size, "cannot write to %s: %s",
			 directory ? directory : claw_output_parent(),
			 strerror(errno));
	else if (!error[0])
		snprintf(error, error_size, "%s", claw_error_text(ret));
	free(directory);
	return ret;
}

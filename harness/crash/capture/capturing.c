/* SPDX-License-Identifier: Apache-2.0 */
/* Run a program and keep what happened to it. */
#include "config.h"

#include "capturing.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/session/called.h"
#include "harness/files/directories.h"
#include "harness/crash/dump/dump_meta.h"
#include "harness/crash/dump/dump_session.h"
#include "dump_store.h"
#include "dump_take.h"
#include "harness/base/errors.h"
#include "harness/session/fault_plan.h"
#include "harness/base/memory.h"
#include "harness/process/proctree.h"
#include "harness/readers/stacks.h"
#include "harness/records/output_parent.h"
#include "harness/base/text.h"

enum { PIDS_MAX = 64 };

bool claw_capturing_wanted(void)
{
	const char *wanted = getenv("CLW_CRASH_DUMP");

	return wanted && strcmp(wanted, "1") == 0;
}

const char *claw_capturing_default(void)
{
	static char *below;
	const char *path = getenv("CLW_CRASH_DUMP_PATH");

	if (path && *path)
		return path;
	free(below);
	below = claw_path_in(claw_output_parent(), "crashes");
	return below;
}

/* A command to paste. */
static void say_next(const char *words, const char *path)
{
	char *quoted = claw_shell_quote(path);

	claw_warn("next: %s %s %s", claw_called(), words, quoted);
	free(quoted);
}

/* One that nobody has made a dump of: its openclaw was killed. */
static void say_left(const char *directory)
{
	struct dirent **entries = NULL;
	int count = scandir(directory, &entries, NULL, NULL), left = 0;

	for (int i = 0; i < count; i++) {
		char *path = claw_begins(entries[i]->d_name, "session_") ?
			claw_path_in(directory, entries[i]->d_name) : NULL;
		pid_t pid;

		if (path && claw_dump_is_session(path) &&
		    claw_dump_running(path, &pid, 1) == 0)
			left++;
		free(path);
		free(entries[i]);
	}
	free(entries);
	if (left) {
		claw_warn("%d session%s of earlier runs %s in %s without a "
			  "dump", left, left == 1 ? "" : "s", left == 1 ?
			  "is" : "are", directory);
		say_next("capture --recover", directory);
	}
}

void claw_capturing_init(struct claw_capturing *capturing,
			 const char *directory,
			 struct claw_session_config *config)
{
	struct stat status;

	*capturing = (struct claw_capturing){
		.max_dumps = CLAW_DUMPS_MAX,
		.max_bytes = (uint64_t)CLAW_DUMPS_MAX_MIB << 20,
		.redact = config->capture.redact,
		.err_file.fd = -1,
	};
	if (!directory)
		directory = claw_capturing_default();
	capturing->made_directory = stat(directory, &status) < 0;
	if (claw_output_parent_make_for(directory) == 0 &&
	    claw_make_directories(directory) == 0)
		capturing->directory = realpath(directory, NULL);
	if (!capturing->directory)
		claw_die(CLAW_EXIT_INFRA, "cannot create the dump directory: "
			 "%s: %s", directory, strerror(errno));
	if (access(capturing->directory, W_OK) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot write dumps in %s: %s",
			 directory, strerror(errno));
	if (config->capture.buffers == CLAW_CAPTURE_OFF)
		config->capture.buffers = CLAW_CAPTURE_HASH;
	config->capture.into = capturing->directory;
	say_left(capturing->directory);
}

void claw_capturing_release(struct claw_capturing *capturing)
{
	free(capturing->directory);
	free(capturing->err);
	claw_error_file_close(&capturing->err_file);
	capturing->directory = capturing->err = NULL;
}

char *claw_capturing_session(const struct claw_capturing *capturing)
{
	char stamp[32], *path;
	time_t now = time(NULL);
	struct tm local;

	if (!localtime_r(&now, &local) ||
	    !strftime(stamp, sizeof(stamp), "%Y%m%d_%H%M%S", &local))
		stamp[0] = '\0';
	path = claw_format("%s/session_%s.%d", capturing->directory, stamp,
			   (int)getpid());
	return path;
}

/* ---- words ------------------------------------------------------------ */

static void say_made(const struct claw_dump_made *made)
{
	claw_warn("%s (process %u): %s: dump saved to %s (%" PRIu64
		  " bytes)", claw_base_name(made->program), made->pid,
		  made->why, made->path, made->bytes);
	claw_warn("contents, visible to anyone you send it to:");
	fputs(made->holds ? made->holds : "", stderr);
	say_next("crash-analyze", made->path);
}

void claw_capturing_say(const struct claw_dumps_made *made)
{
	if (made->count > 1)
		claw_warn("%zu processes failed; one dump was written for each",
			  made->count);
	for (size_t i = 0; i < made->count; i++)
		say_made(&made->items[i]);
	if (made->removed)
		claw_warn("deleted %u older dump%s to stay under the limit", made->removed,
			  made->removed == 1 ? "" : "s");
	if (made->unreadable)
		claw_warn("cannot read %zu journal%s: no dump of %s",
			  made->unreadable, made->unreadable == 1 ? "" : "s",
			  made->unreadable == 1 ? "it" : "them");
}

/* ---- the run ---------------------------------------------------------- */

static struct claw_dump_taking taking_of(const struct claw_capturing *capturing,
					 const struct claw_session *session)
{
	return (struct claw_dump_taking){
		.session = session->directory,
		.directory = capturing->directory,
		.max_dumps = capturing->max_dumps,
		.max_bytes = capturing->max_bytes,
		.always = capturing->always,
	};
}

/* Of what runs. */
static void take_running(const struct claw_dump_taking *taking)
{
	struct claw_dumps_made made;
	int ret = claw_dump_take(taking, &made);

	claw_capturing_say(&made);
	if (ret < 0)
		claw_warn("cannot write the dump: %s", ret ==
			  -CLAW_E_IO ? strerror(errno) : claw_error_text(ret));
	else if (made.count == 0)
		claw_warn("no dump: no running process has called OpenCL yet");
	claw_dumps_made_release(&made);
}

/*
 * SIGUSR1. The drivers are asked by a process that is started, and a runner
 * takes all children of its process for what that one has left: so this is
 * done in a process that has no others. Only the program's parent may read its
 * stacks.
 */
static void take_now(void *user)
{
	struct claw_capturing *capturing = user;
	struct claw_dump_taking taking = taking_of(capturing,
						   capturing->session);
	char *stacks = NULL, *err = claw_error_file_text(&capturing->err_file);
	pid_t pids[PIDS_MAX], child;
	size_t count = claw_dump_running(taking.session, pids, PIDS_MAX);

	if (count)
		stacks = claw_stacks_text(pids, count);
	taking.requested = true;
	taking.always = false;
	taking.stacks = stacks;
	taking.err = err;
	fflush(NULL);
	child = fork();
	if (child == 0) {
		take_running(&taking);
		_exit(0);
	}
	if (child < 0)
		claw_warn("no dump: %s", strerror(errno));
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	free(stacks);
	free(err);
}

int claw_capturing_run(struct claw_capturing *capturing,
		       const struct claw_session *session,
		       const struct claw_run_spec *spec,
		       struct claw_run_result *ret_result)
{
	json_t *about = claw_dump_about_new(spec->argv, capturing->redact);
	struct claw_runner *runner;
	int ret;

	if (claw_dump_about_write(about, session->directory) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", session->directory,
			 strerror(errno));
	json_decref(about);
	capturing->session = session;
	runner = claw_runner_new(1);
	if (!runner || claw_runner_on_signal(runner, SIGUSR1, take_now,
					     capturing) < 0)
		claw_die(CLAW_EXIT_INFRA, "cannot create the event loop");
	if (!capturing->redact)
		claw_error_file_open(&capturing->err_file);
	ret = claw_runner_run_one(runner, spec, ret_result);
	/* Before there are words of our own in it. */
	capturing->err = claw_error_file_text(&capturing->err_file);
	claw_runner_free(runner);
	return ret;
}

/* Processes that may have yet to make their first call, as a daemon: those with
 * our layer; any, where nobody has made a call so far. */
static bool has_left_unseen(const struct claw_dumps_made *made)
{
	const struct claw_proctree ours = { .adopt_all = true };
	pid_t pids[PIDS_MAX];
	size_t count = claw_proctree_list(&ours, pids, PIDS_MAX);
	char *layer = claw_layer_path();
	bool has = made->count + made->well + made->unreadable == 0 && count;

	for (size_t i = 0; i < count && layer && !has; i++)
		has = claw_dump_has_mapped((uint32_t)pids[i],
					   claw_base_name(layer));
	free(layer);
	return has;
}

static void say_running(const struct claw_dumps_made *made,
			const char *session)
{
	char pid[32] = "a process it started";

	if (made->running)
		snprintf(pid, sizeof(pid), "process %u", made->running_pid);
	claw_warn("%s is still running, so its session is kept; make a dump "
		  "after it exits", pid);
	say_next("capture --recover", session);
}

void claw_capturing_end(struct claw_capturing *capturing,
			struct claw_session *session,
			const struct claw_run_result *result)
{
	struct claw_dump_taking taking = taking_of(capturing, session);
	struct claw_dumps_made made;
	int ret;

	taking.result = result;
	taking.err = capturing->err;
	ret = claw_dump_take(&taking, &made);
	claw_capturing_say(&made);
	if (ret < 0) {
		session->temporary = false;
		claw_warn("cannot write the dump: %s; the session is kept",
			  ret == -CLAW_E_IO ? strerror(errno) :
			  claw_error_text(ret));
		say_next("capture --recover", session->directory);
	} else if (made.count == 0 && made.failed && capturing->tells_failed) {
		claw_warn("exited with status %d after %s; use --always to "
			  "dump anyway",
			  made.failed_status, made.failed);
	} else if (made.count == 0 && capturing->verbose) {
		claw_warn("no dump: nothing went wrong in %zu process%s",
			  made.well, made.well == 1 ? "" : "es");
	}
	if (made.running || has_left_unseen(&made)) {
		session->temporary = false;
		say_running(&made, session->directory);
	}
	claw_dumps_made_release(&made);
}

void claw_capturing_leave(const struct claw_capturing *capturing)
{
	if (capturing->made_directory && rmdir(capturing->directory) == 0)
		claw_output_parent_leave();
}

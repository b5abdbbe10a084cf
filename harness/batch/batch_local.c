/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine "local": processes of this machine, each the leader of a session of
 * its own. A task's name is "HOST/PID#START", START as /proc/PID/stat has it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batch_private.h"
#include "harness/base/cores.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/files/small_file.h"

enum { STAT_START = 22, NAME_BYTES = 320 };

static uint64_t default_tasks(void)
{
	return claw_core_count();
}

static int check(const struct claw_batch *batch, char *error,
		 size_t error_size)
{
	if (!batch->engine_words)
		return 0;
	snprintf(error, error_size, "--on local: expected tasks=N or "
		 "pieces=N, found \"%s\"", batch->engine_words[0]);
	return -CLAW_E_USAGE;
}

/* Its name while it lives; a zombie does not. */
static bool name_of(long pid, char *name, size_t size)
{
	char text[1024], host[256] = "", *at;
	int field = 2;

	if (!claw_small_file_read(text, sizeof(text), "/proc/%ld/stat", pid))
		return false;
	at = strrchr(text, ')');
	if (!at || at[1] != ' ' || at[2] == 'Z' || at[2] == 'X')
		return false;
	for (; at && field < STAT_START - 1; field++)
		at = strchr(at + 1, ' ');
	if (at)
		at = strchr(at + 1, ' ');
	gethostname(host, sizeof(host) - 1);
	if (at)
		snprintf(name, size, "%s/%ld#%.*s", host, pid,
			 (int)strcspn(at + 1, " \n"), at + 1);
	return at != NULL;
}

static char *self(void)
{
	char name[NAME_BYTES];

	return name_of((long)getpid(), name, sizeof(name)) ?
		claw_strdup(name) : NULL;
}

/* In the child: no return. */
static _Noreturn void be_task(const struct claw_batch *batch, int log)
{
	char *const argv[] = {
		batch->program, (char *)(uintptr_t)"__take", batch->directory,
		NULL,
	};
	int empty = open("/dev/null", O_RDONLY);

	setsid();
	if (empty >= 0 && dup2(empty, 0) == 0 && dup2(log, 1) == 1 &&
	    dup2(log, 2) == 2 && chdir(batch->cwd) == 0)
		execv(batch->program, argv);
	_exit(CLAW_EXIT_INFRA);
}

static int start_one(struct claw_batch *batch)
{
	char *path, *tasks = claw_batch_path(batch, "tasks"), *number;
	char name[NAME_BYTES];
	int log, error = 0;
	pid_t pid = -1;

	number = claw_format("%zu.log", claw_list_count(batch->jobs) + 1);
	path = claw_path_in(tasks, number);
	log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (log >= 0)
		pid = fork();
	if (pid == 0)
		be_task(batch, log);
	error = errno;
	if (log >= 0)
		close(log);
	free(number);
	free(tasks);
	free(path);
	errno = error;
	if (pid < 0)
		return -CLAW_E_SPAWN;
	/* It is a zombie at worst: we have not waited for it. */
	if (!name_of((long)pid, name, sizeof(name)))
		snprintf(name, sizeof(name), "-/%ld#0", (long)pid);
	return claw_batch_add_job(batch, name);
}

static int start(struct claw_batch *batch, uint64_t tasks, char *error,
		 size_t error_size)
{
	for (uint64_t i = 0; i < tasks; i++) {
		if (start_one(batch) == 0)
			continue;
		snprintf(error, error_size, "--on local: cannot start a task: "
			 "%s", strerror(errno));
		return -CLAW_E_SPAWN;
	}
	return 0;
}

/* The process of a task; 0: it is another host's. */
static long pid_of(const char *task)
{
	char host[256] = "";
	size_t length;

	gethostname(host, sizeof(host) - 1);
	length = strlen(host);
	return strncmp(task, host, length) == 0 && task[length] == '/' ?
		strtol(task + length + 1, NULL, 10) : 0;
}

static bool lives(const char *task)
{
	long pid = pid_of(task);
	char name[NAME_BYTES];

	return pid > 0 && name_of(pid, name, sizeof(name)) &&
	       strcmp(name, task) == 0;
}

static bool has_piece(const struct claw_batch *batch, const char *task)
{
	bool has = false;

	for (size_t i = 0; !has && i < batch->queue.count; i++) {
		const struct claw_piece *piece = &batch->queue.pieces[i];
		char *owner = piece->state != CLAW_PIECE_TAKEN ? NULL :
			claw_queue_text(&batch->queue, i, piece->attempt,
					"taken");

		has = owner && strcmp(owner, task) == 0;
		free(owner);
	}
	return has;
}

static void look(const struct claw_batch *batch,
		 struct claw_batch_living *living)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	for (char **job = batch->jobs; job && *job; job++) {
		/* Followed on another machine than it was started on. */
		living->is_unknown |= pid_of(*job) == 0 && has_piece(batch, *job);
		if (lives(*job))
			claw_list_add(&living->tasks, claw_strdup(*job));
	}
}

/* Each ends what it has started. */
static void cancel(const struct claw_batch *batch)
{
	for (char **job = batch->jobs; job && *job; job++)
		if (lives(*job))
			kill((pid_t)pid_of(*job), SIGTERM);
}

const struct claw_engine claw_engine_local = {
	.name = "local",
	.default_tasks = default_tasks,
	.check = check,
	.start = start,
	.look = look,
	.cancel = cancel,
	.self = self,
	.interval_ms = 200,
};

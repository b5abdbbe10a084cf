/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw __take DIR": one task of a batch. It does pieces until none is free.
 * Where the task is killed, the piece's openclaw is told to end, too.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batch_private.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/options.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/base/words.h"
#include "harness/machine/machine.h"
#include "harness/records/past_run.h"

static const struct claw_option take_options[] = { { 0 } };

/* ---- signals ------------------------------------------------------------- */

enum { SIGN_S = 60 };		/* between two signs of life */

static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
enum { ENDING = sizeof(ending) / sizeof(*ending) };

static volatile sig_atomic_t ended_by;
static volatile sig_atomic_t child;

static void pass_on(int number)
{
	ended_by = number;
	if (child > 0)
		kill((pid_t)child, SIGTERM);
}

/* It interrupts a wait. */
static void wake_up(int number)
{
	(void)number;
}

static void set_handlers(void (*handler)(int))
{
	const struct sigaction action = { .sa_handler = handler };

	for (size_t i = 0; i < ENDING; i++)
		sigaction(ending[i], &action, NULL);
}

static void catch_signals(void)
{
	const struct sigaction action = { .sa_handler = wake_up };
	const struct itimerval interval = {
		.it_interval.tv_sec = SIGN_S, .it_value.tv_sec = SIGN_S,
	};

	set_handlers(pass_on);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &interval, NULL);
}

/* ---- one piece ----------------------------------------------------------- */

static bool can_resume(const struct claw_batch *batch, const char *directory)
{
	char *path = claw_path_in(directory, "resume.json");
	bool can = claw_batch_is_soak(batch) && access(path, R_OK) == 0;

	free(path);
	return can;
}

/* One piece that this task has. */
struct doing {
	struct claw_batch *batch;
	size_t index;
	unsigned int attempt;
	char *directory;
	bool is_resumed;
};

static char **piece_command(const struct doing *doing)
{
	const struct claw_batch *batch = doing->batch;
	char **argv = NULL;

	claw_list_add(&argv, claw_strdup(batch->program));
	claw_list_add(&argv, claw_strdup(batch->verb));
	if (doing->is_resumed) {
		claw_list_add(&argv, claw_format("--resume=%s",
						 doing->directory));
		return argv;
	}
	if (!claw_batch_is_soak(batch))
		claw_list_add(&argv, claw_format("--shard=%zu/%" PRIu64 ":own",
						 doing->index + 1,
						 batch->pieces));
	claw_list_add(&argv, claw_format("--output=%s", doing->directory));
	for (char **word = batch->words; word && *word; word++)
		claw_list_add(&argv, claw_strdup(*word));
	claw_list_add(&argv, claw_strdup("--"));
	for (char **word = batch->operands; word && *word; word++)
		claw_list_add(&argv, claw_strdup(*word));
	return argv;
}

static int open_log(const char *directory, const char *behind)
{
	char *path = claw_format("%s%s", directory, behind);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	free(path);
	return fd;
}

/* In the child: no return. Signals are blocked. */
static _Noreturn void be_piece(char *const *argv, const char *directory,
			       pid_t parent, const sigset_t *mask)
{
	int out = open_log(directory, ".out"), err = open_log(directory, ".err");

	set_handlers(SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent || out < 0 || err < 0 || dup2(out, 1) != 1 ||
	    dup2(err, 2) != 2)
		_exit(CLAW_EXIT_INFRA);
	setenv("OPENCLAW_HISTORY", "", 1);
	execv(argv[0], argv);
	_exit(errno == ENOENT ? CLAW_EXIT_NO_PROGRAM :
	      CLAW_EXIT_NOT_EXECUTABLE);
}

/* Its exit status; -1: a signal ended it. */
static int run_piece(const struct doing *doing, char *const *argv)
{
	pid_t parent = getpid(), pid;
	sigset_t all, before;
	int status;

	/* A signal comes before there is a child, or to it. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	pid = ended_by ? -1 : fork();
	if (pid == 0)
		be_piece(argv, doing->directory, parent, &before);
	child = pid > 0 ? pid : 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -1;
		claw_queue_touch(&doing->batch->queue, doing->index,
				 doing->attempt);
	}
	child = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The device that pieces run on here, "NAME, driver VERSION"; malloced, "": not
 * known, or another than the drivers of this machine have; NULL: this machine has
 * none. */
static char *find_device(const struct claw_batch *batch)
{
	const char *number = getenv("CLW_DEVICE_ID");
	struct claw_machine *machine = NULL;
	const json_t *device;
	char *text = NULL;

	for (char **word = batch->words; word && *word; word++) {
		if (claw_begins(*word, "--icd=") ||
		    claw_begins(*word, "--model="))
			return claw_strdup("");
		if (claw_begins(*word, "--device="))
			number = *word + strlen("--device=");
	}
	if (claw_machine_ask(NULL, &machine) < 0)
		return claw_strdup("");
	device = claw_machine_find_device(machine, number ?
					  strtoul(number, NULL, 10) : 0);
	if (device)
		text = claw_format("%s, driver %s",
				   claw_machine_text(device, "name"),
				   claw_machine_text(device,
						      "driver_version"));
	claw_machine_free(machine);
	return text;
}

/* Did the piece's command come to its end? Then what it says is its result. */
static bool has_end(const char *directory)
{
	struct claw_past_run *run = NULL;
	char error[1024];
	bool has = claw_past_run_read(directory, &run, error,
				      sizeof(error)) == 0 && run->complete;

	claw_past_run_free(run);
	return has;
}

/* How the attempt ended: "done", or why it did not. */
static const char *end_of(const struct doing *doing, int status,
			  const char *device, char *text, size_t size)
{
	const struct claw_batch *batch = doing->batch;
	bool is_soak = claw_batch_is_soak(batch);

	if (ended_by) {
		snprintf(text, size, "ended by %s",
			 claw_signal_name((int)ended_by));
		/* A soak goes on where it was. */
		return claw_queue_is_cancelled(&batch->queue) || is_soak ?
			"cancelled" : "lost";
	}
	if (status == CLAW_EXIT_SKIPPED && !device) {
		snprintf(text, size, CLAW_QUEUE_NO_DEVICE);
		return "lost";
	}
	if (doing->is_resumed && status == CLAW_EXIT_USAGE) {
		/* Who had it may not have ended yet. */
		snprintf(text, size, "the soak could not be resumed");
		return "lost";
	}
	if (status < 0 || (status == CLAW_EXIT_INFRA &&
			   (doing->attempt < CLAW_BATCH_ATTEMPTS ||
			    !has_end(doing->directory)))) {
		snprintf(text, size, status < 0 ? "openclaw was killed" :
			 "openclaw failed (status %d)", status);
		return "lost";
	}
	snprintf(text, size, "%d %s", status, device ? device : "");
	return "done";
}

/* For somebody who reads the task's log, too. Returns: can this task go on? */
static bool do_piece(struct doing *doing, const char *device)
{
	struct claw_batch *batch = doing->batch;
	char **argv, text[512];
	const char *end;
	bool can_go_on;

	doing->directory = claw_batch_piece_path(batch, doing->index,
						 doing->attempt);
	doing->is_resumed = can_resume(batch, doing->directory);
	argv = piece_command(doing);
	end = end_of(doing, run_piece(doing, argv), device, text,
		     sizeof(text));
	if (claw_queue_close(&batch->queue, doing->index, doing->attempt, end,
			     text) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", doing->directory,
			 strerror(errno));
	printf("piece %zu, attempt %u: %s, %s\n", doing->index + 1,
	       doing->attempt, end, text);
	fflush(stdout);
	can_go_on = device || strcmp(end, "lost") != 0;
	claw_list_free(argv);
	free(doing->directory);
	return can_go_on;
}

/* ---- the task ------------------------------------------------------------ */

/* Another run of the same task, as Slurm and Kubernetes repeat one, had it. */
static bool is_earlier_self(const char *task, const char *self)
{
	const char *run = strchr(self, '#');
	size_t base = run ? (size_t)(run - self) : 0;

	return base && strncmp(task, self, base + 1) == 0 &&
	       strcmp(task, self) != 0;
}

static void put_back_own(struct claw_queue *queue, const char *self)
{
	if (claw_queue_read(queue) < 0)
		return;
	for (size_t i = 0; i < queue->count; i++) {
		const struct claw_piece *piece = &queue->pieces[i];
		char *task = piece->state != CLAW_PIECE_TAKEN ? NULL :
			claw_queue_text(queue, i, piece->attempt, "taken");

		if (task && is_earlier_self(task, self))
			claw_queue_close(queue, i, piece->attempt, "lost",
					 "its task was started again");
		free(task);
	}
}

/* Tasks begin at different places: fewer want the same piece. */
static size_t start_of(const char *self, size_t count)
{
	size_t sum = 0;

	for (; *self; self++)
		sum = sum * 31 + (unsigned char)*self;
	return sum % count;
}

static int take_all(struct claw_batch *batch, const char *self,
		    const char *device)
{
	struct doing doing = { .batch = batch };
	size_t start = start_of(self, batch->queue.count);
	int ret;

	put_back_own(&batch->queue, self);
	for (;;) {
		if (ended_by)
			return 128 + (int)ended_by;
		ret = claw_queue_take(&batch->queue, self, start, &doing.index,
				      &doing.attempt);
		if (ret == -CLAW_E_NOT_FOUND)
			return CLAW_EXIT_CLEAN;
		if (ret < 0)
			claw_die(CLAW_EXIT_INFRA, "%s: %s",
				 batch->queue.folder, strerror(errno));
		/* A node without a device would take all that others need. */
		if (!do_piece(&doing, device))
			return CLAW_EXIT_SKIPPED;
		start = doing.index + 1;
	}
}

extern const struct claw_command claw_cmd_take;

static int take_run(int argc, char *const *argv)
{
	int first = claw_command_start(&claw_cmd_take, argc, argv, false);
	struct claw_batch batch;
	char error[1024], *self, *device;
	int status;

	if (argc - first != 1)
		claw_die(CLAW_EXIT_USAGE, "__take: expected the directory of a "
			 "batch");
	if (claw_batch_read(argv[first], &batch, error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "__take: %s", error);
	self = batch.engine->self();
	if (!self)
		claw_die(CLAW_EXIT_USAGE, "__take: this is no task of %s",
			 batch.engine->name);
	device = find_device(&batch);
	catch_signals();
	status = take_all(&batch, self, device);
	free(device);
	free(self);
	claw_batch_release(&batch);
	return status;
}

const struct claw_command claw_cmd_take = {
	.name = "__take",
	.summary = "do pieces of a batch (for --on)",
	.usage = "DIR",
	.options = take_options,
	.hidden = true,
	.run = take_run,
};

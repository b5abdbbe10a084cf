/* SPDX-License-Identifier: Apache-2.0 */
/* Begin a batch, or go on with one, to its end. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "batch_private.h"
#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"
#include "harness/base/words.h"
#include "harness/files/directories.h"
#include "harness/machine/machine.h"
#include "harness/records/cmd_output.h"
#include "harness/session/called.h"
#include "harness/session/fault_plan.h"

/* Which of our options a command line has. */
struct ours {
	bool is_wanted, has_help;
	const char *other;		/* of "report merge --follow" */
};

static void note_option(const struct claw_option *option, const char *text,
			void *user)
{
	struct ours *ours = user;
	const char *name = option->name;

	(void)text;
	if (strcmp(name, "on") == 0 || strcmp(name, "detach") == 0 ||
	    strcmp(name, "follow") == 0)
		ours->is_wanted = true;
	else if (strcmp(name, "help") == 0)
		ours->has_help = true;
	else if (strcmp(name, "color") != 0)
		ours->other = name;
}

static bool has_option(const struct claw_option *options, const char *name)
{
	for (; options && options->type != OPT_END; options++)
		if (strcmp(options->name, name) == 0)
			return true;
	return false;
}

static struct ours find_ours(const struct claw_command *command, int argc,
			     char *const *argv)
{
	struct ours ours = { .is_wanted = false };
	char error[512];
	int first;

	if ((has_option(command->options, "on") ||
	     has_option(command->options, "follow")) &&
	    claw_options_walk(command->options, argc, argv,
			      claw_batch_stops_at_operand(command->name),
			      note_option, &ours, &first, error, sizeof(error)) < 0)
		/* What is wrong is said by the command itself. */
		ours.is_wanted = false;
	return ours;
}

bool claw_batch_is_wanted(const struct claw_command *command, int argc,
			  char *const *argv)
{
	struct ours ours = find_ours(command, argc, argv);

	return ours.is_wanted && !ours.has_help;
}

static void check(int ret, const char *path)
{
	if (ret < 0)
		claw_die(CLAW_EXIT_INFRA, "%s: %s", path, ret == -CLAW_E_IO ?
			 strerror(errno) : claw_error_text(ret));
}

/* Of two that follow, each would start tasks. The lock is held until the end; of
 * NFS it needs a file that is open for writing. */
static void lock(const struct claw_batch *batch)
{
	char *path = claw_batch_path(batch, "batch.json");
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EWOULDBLOCK)
			claw_die(CLAW_EXIT_USAGE, "%s is followed by another "
				 "openclaw process", batch->shown);
		claw_warn("%s: no lock (%s): follow it with one openclaw "
			  "process at a time", batch->shown, strerror(errno));
	}
	free(path);
}

/* What --force would take away from tasks that still run. */
static void refuse_living(const char *directory)
{
	struct claw_batch_living living = { .tasks = NULL };
	struct claw_batch batch;
	char error[1024];

	if (!directory || claw_batch_read(directory, &batch, error,
					  sizeof(error)) < 0)
		return;
	lock(&batch);
	if (claw_queue_read(&batch.queue) == 0 && batch.engine->look &&
	    batch.jobs)
		batch.engine->look(&batch, &living);
	if (living.tasks)
		claw_die(CLAW_EXIT_USAGE, "%s has %zu tasks that run; follow "
			 "them (openclaw report merge --follow %s), or choose "
			 "another directory", directory, claw_list_count(living.tasks),
			 directory);
	claw_list_free(living.tasks);
	claw_batch_release(&batch);
}

static char *new_id(void)
{
	uint32_t id = (uint32_t)getpid();

	if (getentropy(&id, sizeof(id)) < 0)
		id ^= (uint32_t)time(NULL);
	return claw_format("%08" PRIx32, id);
}

/* batch.json and its folders; then it is as every task reads it. */
static void write_batch(struct claw_batch *fresh, struct claw_batch *batch)
{
	char error[1024], started[32], *pieces, *tasks;

	claw_records_time(started, sizeof(started));
	fresh->id = new_id();
	fresh->started = claw_strdup(started);
	fresh->cwd = getcwd(NULL, 0);
	fresh->program = claw_machine_self();
	if (!fresh->cwd || !fresh->program)
		claw_die(CLAW_EXIT_INFRA, "%s", strerror(errno));
	pieces = claw_batch_path(fresh, "pieces");
	tasks = claw_batch_path(fresh, "tasks");
	check(claw_make_directory(pieces), pieces);
	check(claw_make_directory(tasks), tasks);
	check(claw_batch_write(fresh), fresh->shown);
	free(pieces);
	free(tasks);
	if (claw_batch_read(fresh->directory, batch, error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_INFRA, "%s", error);
	free(batch->shown);
	batch->shown = claw_strdup(fresh->shown);
}

static void set_up(struct claw_batch *batch, const struct claw_command *command,
		   int argc, char *const *argv,
		   struct claw_batch_frame *ret_frame)
{
	struct claw_batch fresh = { .verb = NULL };
	struct claw_cmd_output output;
	char error[1024];

	if (claw_batch_split(&fresh, command, argc, argv, ret_frame, error,
			     sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "%s (see openclaw %s --help)", error,
			 command->name);
	claw_batch_parse_own(&fresh);
	if (claw_command_started)
		claw_command_started(command);
	refuse_living(ret_frame->output);
	claw_cmd_output_open(ret_frame->output, command->name,
			     ret_frame->force, argc, argv, fresh.pieces, 0,
			     &output);
	/* Without an end: an interrupted run, until it is merged. */
	claw_records_free(output.records);
	fresh.directory = output.directory;
	fresh.shown = output.shown;
	write_batch(&fresh, batch);
	claw_batch_release(&fresh);
}

static char *follow_line(const struct claw_batch *batch)
{
	char *quoted = claw_shell_quote(batch->directory);
	char *line = claw_format("%s report merge --follow %s", claw_called(),
				 quoted);

	free(quoted);
	return line;
}

static int follow(struct claw_batch *batch)
{
	int number, status;
	char *line;

	lock(batch);
	claw_interrupt_begin();
	claw_batch_follow(batch, &number, &status);
	if (number) {
		line = follow_line(batch);
		claw_warn("interrupted by %s; continue: %s",
			  claw_signal_name(number), line);
		free(line);
	}
	if (status < 0)
		status = claw_batch_finish(batch, number);
	claw_interrupt_end();
	return status;
}

/* The tasks go on without us; of Kubernetes they begin so. */
static int detach(struct claw_batch *batch)
{
	uint64_t tasks = batch->tasks < batch->pieces ? batch->tasks :
			 batch->pieces;
	int status = claw_batch_start(batch, tasks);
	char *line;

	if (status >= 0)
		return status;
	line = follow_line(batch);
	if (!batch->engine->look)
		printf("kubectl apply -f %s/job.json\n", batch->directory);
	printf("%s\n", line);
	free(line);
	return CLAW_EXIT_CLEAN;
}

static int begin(const struct claw_command *command, int argc,
		 char *const *argv)
{
	struct claw_batch_frame frame = { .output = NULL };
	struct claw_batch batch;
	int status;

	set_up(&batch, command, argc, argv, &frame);
	if (!claw_list_has(batch.own, "--quiet"))
		claw_warn("%s: %" PRIu64 " piece%s, %" PRIu64 " task%s; "
			  "writing results to %s", batch.engine->name,
			  batch.pieces, batch.pieces == 1 ? "" : "s",
			  batch.tasks, batch.tasks == 1 ? "" : "s",
			  batch.shown);
	if (frame.detach || !batch.engine->look)
		status = detach(&batch);
	else
		status = follow(&batch);
	claw_batch_release(&batch);
	return status;
}

/* "report merge --follow DIR", in the folder that the run was started in: its options
 * name files. */
static int go_on(const struct claw_command *command, int argc,
		 char *const *argv,
		 const struct claw_command *(*find)(const char *name))
{
	struct ours ours = find_ours(command, argc, argv);
	int first = claw_command_start(command, argc, argv, false), status;
	struct claw_batch batch;
	char error[1024];

	if (argc - first != 2 || strcmp(argv[first], "merge") != 0)
		claw_die(CLAW_EXIT_USAGE, "report: expected \"report merge "
			 "--follow DIR\", DIR of a run with --on");
	if (ours.other)
		claw_die(CLAW_EXIT_USAGE, "report merge: --follow: expected "
			 "no --%s: the run has its own options", ours.other);
	if (claw_batch_read(argv[first + 1], &batch, error, sizeof(error)) < 0)
		claw_die(CLAW_EXIT_USAGE, "report merge: expected the output "
			 "directory of a run with --on: %s", error);
	if (chdir(batch.cwd) < 0)
		claw_die(CLAW_EXIT_USAGE, "report merge: %s, where the run was "
			 "started: %s", batch.cwd, strerror(errno));
	free(batch.shown);
	batch.shown = claw_strdup(batch.directory);
	claw_batch_parse_own(&batch);
	if (claw_command_started && find(batch.verb))
		claw_command_started(find(batch.verb));
	status = follow(&batch);
	claw_batch_release(&batch);
	return status;
}

int claw_batch_run(const struct claw_command *command, int argc,
		   char *const *argv,
		   const struct claw_command *(*find)(const char *name))
{
	return strcmp(command->name, "report") == 0 ?
		go_on(command, argc, argv, find) : begin(command, argc, argv);
}

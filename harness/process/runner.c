/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run processes and watch them. The child is made by our own fork() and
 * exec(), its end is seen on a pidfd and its status read by our own waitid():
 * a stopped child is not an ended one. What it leaves behind is killed and
 * reaped, its output is read without ever waiting for somebody who merely
 * keeps the pipe open.
 *
 * It is long, and one file: of its functions, 21 are called from another of its
 * five sections, and four of its types are known to all of them, so in parts it
 * would be longer by a header of these, and they would be everybody's.
 */
#include "config.h"

#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "capture.h"
#include "faults/shared/clock.h"
#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text_list.h"
#include "harness/files/outside_file.h"
#include "proctree.h"
#include "harness/readers/stacks.h"
#include "waits.h"

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

enum {
	DEFAULT_GRACE_MS = 2000,
	DEFAULT_DRAIN_MS = 500,
	OUR_TURN_MS = 500,	/* who is to end everything, ends us as well */
	DEFAULT_CAPTURE_BYTES = 64 * 1024,
	READ_BYTES = 64 * 1024,
	READS_AT_ONCE = 16,	/* then the other pipes have their turn */
	SWEEP_MS = 5,		/* between looks for descendants */
	SWEEPS_MAX = 400,
	POLL_MS = 10,		/* where there is no pidfd */
	TREE_MAX = 64,
	WAITS_MAX = 9,		/* times the timeout, for who gets no processor */
};

enum job_state { JOB_RUNNING, JOB_DRAINING, JOB_SWEEPING, JOB_CLOSING };

struct stream {
	struct job *job;
	uv_poll_t poll;
	int fd;			/* our end of the pipe, or -1 */
	int tee_fd;		/* 1 or 2, or -1 */
	int file_fd;		/* or -1 */
	uint64_t file_bytes;
	struct claw_capture_writer writer;
};

struct job {
	struct claw_runner *runner;
	struct job *next;
	struct claw_run_spec spec;
	claw_run_done *done;
	void *user;
	struct claw_run_result result;

	enum job_state state;
	char *case_id;
	pid_t pid;
	int pidfd;		/* or -1 */
	bool timed_out, cancelled, reaped;
	double waited_ms;	/* for a processor, when the time was over */
	uint64_t granted_ms;	/* for that */
	unsigned int sweeps, handles;
	uv_poll_t exit_poll;
	uv_timer_t poll_timer, timeout_timer, step_timer;
	struct stream out, err;
};

struct claw_runner {
	uv_loop_t loop;
	unsigned int jobs, running_count, next_case;
	struct job *queue, **queue_end, *running;
	int signal_fd;
	uv_poll_t signal_poll;
	uv_timer_t tick_timer;
	sigset_t taken, old_mask;
	struct sigaction old_pipe, old_child;
	int was_subreaper;
	int cancel_signal;
	int heard_signal;	/* that only heard() is about, or 0 */
	void (*heard)(void *user);
	void *heard_user;
	void (*tick)(void *user);
	void *tick_user;
	uint64_t tick_ms;
};

/* What the child tells us when it cannot become the program. */
struct start_error {
	enum claw_end end;
	int error;
};

/* ---- the child ------------------------------------------------------- */

static size_t name_length(const char *entry)
{
	return strcspn(entry, "=");
}

static bool same_name(const char *a, const char *b)
{
	size_t length = name_length(a);

	return length == name_length(b) && memcmp(a, b, length) == 0;
}

static bool in_list(char *const *list, const char *entry)
{
	for (; list && *list; list++)
		if (same_name(*list, entry))
			return true;
	return false;
}

/* Our environment with set_env over it; one malloced array, strings
 * borrowed. A name that set_env has twice gets its last value. */
static char **make_environment(char *const *set_env, char *case_entry)
{
	char **all = claw_calloc(claw_list_count(environ) + claw_list_count(set_env) + 2,
			    sizeof(*all));
	size_t count = 0;

	for (char **entry = environ; entry && *entry; entry++)
		if (!in_list(set_env, *entry) && !same_name(*entry, case_entry))
			all[count++] = *entry;
	for (; set_env && *set_env; set_env++)
		if (strchr(*set_env, '=') && !in_list(set_env + 1, *set_env))
			all[count++] = *set_env;
	all[count] = case_entry;
	return all;
}

/* Everything the child needs, made before fork(): after it only functions
 * that are safe in a signal handler are called. */
struct launch {
	const struct claw_run_spec *spec;
	char *path;
	char **environment, **shell_argv;
	char *case_entry;
	int stdin_fd, out_fd, err_fd, error_fd;
	sigset_t mask;
	struct sigaction pipe_action, child_action;
	pid_t parent;
};

static void close_from_3(int keep)
{
#ifdef SYS_close_range
	if ((keep == 3 || syscall(SYS_close_range, 3u, (unsigned int)keep - 1,
				  0u) == 0) &&
	    syscall(SYS_close_range, (unsigned int)keep + 1, ~0u, 0u) == 0)
		return;
#endif
	struct rlimit limit;
	int last = 1024;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536)
		last = (int)limit.rlim_cur;
	for (int fd = 3; fd < last; fd++)
		if (fd != keep)
			close(fd);
}

static _Noreturn void give_up(const struct launch *launch, enum claw_end end,
			      int error)
{
	struct start_error what = { .end = end, .error = error };
	ssize_t written = write(launch->error_fd, &what, sizeof(what));

	_exit(written == sizeof(what) ? 127 : 126);
}

static _Noreturn void become_program(const struct launch *launch)
{
	const struct claw_run_spec *spec = launch->spec;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != launch->parent)
		_exit(127);
	if (!spec->foreground)
		setsid();
	if ((launch->stdin_fd >= 0 && dup2(launch->stdin_fd, 0) < 0) ||
	    (launch->out_fd >= 0 && dup2(launch->out_fd, 1) < 0) ||
	    (launch->err_fd >= 0 && dup2(launch->err_fd, 2) < 0) ||
	    (spec->merge_stderr && dup2(1, 2) < 0))
		give_up(launch, CLAW_END_INFRA, errno);
	if (!spec->foreground)
		close_from_3(launch->error_fd);
	if (spec->directory && chdir(spec->directory) < 0)
		give_up(launch, CLAW_END_INFRA, errno);
	if (spec->no_core) {
		struct rlimit none = { 0, 0 };

		setrlimit(RLIMIT_CORE, &none);
	}
	sigaction(SIGPIPE, &launch->pipe_action, NULL);
	sigaction(SIGCHLD, &launch->child_action, NULL);
	sigprocmask(SIG_SETMASK, &launch->mask, NULL);

	execve(launch->path, spec->argv, launch->environment);
	if (errno == ENOEXEC)
		execve("/bin/sh", launch->shell_argv, launch->environment);
	give_up(launch, CLAW_END_NOT_EXECUTABLE, errno);
}

/* ---- streams --------------------------------------------------------- */

static void handle_closed(uv_handle_t *handle)
{
	struct job *job = handle->data;

	job->handles--;
}

static void close_handle(struct job *job, uv_handle_t *handle)
{
	if (handle->type != UV_UNKNOWN_HANDLE && !uv_is_closing(handle)) {
		handle->data = job;
		uv_close(handle, handle_closed);
	}
}

/* Did a signal end it that ends us, too? A batch system sends it to all processes
 * of a job, in any order. A shell says of a program that it was 128 + number. */
static bool was_told_to_end(const struct job *job)
{
	const struct claw_run_result *result = &job->result;
	int number = result->end == CLAW_END_SIGNAL ? result->code :
		     result->end == CLAW_END_EXIT ? result->code - 128 : 0;

	return job->state != JOB_RUNNING && !job->spec.foreground &&
	       number > 0 && sigismember(&job->runner->taken, number) == 1;
}

static void stream_close(struct stream *stream)
{
	if (stream->fd < 0)
		return;
	close_handle(stream->job, (uv_handle_t *)&stream->poll);
	close(stream->fd);
	stream->fd = -1;
}

static bool write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t part = write(fd, bytes, size);

		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0 && errno == EAGAIN) {
			/* Somebody made our own stdout non-blocking. */
			nanosleep(&(struct timespec) { .tv_nsec = 1000000 },
				  NULL);
			continue;
		}
		if (part < 0)
			return false;
		bytes += part;
		size -= (size_t)part;
	}
	return true;
}

static void stream_to_file(struct stream *stream, const char *bytes,
			   size_t size)
{
	const struct claw_run_spec *spec = &stream->job->spec;
	uint64_t most = spec->file_max_bytes ? spec->file_max_bytes : 1ull << 30;
	uint64_t room = most - stream->file_bytes;
	int error = 0;

	if (size > room)
		error = EFBIG;
	if (!write_all(stream->file_fd, bytes, size > room ? room : size))
		error = errno;
	stream->file_bytes += size > room ? room : size;
	if (error) {
		stream->job->result.file_error = error;
		close(stream->file_fd);
		stream->file_fd = -1;
	}
}

/* Read what is there, but not for ever. */
static void stream_read(struct stream *stream)
{
	static char bytes[READ_BYTES];

	for (int turn = 0; turn < READS_AT_ONCE && stream->fd >= 0; turn++) {
		ssize_t size = read(stream->fd, bytes, sizeof(bytes));

		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0 && errno == EAGAIN)
			return;
		if (size <= 0) {
			stream_close(stream);
			return;
		}
		claw_capture_writer_add(&stream->writer, bytes, (size_t)size);
		if (stream->tee_fd >= 0 &&
		    !write_all(stream->tee_fd, bytes, (size_t)size))
			stream->tee_fd = -1;
		if (stream->file_fd >= 0)
			stream_to_file(stream, bytes, (size_t)size);
	}
}

static void step(struct job *job);

static void on_output(uv_poll_t *poll, int status, int events)
{
	struct stream *stream = poll->data;
	struct job *job = stream->job;

	(void)events;
	if (status < 0)
		stream_close(stream);
	else
		stream_read(stream);
	if (job->state == JOB_DRAINING && job->out.fd < 0 && job->err.fd < 0 &&
	    !was_told_to_end(job))
		step(job);
}

/* Make the pipe; *ret_child is the child's end. 0 or an errno. */
static int stream_open(struct stream *stream, struct job *job, int tee_fd,
		       const char *path, int *ret_child)
{
	const struct claw_run_spec *spec = &job->spec;
	int ends[2];

	stream->tee_fd = spec->tee ? tee_fd : -1;
	claw_capture_writer_init(&stream->writer, spec->head_bytes ?
				 spec->head_bytes : DEFAULT_CAPTURE_BYTES,
				 spec->tail_bytes ? spec->tail_bytes :
				 DEFAULT_CAPTURE_BYTES);
	if (path) {
		stream->file_fd = open(path, O_WRONLY | O_CREAT | O_TRUNC |
				       O_CLOEXEC, 0666);
		if (stream->file_fd < 0)
			return errno;
	}
	if (pipe2(ends, O_CLOEXEC) < 0)
		return errno;
	if (fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0) {
		int error = errno;

		close(ends[0]);
		close(ends[1]);
		return error;
	}
	stream->fd = ends[0];
	*ret_child = ends[1];
	return 0;
}

static void stream_watch(struct stream *stream)
{
	struct job *job = stream->job;

	if (stream->fd < 0)
		return;
	if (uv_poll_init(&job->runner->loop, &stream->poll, stream->fd) < 0) {
		close(stream->fd);
		stream->fd = -1;
		return;
	}
	job->handles++;
	stream->poll.data = stream;
	uv_poll_start(&stream->poll, UV_READABLE, on_output);
}

/* ---- the end of a job ------------------------------------------------ */

static void get_tree(struct job *job, pid_t *others, size_t max,
		     struct claw_proctree *ret_tree)
{
	size_t count = 0;

	for (struct job *other = job->runner->running; other;
	     other = other->next)
		if (other != job && !other->reaped && other->pid > 0 &&
		    count < max)
			others[count++] = other->pid;
	*ret_tree = (struct claw_proctree) {
		.leader = job->pid,
		.own_session = !job->spec.foreground,
		.case_id = job->case_id,
		.adopt_all = count == 0 && !job->spec.foreground,
		.others = others,
		.other_count = count,
	};
}

/* To the leader, its group and every descendant. */
static void signal_tree(struct job *job, int number)
{
	pid_t others[256];
	struct claw_proctree tree;

	get_tree(job, others, 256, &tree);
	if (!job->reaped && !job->spec.foreground)
		kill(-job->pid, number);
	else if (!job->reaped)
		kill(job->pid, number);
	claw_proctree_signal(&tree, number);
}

static void save_stacks(struct job *job)
{
	pid_t others[256], pids[TREE_MAX];
	struct claw_proctree tree;

	get_tree(job, others, 256, &tree);
	size_t count = claw_proctree_list(&tree, pids, TREE_MAX);

	free(job->result.stacks);
	job->result.stacks = claw_stacks_text(pids, count);
}

static void on_step(uv_timer_t *timer)
{
	step(timer->data);
}

static void step_in(struct job *job, uint64_t ms)
{
	uv_timer_start(&job->step_timer, on_step, ms, 0);
}

/* Ask the tree to end; on_step() insists after the grace. */
static void terminate(struct job *job)
{
	if (job->state != JOB_RUNNING)
		return;
	signal_tree(job, SIGTERM);
	/* A stopped process takes its TERM only when it goes on. */
	signal_tree(job, SIGCONT);
	step_in(job, job->spec.grace_ms ? job->spec.grace_ms : DEFAULT_GRACE_MS);
}

/* So much of the time that is over it waited for a processor. */
static uint64_t find_waited_ms(struct job *job)
{
	uint64_t most_ms = WAITS_MAX * job->spec.timeout_ms - job->granted_ms;
	uint64_t more_ms;
	double longest_ms = job->waited_ms;
	pid_t others[256], pids[TREE_MAX];
	struct claw_proctree tree;

	if (job->spec.exact_timeout)
		return 0;
	get_tree(job, others, 256, &tree);
	for (size_t i = claw_proctree_list(&tree, pids, TREE_MAX); i-- > 0;)
		longest_ms = fmax(longest_ms,
				  claw_waits_read(pids[i]).longest_ms);
	more_ms = (uint64_t)(longest_ms - job->waited_ms);
	job->waited_ms = longest_ms;
	return more_ms < most_ms ? more_ms : most_ms;
}

static void on_timeout(uv_timer_t *timer)
{
	struct job *job = timer->data;

	if (job->state != JOB_RUNNING || job->timed_out || job->cancelled)
		return;

	uint64_t more_ms = job->spec.more_time_ms ?
		job->spec.more_time_ms(job->spec.more_time_user) : 0;

	/* Not both: of a time that was put off all is given. */
	uint64_t waited_ms = find_waited_ms(job);

	if (more_ms == 0) {
		more_ms = waited_ms;
		job->granted_ms += waited_ms;
	}
	if (more_ms > 0) {
		uv_timer_start(timer, on_timeout, more_ms, 0);
		return;
	}
	job->timed_out = true;
	if (job->spec.save_stacks)
		save_stacks(job);
	terminate(job);
}

static void close_job(struct job *job)
{
	job->state = JOB_CLOSING;
	stream_close(&job->out);
	stream_close(&job->err);
	close_handle(job, (uv_handle_t *)&job->exit_poll);
	close_handle(job, (uv_handle_t *)&job->poll_timer);
	close_handle(job, (uv_handle_t *)&job->timeout_timer);
	close_handle(job, (uv_handle_t *)&job->step_timer);
	if (job->pidfd >= 0)
		close(job->pidfd);
	job->pidfd = -1;
}

static bool read_status(struct job *job, int options, siginfo_t *ret_info)
{
	int got;

	errno = 0;
	do {
		memset(ret_info, 0, sizeof(*ret_info));
		got = job->pidfd >= 0 ?
			waitid((idtype_t)P_PIDFD, (id_t)job->pidfd, ret_info,
			       WEXITED | WNOHANG | options) : -1;
		/* Linux 5.3 has pidfds but cannot wait for them. */
		if (job->pidfd < 0 || (got < 0 && errno == EINVAL))
			got = waitid(P_PID, (id_t)job->pid, ret_info,
				     WEXITED | WNOHANG | options);
	} while (got < 0 && errno == EINTR);
	return got == 0 && ret_info->si_pid == job->pid;
}

/* The leader has ended: keep it a zombie, so that its group's number stays
 * taken, and see what is still in the pipes. */
static void on_ended(struct job *job)
{
	struct claw_run_result *result = &job->result;
	uint64_t wait_ms = 0;
	bool lost = false;
	siginfo_t info;

	if (job->state != JOB_RUNNING)
		return;
	if (!read_status(job, WNOWAIT, &info)) {
		/* Nobody's child: somebody else has taken its status. */
		lost = errno == ECHILD;
		if (!lost)
			return;
	}
	result->end_mono_ns = claw_clock_mono_ns();
	if (job->spec.account && !lost)
		claw_run_cost_read(job->pid, &result->cost);
	result->code = lost ? ECHILD : info.si_status;
	result->end = lost ? CLAW_END_INFRA : info.si_code == CLD_EXITED ?
		CLAW_END_EXIT : CLAW_END_SIGNAL;
	result->core_dumped = !lost && info.si_code == CLD_DUMPED;
	if (lost)
		job->reaped = true;
	else if (job->timed_out)
		result->end = CLAW_END_TIMEOUT;
	else if (job->cancelled)
		result->end = CLAW_END_CANCELLED;
	if (job->pidfd >= 0)
		uv_poll_stop(&job->exit_poll);
	uv_timer_stop(&job->poll_timer);
	uv_timer_stop(&job->timeout_timer);
	job->state = JOB_DRAINING;
	stream_read(&job->out);
	stream_read(&job->err);
	if (job->out.fd >= 0 || job->err.fd >= 0)
		wait_ms = job->spec.drain_ms ? job->spec.drain_ms :
			DEFAULT_DRAIN_MS;
	if (was_told_to_end(job) && wait_ms < OUR_TURN_MS)
		wait_ms = OUR_TURN_MS;
	if (wait_ms > 0)
		step_in(job, wait_ms);
	else
		step(job);
}

static void on_pidfd(uv_poll_t *poll, int status, int events)
{
	(void)status;
	(void)events;
	on_ended(poll->data);
}

static void on_poll_timer(uv_timer_t *timer)
{
	on_ended(timer->data);
}

/* Kill what the leader left behind, look again until there is nothing. */
static void sweep(struct job *job)
{
	pid_t others[256];
	struct claw_proctree tree;
	siginfo_t info;

	get_tree(job, others, 256, &tree);

	unsigned int found = claw_proctree_is_alone(&tree) ? 0 :
		claw_proctree_signal(&tree, SIGKILL);

	if (job->sweeps++ == 0)
		job->result.stragglers_killed = found;
	if (!job->reaped) {
		kill(-job->pid, SIGKILL);
		read_status(job, 0, &info);
		job->reaped = true;
	}
	if (found && job->sweeps < SWEEPS_MAX) {
		step_in(job, SWEEP_MS);
		return;
	}
	stream_read(&job->out);
	stream_read(&job->err);
	close_job(job);
}

static void hear_signals(struct claw_runner *runner);

/* The step timer, or the reason for it, has come. */
static void step(struct job *job)
{
	siginfo_t info;

	switch (job->state) {
	case JOB_RUNNING:	/* the grace is over */
		signal_tree(job, SIGKILL);
		break;
	case JOB_DRAINING:
		if (was_told_to_end(job))
			hear_signals(job->runner);
		job->result.drain_expired = job->out.fd >= 0 ||
			job->err.fd >= 0;
		uv_timer_stop(&job->step_timer);
		if (job->spec.foreground && !job->timed_out) {
			/* What a program in the foreground leaves running
			 * is its own business. */
			read_status(job, 0, &info);
			job->reaped = true;
			close_job(job);
			break;
		}
		job->state = JOB_SWEEPING;
		sweep(job);
		break;
	case JOB_SWEEPING:
		sweep(job);
		break;
	case JOB_CLOSING:
		break;
	}
}

static void job_free(struct job *job)
{
	if (!job)
		return;
	if (job->out.file_fd >= 0)
		close(job->out.file_fd);
	if (job->err.file_fd >= 0)
		close(job->err.file_fd);
	claw_run_result_release(&job->result);
	free(job->case_id);
	free(job);
}

/* ---- starting -------------------------------------------------------- */

static const char *path_of(char *const *set_env)
{
	const char *path = getenv("PATH");

	for (; set_env && *set_env; set_env++)
		if (strncmp(*set_env, "PATH=", 5) == 0)
			path = *set_env + 5;
	return path ? path : "/usr/local/bin:/usr/bin:/bin";
}

static char *find_on(const char *path, const char *name, int *reterr)
{
	*reterr = ENOENT;
	if (!*name)
		return NULL;
	if (strchr(name, '/')) {
		struct stat status;

		if (stat(name, &status) == 0)
			return claw_strdup(name);
		*reterr = errno;
		return NULL;
	}
	for (const char *part = path; part;) {
		size_t length = strcspn(part, ":");
		char *full = NULL;
		struct stat status;

		full = claw_format("%.*s%s%s", (int)length, part,
				   length ? "/" : "./", name);
		if (stat(full, &status) == 0 && S_ISREG(status.st_mode)) {
			if (access(full, X_OK) == 0)
				return full;
			*reterr = EACCES;
		}
		free(full);
		part = part[length] ? part + length + 1 : NULL;
	}
	return NULL;
}

static int open_stdin(const struct claw_run_spec *spec)
{
	switch (spec->stdin_mode) {
	case CLAW_STDIN_EMPTY:
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	case CLAW_STDIN_FILE:
		return claw_outside_open(spec->stdin_path,
					 CLAW_OUTSIDE_INPUT, UINT64_MAX);
	case CLAW_STDIN_INHERIT:
		break;
	}
	return -1;
}

static void launch_release(struct launch *launch)
{
	free(launch->path);
	free(launch->environment);
	free(launch->shell_argv);
	free(launch->case_entry);
	if (launch->stdin_fd >= 0)
		close(launch->stdin_fd);
	if (launch->out_fd >= 0)
		close(launch->out_fd);
	if (launch->err_fd >= 0)
		close(launch->err_fd);
}

static void fill_shell_argv(struct launch *launch)
{
	size_t count = claw_list_count(launch->spec->argv);

	launch->shell_argv = claw_calloc(count + 2, sizeof(char *));
	launch->shell_argv[0] = (char *)"sh";
	launch->shell_argv[1] = launch->path;
	for (size_t i = 1; i < count; i++)
		launch->shell_argv[i + 1] = launch->spec->argv[i];
}

/* 0, or an errno with *ret_end saying what it means. */
static int launch_prepare(struct launch *launch, struct job *job,
			  enum claw_end *ret_end)
{
	const struct claw_run_spec *spec = &job->spec;
	int error = 0;

	*ret_end = CLAW_END_INFRA;
	launch->path = find_on(path_of(spec->set_env), spec->argv[0], &error);
	if (!launch->path) {
		*ret_end = error == ENOENT || error == ENOTDIR ?
			CLAW_END_NOT_FOUND : CLAW_END_NOT_EXECUTABLE;
		return error;
	}
	launch->case_entry = claw_format("OPENCLAW_CASE=%s", job->case_id);
	launch->environment = make_environment(spec->set_env,
					       launch->case_entry);
	fill_shell_argv(launch);
	launch->stdin_fd = open_stdin(spec);
	if (launch->stdin_fd < 0 && spec->stdin_mode != CLAW_STDIN_INHERIT)
		return errno;
	if (spec->foreground)
		return 0;
	error = stream_open(&job->out, job, STDOUT_FILENO, spec->stdout_path,
			    &launch->out_fd);
	if (!error && !spec->merge_stderr)
		error = stream_open(&job->err, job, STDERR_FILENO,
				    spec->stderr_path, &launch->err_fd);
	return error;
}

/* fork() and wait for the news that exec() worked. 0 or an errno. */
static int launch_fork(struct launch *launch, struct job *job,
		       enum claw_end *ret_end)
{
	struct start_error what;
	int ends[2];
	ssize_t got;

	*ret_end = CLAW_END_INFRA;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return errno;
	if (ends[1] < 3) {	/* our own stdio is closed: stay clear of it */
		int moved = fcntl(ends[1], F_DUPFD_CLOEXEC, 3);

		close(ends[1]);
		ends[1] = moved;
	}
	launch->error_fd = ends[1];
	launch->parent = getpid();
	job->result.start_mono_ns = claw_clock_mono_ns();
	job->pid = fork();
	if (job->pid == 0)
		become_program(launch);

	int error = job->pid < 0 ? errno : 0;

	close(ends[1]);
	do
		got = error ? 0 : read(ends[0], &what, sizeof(what));
	while (got < 0 && errno == EINTR);
	close(ends[0]);
	if (error || got != sizeof(what))
		return error;
	waitpid(job->pid, NULL, 0);
	job->pid = 0;
	*ret_end = what.end;
	return what.error;
}

static void watch(struct job *job)
{
	uv_loop_t *loop = &job->runner->loop;

	uv_timer_init(loop, &job->poll_timer);
	uv_timer_init(loop, &job->timeout_timer);
	uv_timer_init(loop, &job->step_timer);
	job->handles += 3;
	job->poll_timer.data = job;
	job->timeout_timer.data = job;
	job->step_timer.data = job;
#ifdef SYS_pidfd_open
	job->pidfd = (int)syscall(SYS_pidfd_open, job->pid, 0u);
#endif
	if (job->pidfd >= 0 &&
	    uv_poll_init(loop, &job->exit_poll, job->pidfd) == 0) {
		job->handles++;
		job->exit_poll.data = job;
		uv_poll_start(&job->exit_poll, UV_READABLE, on_pidfd);
	} else {
		uv_timer_start(&job->poll_timer, on_poll_timer, 0, POLL_MS);
	}
	if (job->spec.timeout_ms) {
		uv_update_time(loop);
		uv_timer_start(&job->timeout_timer, on_timeout,
			       job->spec.timeout_ms, 0);
	}
	stream_watch(&job->out);
	stream_watch(&job->err);
}

static void make_case_id(struct job *job)
{
	const char *outer = getenv("OPENCLAW_CASE");
	const char *own = job->spec.case_id;
	char made[64];

	if (!own) {
		snprintf(made, sizeof(made), "%d.%u.%" PRIu64, (int)getpid(),
			 job->runner->next_case++, claw_clock_mono_ns());
		own = made;
	}
	job->case_id = claw_format("%s%s%s", outer ? outer : "",
				   outer ? "/" : "", own);
}

static void start(struct job *job)
{
	struct launch launch = {
		.spec = &job->spec,
		.stdin_fd = -1, .out_fd = -1, .err_fd = -1, .error_fd = -1,
		.mask = job->runner->old_mask,
		.pipe_action = job->runner->old_pipe,
		.child_action = job->runner->old_child,
	};
	enum claw_end end = CLAW_END_INFRA;
	int error;

	make_case_id(job);
	error = launch_prepare(&launch, job, &end);
	if (!error)
		error = launch_fork(&launch, job, &end);
	launch_release(&launch);
	job->result.pid = job->pid;
	if (!error) {
		watch(job);
		if (job->spec.started)
			job->spec.started(job->pid, job->spec.started_user);
		return;
	}
	job->result.end = end;
	job->result.code = error;
	job->result.start_mono_ns = job->result.end_mono_ns = claw_clock_mono_ns();
	/* The poll handles are not initialised yet: only close the pipes. */
	if (job->out.fd >= 0)
		close(job->out.fd);
	if (job->err.fd >= 0)
		close(job->err.fd);
	job->out.fd = job->err.fd = -1;
	job->reaped = true;
	job->state = JOB_CLOSING;
}

/* ---- the runner ------------------------------------------------------ */

static void cancel_all(struct claw_runner *runner, int number)
{
	bool again = runner->cancel_signal != 0;

	runner->cancel_signal = number;
	for (struct job *job = runner->running; job; job = job->next) {
		if (was_told_to_end(job))
			job->result.end = CLAW_END_CANCELLED;
		if (job->state != JOB_RUNNING)
			continue;
		if (again) {
			signal_tree(job, SIGKILL);
			continue;
		}
		job->cancelled = !job->timed_out;
		terminate(job);
	}
}

static bool pass_to_foreground(struct claw_runner *runner,
			       const struct signalfd_siginfo *info)
{
	bool passed = false;

	for (struct job *job = runner->running; job; job = job->next) {
		if (!job->spec.foreground || job->state != JOB_RUNNING)
			continue;
		/* The terminal tells the whole group by itself. */
		if (info->ssi_code != SI_KERNEL)
			kill(job->pid, (int)info->ssi_signo);
		passed = true;
	}
	return passed;
}

static void hear_signals(struct claw_runner *runner)
{
	struct signalfd_siginfo info;

	while (read(runner->signal_fd, &info, sizeof(info)) == sizeof(info))
		if ((int)info.ssi_signo == runner->heard_signal)
			runner->heard(runner->heard_user);
		else if (!pass_to_foreground(runner, &info))
			cancel_all(runner, (int)info.ssi_signo);
}

static void on_signal(uv_poll_t *poll, int status, int events)
{
	(void)status;
	(void)events;
	hear_signals(poll->data);
}

static void on_tick(uv_timer_t *timer)
{
	struct claw_runner *runner = timer->data;

	if (runner->tick)
		runner->tick(runner->tick_user);
}

/* Give the result to its owner. The job is off the list already. */
static void finish(struct job *job)
{
	struct claw_run_result *result = &job->result;

	result->duration_us =
		(result->end_mono_ns - result->start_mono_ns) / 1000;
	claw_capture_writer_finish(&job->out.writer, &result->out);
	claw_capture_writer_finish(&job->err.writer, &result->err);
	if (job->out.file_fd >= 0)
		close(job->out.file_fd);
	if (job->err.file_fd >= 0)
		close(job->err.file_fd);
	job->out.file_fd = job->err.file_fd = -1;
	if (job->done)
		job->done(result, job->user);
	job_free(job);
}

static void finish_closed(struct claw_runner *runner)
{
	for (struct job **link = &runner->running; *link;) {
		struct job *job = *link;

		if (job->state != JOB_CLOSING || job->handles > 0) {
			link = &job->next;
			continue;
		}
		*link = job->next;
		runner->running_count--;
		finish(job);
		link = &runner->running;	/* done() may have changed it */
	}
}

static void start_queued(struct claw_runner *runner)
{
	while (runner->queue && (runner->cancel_signal ||
				 runner->running_count < runner->jobs)) {
		struct job *job = runner->queue;

		runner->queue = job->next;
		if (!runner->queue)
			runner->queue_end = &runner->queue;
		if (runner->cancel_signal) {
			job->result.end = CLAW_END_CANCELLED;
			job->result.code = runner->cancel_signal;
			finish(job);
			continue;
		}
		job->next = runner->running;
		runner->running = job;
		runner->running_count++;
		start(job);
	}
}

static void take_signals(struct claw_runner *runner)
{
	claw_interrupt_signals(&runner->taken);
	sigprocmask(SIG_BLOCK, &runner->taken, &runner->old_mask);
	runner->cancel_signal = claw_interrupt_take();
	sigaction(SIGPIPE, &(struct sigaction) { .sa_handler = SIG_IGN },
		  &runner->old_pipe);
	/* Who ignores SIGCHLD has no status to wait for. */
	sigaction(SIGCHLD, &(struct sigaction) { .sa_handler = SIG_DFL },
		  &runner->old_child);
}

static void on_runner_handle_closed(uv_handle_t *handle)
{
	(void)handle;
}

struct claw_runner *claw_runner_new(unsigned int jobs)
{
	struct claw_runner *runner = claw_calloc(1, sizeof(*runner));

	if (uv_loop_init(&runner->loop) < 0) {
		free(runner);
		return NULL;
	}
	runner->jobs = jobs ? jobs : 1;
	runner->queue_end = &runner->queue;
	prctl(PR_GET_CHILD_SUBREAPER, &runner->was_subreaper);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	take_signals(runner);
	uv_timer_init(&runner->loop, &runner->tick_timer);
	runner->tick_timer.data = runner;
	runner->signal_fd = signalfd(-1, &runner->taken,
				     SFD_CLOEXEC | SFD_NONBLOCK);
	if (runner->signal_fd < 0 ||
	    uv_poll_init(&runner->loop, &runner->signal_poll,
			 runner->signal_fd) < 0) {
		claw_runner_free(runner);
		return NULL;
	}
	runner->signal_poll.data = runner;
	uv_poll_start(&runner->signal_poll, UV_READABLE, on_signal);
	return runner;
}

void claw_runner_free(struct claw_runner *runner)
{
	if (!runner)
		return;
	while (runner->queue) {
		struct job *job = runner->queue;

		runner->queue = job->next;
		job_free(job);
	}
	uv_close((uv_handle_t *)&runner->tick_timer, on_runner_handle_closed);
	if (runner->signal_poll.type != UV_UNKNOWN_HANDLE)
		uv_close((uv_handle_t *)&runner->signal_poll,
			 on_runner_handle_closed);
	uv_run(&runner->loop, UV_RUN_DEFAULT);
	uv_loop_close(&runner->loop);
	if (runner->signal_fd >= 0)
		close(runner->signal_fd);
	prctl(PR_SET_CHILD_SUBREAPER, runner->was_subreaper);
	sigaction(SIGPIPE, &runner->old_pipe, NULL);
	sigaction(SIGCHLD, &runner->old_child, NULL);
	sigprocmask(SIG_SETMASK, &runner->old_mask, NULL);
	free(runner);
}

void claw_runner_add(struct claw_runner *runner,
		     const struct claw_run_spec *spec, claw_run_done *done,
		     void *user)
{
	struct job *job = claw_calloc(1, sizeof(*job));

	job->runner = runner;
	job->spec = *spec;
	job->done = done;
	job->user = user;
	job->pidfd = -1;
	job->out = (struct stream) { .job = job, .fd = -1, .tee_fd = -1,
				     .file_fd = -1 };
	job->err = job->out;
	*runner->queue_end = job;
	runner->queue_end = &job->next;
}

void claw_runner_set_tick(struct claw_runner *runner, uint64_t interval_ms,
			  void (*tick)(void *user), void *user)
{
	runner->tick_ms = interval_ms;
	runner->tick = tick;
	runner->tick_user = user;
}

int claw_runner_on_signal(struct claw_runner *runner, int number,
			  void (*heard)(void *user), void *user)
{
	sigaddset(&runner->taken, number);
	if (signalfd(runner->signal_fd, &runner->taken, 0) < 0)
		return -CLAW_E_IO;
	/* What programs are started with was kept before. */
	sigprocmask(SIG_BLOCK, &runner->taken, NULL);
	runner->heard_signal = number;
	runner->heard = heard;
	runner->heard_user = user;
	return 0;
}

int claw_runner_run(struct claw_runner *runner)
{
	uv_update_time(&runner->loop);
	if (runner->tick && runner->tick_ms)
		uv_timer_start(&runner->tick_timer, on_tick, runner->tick_ms,
			       runner->tick_ms);
	/* A signal that came between two runs. */
	uv_run(&runner->loop, UV_RUN_NOWAIT);
	for (;;) {
		start_queued(runner);
		finish_closed(runner);
		if (!runner->queue && !runner->running)
			break;
		if (runner->queue && (runner->cancel_signal ||
				      runner->running_count < runner->jobs))
			continue;
		uv_run(&runner->loop, UV_RUN_ONCE);
	}
	uv_timer_stop(&runner->tick_timer);
	return runner->cancel_signal;
}

static void keep_result(struct claw_run_result *result, void *user)
{
	struct claw_run_result *kept = user;

	*kept = *result;
	*result = (struct claw_run_result) { .end = CLAW_END_EXIT };
}

int claw_runner_run_one(struct claw_runner *runner,
			const struct claw_run_spec *spec,
			struct claw_run_result *ret_result)
{
	claw_runner_add(runner, spec, keep_result, ret_result);
	return claw_runner_run(runner);
}

int claw_run_once(const struct claw_run_spec *spec,
		  struct claw_run_result *ret_result)
{
	struct claw_runner *runner = claw_runner_new(1);
	int error;

	if (!runner)
		return -CLAW_E_SPAWN;
	error = claw_runner_run_one(runner, spec, ret_result);
	claw_runner_free(runner);
	return error;
}

void claw_run_result_release(struct claw_run_result *result)
{
	claw_capture_release(&result->out);
	claw_capture_release(&result->err);
	free(result->stacks);
	result->stacks = NULL;
}

bool claw_runner_left_processes(void)
{
	siginfo_t info;
	int ret;

	do {
		info.si_pid = 0;
		ret = waitid(P_ALL, 0, &info, WEXITED | WNOHANG);
	} while (ret == 0 && info.si_pid != 0);
	return ret == 0;
}

char *claw_program_find(const char *name, int *reterr)
{
	return find_on(path_of(NULL), name, reterr);
}

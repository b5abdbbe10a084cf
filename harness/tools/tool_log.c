/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A named pipe and a thread that empties it. The thread holds no end for
 * writing: poll() then says POLLHUP once somebody has opened the pipe and
 * closed it again, and a pipe opened anew forgets that.
 */
#include "config.h"

#include "tool_log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

struct claw_tool_log {
	char *file, *pipe;
	int in, out, stop;	/* descriptors; -1: none */
	pthread_t thread;
	bool is_running;
	bool is_damaged;
};

/* ---- the thread -------------------------------------------------------- */

static void open_file(struct claw_tool_log *log)
{
	if (log->out >= 0)
		return;
	log->out = open(log->file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			0666);
	if (log->out < 0)
		log->is_damaged = true;
}

static void write_all(struct claw_tool_log *log, const char *bytes,
		      size_t size)
{
	while (size > 0 && !log->is_damaged) {
		ssize_t written = write(log->out, bytes, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			log->is_damaged = true;
			return;
		}
		bytes += written;
		size -= (size_t)written;
	}
}

/* Take what is in the pipe now. False: nobody has it open any more. */
static bool empty_pipe(struct claw_tool_log *log)
{
	char bytes[4096];
	ssize_t size;

	for (;;) {
		size = read(log->in, bytes, sizeof(bytes));
		if (size < 0 && errno == EINTR)
			continue;
		if (size <= 0)
			return size < 0;
		open_file(log);
		write_all(log, bytes, (size_t)size);
	}
}

/* What the next process writes before the old end is closed stays in it. */
static bool open_again(struct claw_tool_log *log)
{
	int in = open(log->pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (in < 0) {
		log->is_damaged = true;
		return false;
	}
	close(log->in);
	log->in = in;
	return true;
}

static void *gather(void *user)
{
	struct claw_tool_log *log = user;
	struct pollfd ends[2] = { { .events = POLLIN },
				  { .fd = log->stop, .events = POLLIN } };

	for (;;) {
		ends[0].fd = log->in;
		if (poll(ends, 2, -1) < 0)
			continue;
		if (ends[0].revents & POLLHUP)
			open_file(log);
		if (!empty_pipe(log) && (ends[0].revents & POLLHUP) &&
		    !open_again(log))
			return NULL;
		if (ends[1].revents)
			return NULL;
	}
}

/* ---- the log ----------------------------------------------------------- */

static int start_thread(struct claw_tool_log *log)
{
	sigset_t all, before;
	int error;

	/* Signals are for the thread that runs the cases. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&log->thread, NULL, gather, log);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	log->is_running = error == 0;
	errno = error;
	return error ? -CLAW_E_IO : 0;
}

static int open_pipe(struct claw_tool_log *log)
{
	unlink(log->pipe);
	if (mkfifo(log->pipe, 0666) < 0)
		return -CLAW_E_IO;
	log->in = open(log->pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	log->stop = eventfd(0, EFD_CLOEXEC);
	return log->in < 0 || log->stop < 0 ? -CLAW_E_IO : start_thread(log);
}

int claw_tool_log_new(const char *path, struct claw_tool_log **ret_log)
{
	struct claw_tool_log *log = claw_calloc(1, sizeof(*log));
	int ret, error;

	log->in = log->out = log->stop = -1;
	log->file = claw_strdup(path);
	log->pipe = claw_format("%s.pipe", path);
	ret = open_pipe(log);
	if (ret < 0) {
		error = errno;
		claw_tool_log_free(log);
		errno = error;
		return ret;
	}
	*ret_log = log;
	return 0;
}

const char *claw_tool_log_path(const struct claw_tool_log *log)
{
	return log->pipe;
}

int claw_tool_log_end(struct claw_tool_log *log)
{
	if (log->is_running) {
		if (eventfd_write(log->stop, 1) < 0)
			log->is_damaged = true;
		pthread_join(log->thread, NULL);
		log->is_running = false;
		unlink(log->pipe);
		if (log->out >= 0 && close(log->out) < 0)
			log->is_damaged = true;
		log->out = -1;
	}
	return log->is_damaged ? -CLAW_E_DAMAGED : 0;
}

void claw_tool_log_free(struct claw_tool_log *log)
{
	if (!log)
		return;
	claw_tool_log_end(log);
	if (log->in >= 0)
		close(log->in);
	if (log->stop >= 0)
		close(log->stop);
	free(log->file);
	free(log->pipe);
	free(log);
}

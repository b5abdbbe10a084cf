/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that looks at the processes of a run. */
#include "config.h"

#include "unseen.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "faults/shared/clock.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/process/processes.h"
#include "harness/base/text.h"

enum {
	GENERATIONS_MAX = 32,
	LOOK_NS = 10 * 1000 * 1000,
	COST_SHARE = 20,	/* of a core, at most one part in that many */
};

struct claw_unseen {
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t ended;
	bool is_over;
	int pid;
	char *text;		/* of the first that was found */
};

/* Where OpenCL's loader is mapped without a layer of ours; 0: it is not. */
static unsigned long find_bare_opencl(long pid)
{
	unsigned long loader = 0;
	bool has_layer = false;
	char path[64], line[PATH_MAX + 128];
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%ld/maps", pid);
	in = claw_outside_fopen(path);
	while (in && fgets(line, sizeof(line), in)) {
		const char *name = claw_base_name(line);

		if (!loader && (claw_begins(name, "libOpenCL.so") ||
				claw_begins(name, "libOpenCL-")))
			loader = strtoul(line, NULL, 16);
		has_layer = has_layer ||
			claw_begins(name, "libopenclaw-layer.so");
	}
	if (in)
		fclose(in);
	return has_layer ? 0 : loader;
}

static bool lacks_session(long pid)
{
	bool is_readable = false;
	char *session = claw_process_variable(pid, "OPENCLAW_SESSION",
					      &is_readable);

	free(session);
	return is_readable && !session;
}

static bool look(long pid, void *user)
{
	struct claw_unseen *unseen = user;
	char path[64], program[PATH_MAX];
	unsigned long loader;
	ssize_t length;

	/*
	 * The environment of a process that is in an exec, or that ends, is
	 * empty. It counts where the same program was there before and after.
	 */
	if (!lacks_session(pid))
		return true;
	loader = find_bare_opencl(pid);
	if (!loader || !lacks_session(pid) || find_bare_opencl(pid) != loader)
		return true;
	snprintf(path, sizeof(path), "/proc/%ld/exe", pid);
	length = readlink(path, program, sizeof(program) - 1);
	program[length > 0 ? length : 0] = '\0';
	unseen->text =
		claw_format("%s (process %ld) uses OpenCL but was started "
			    "without the session's environment, so without "
			    "the layer",
			    length > 0 ? program : "a program", pid);
	return false;
}

/*
 * What this thread has cost. What a look takes on the clock may be the work of
 * others, and a longer pause for it would miss programs on a busy machine.
 */
static uint64_t cost_ns(void)
{
	return claw_clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void *watch(void *user)
{
	struct claw_unseen *unseen = user;

	pthread_mutex_lock(&unseen->mutex);
	while (!unseen->is_over && !unseen->text) {
		uint64_t start = cost_ns(), pause_ns, until;
		struct timespec when;

		pthread_mutex_unlock(&unseen->mutex);
		claw_processes_walk(unseen->pid, GENERATIONS_MAX, look, unseen);
		pause_ns = (cost_ns() - start) * COST_SHARE;
		until = claw_clock_mono_ns() +
			(pause_ns > LOOK_NS ? pause_ns : LOOK_NS);
		when = (struct timespec) {
			.tv_sec = (time_t)(until / 1000000000u),
			.tv_nsec = (long)(until % 1000000000u),
		};
		pthread_mutex_lock(&unseen->mutex);
		if (!unseen->is_over)
			pthread_cond_clockwait(&unseen->ended, &unseen->mutex,
					       CLOCK_MONOTONIC, &when);
	}
	pthread_mutex_unlock(&unseen->mutex);
	return NULL;
}

void claw_unseen_begin(int pid, void *user)
{
	struct claw_unseen **ret_unseen = user;
	struct claw_unseen *unseen = claw_calloc(1, sizeof(*unseen));
	sigset_t all, before;
	int error;

	*ret_unseen = unseen;
	unseen->pid = pid;
	pthread_mutex_init(&unseen->mutex, NULL);
	pthread_cond_init(&unseen->ended, NULL);
	/* Signals are for the thread that runs the programs. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&unseen->thread, NULL, watch, unseen);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!error)
		return;
	free(unseen);
	*ret_unseen = NULL;
}

char *claw_unseen_end(struct claw_unseen *unseen)
{
	char *text;

	if (!unseen)
		return NULL;
	pthread_mutex_lock(&unseen->mutex);
	unseen->is_over = true;
	pthread_cond_signal(&unseen->ended);
	pthread_mutex_unlock(&unseen->mutex);
	pthread_join(unseen->thread, NULL);
	text = unseen->text;
	pthread_cond_destroy(&unseen->ended);
	pthread_mutex_destroy(&unseen->mutex);
	free(unseen);
	return text;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Fork, have the work done, and read what it says. */
#include "config.h"

#include "errand.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/shared/clock.h"
#include "errors.h"
#include "memory.h"

enum { ANSWER_MAX = 1 << 20 };

static _Noreturn void do_work(int fd, claw_errand_work *work, void *user)
{
	FILE *out;
	int ret;

	claw_memory_in_child();
	out = claw_made(fdopen(fd, "w"));
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	ret = work(out, user);
	/* The last byte says that it is whole. */
	if (ret == 0)
		fputc('\0', out);
	if (fflush(out) != 0)
		ret = -CLAW_E_IO;
	_exit(ret == 0 ? 0 : 1);
}

int claw_errand_start(struct claw_errand *errand, claw_errand_work *work,
		      void *user)
{
	int ends[2];

	*errand = (struct claw_errand){ .fd = -1 };
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -CLAW_E_SPAWN;
	fflush(NULL);
	errand->pid = fork();
	if (errand->pid == 0) {
		close(ends[0]);
		do_work(ends[1], work, user);
	}
	close(ends[1]);
	if (errand->pid < 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0) {
		close(ends[0]);
		errand->pid = 0;
		return -CLAW_E_SPAWN;
	}
	errand->fd = ends[0];
	return 0;
}

/* Somebody else may have reaped it. */
static void finish(struct claw_errand *errand)
{
	while (waitpid(errand->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(errand->fd);
	errand->pid = 0;
	errand->fd = -1;
}

/* false: more may come. */
static bool read_all(struct claw_errand *errand)
{
	char bytes[4096];
	ssize_t got;

	while ((got = read(errand->fd, bytes, sizeof(bytes))) != 0) {
		char *larger;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno != EAGAIN;
		if (errand->size + (size_t)got > ANSWER_MAX)
			return true;
		larger = claw_grow(errand->text,
				   errand->size + (size_t)got + 1, 1);
		memcpy(larger + errand->size, bytes, (size_t)got);
		errand->text = larger;
		errand->size += (size_t)got;
	}
	return true;
}

bool claw_errand_poll(struct claw_errand *errand, int wait_ms, char **ret_text)
{
	int64_t until = (int64_t)claw_clock_mono_ms() + wait_ms;
	bool over = read_all(errand);

	while (!over && (int64_t)claw_clock_mono_ms() < until) {
		struct pollfd one = { .fd = errand->fd, .events = POLLIN };

		poll(&one, 1, (int)(until - (int64_t)claw_clock_mono_ms()));
		over = read_all(errand);
	}
	if (!over)
		return false;
	*ret_text = NULL;
	if (errand->size && errand->text[errand->size - 1] == '\0') {
		*ret_text = errand->text;
		errand->text = NULL;
	}
	claw_errand_cancel(errand);
	return true;
}

void claw_errand_cancel(struct claw_errand *errand)
{
	if (errand->pid <= 0)
		return;
	kill(errand->pid, SIGKILL);
	finish(errand);
	free(errand->text);
	errand->text = NULL;
	errand->size = 0;
}

char *claw_errand_run(claw_errand_work *work, void *user, int wait_ms)
{
	struct claw_errand errand;
	char *text = NULL;

	if (claw_errand_start(&errand, work, user) < 0)
		return NULL;
	if (!claw_errand_poll(&errand, wait_ms, &text))
		claw_errand_cancel(&errand);
	return text;
}

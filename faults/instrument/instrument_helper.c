/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run openclaw-instrument, unseen by the program: no SIGCHLD comes, no wait()
 * of the program's meets it, no descriptor of the program's is open in it, and
 * nothing of ours is loaded into it.
 */
#include "config.h"

#include "instrument_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	OUT_MAX = 1 << 20,
	STACK_BYTES = 256 << 10,
	TIMEOUT_MS = 120000,
};

/* Variables that would lead the helper to us, or its compiler astray. */
static const char *const left_out[] = {
	"LD_PRELOAD=", "OPENCL_LAYERS=", "OPENCLAW_", "OCL_ICD_", "CPATH=",
	"C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH=", "OBJC_INCLUDE_PATH=",
	"CCC_OVERRIDE_OPTIONS=",
};

extern char **environ;

static bool is_left_out(const char *variable)
{
	for (unsigned int i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
		if (!strncmp(variable, left_out[i], strlen(left_out[i])))
			return true;
	return false;
}

/* The strings are the program's own; the caller frees the list. */
static char **make_environment(void)
{
	size_t count = 0, kept = 0;
	char **made;

	while (environ && environ[count])
		count++;
	made = malloc((count + 1) * sizeof(*made));
	for (size_t i = 0; made && i < count; i++)
		if (!is_left_out(environ[i]))
			made[kept++] = environ[i];
	if (made)
		made[kept] = NULL;
	return made;
}

struct start {
	char *const *words;
	char **environment;
	int out;			/* its standard output */
};

/* In the child, in our memory: nothing may be changed there. */
static int child(void *data)
{
	const struct start *start = data;
	struct sigaction plain;
	sigset_t none;
	/* The program may have closed its standard ones. */
	int null = fcntl(open("/dev/null", O_RDWR), F_DUPFD, 3);
	int out = fcntl(start->out, F_DUPFD, 3);

	memset(&plain, 0, sizeof(plain));
	plain.sa_handler = SIG_DFL;
	for (int i = 1; i < NSIG; i++)
		sigaction(i, &plain, NULL);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		_exit(127);
#ifdef SYS_close_range
	syscall(SYS_close_range, 3u, ~0u, 0u);
#endif
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(start->words[0], start->words, start->environment);
	_exit(127);
}

/* The helper's process, or -1. */
static pid_t begin(struct start *start)
{
	void *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	sigset_t all, before;
	pid_t pid;

	if (stack == MAP_FAILED)
		return -1;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	/* No signal at its end, so that it is nobody's child but ours. */
	pid = clone(child, (char *)stack + STACK_BYTES, CLONE_VM | CLONE_VFORK,
		    start);
	sigprocmask(SIG_SETMASK, &before, NULL);
	munmap(stack, STACK_BYTES);
	return pid;
}

/* False: it takes too long. What there is no room for is not kept. */
static bool read_all(int fd, struct claw_text *text)
{
	uint64_t end_ns = claw_now_ns() + (uint64_t)TIMEOUT_MS * 1000000;
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	char spare[4096];

	for (;;) {
		size_t room = OUT_MAX - text->length;
		uint64_t now_ns = claw_now_ns();
		ssize_t n;

		if (now_ns >= end_ns)
			return false;
		if (poll(&wait, 1, (int)((end_ns - now_ns) / 1000000) + 1) < 1)
			continue;
		n = room ? read(fd, text->bytes + text->length, room) :
			read(fd, spare, sizeof(spare));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return true;
		if (room)
			text->length += (size_t)n;
	}
}

static int wait_for(pid_t pid, bool has_ended)
{
	int status = 0;
	pid_t got;

	if (!has_ended)
		kill(pid, SIGKILL);
	do {
		got = waitpid(pid, &status, __WALL);
	} while (got < 0 && errno == EINTR);
	return has_ended && got == pid && WIFEXITED(status) ?
		WEXITSTATUS(status) : -1;
}

int claw_helper_run(char *const *words, struct claw_text *ret_out)
{
	struct start start = { .words = words };
	int pipes[2], status = -1;
	pid_t pid;

	ret_out->length = 0;
	ret_out->bytes = malloc(OUT_MAX + 1);
	start.environment = make_environment();
	if (ret_out->bytes && start.environment &&
	    pipe2(pipes, O_CLOEXEC) == 0) {
		start.out = pipes[1];
		pid = begin(&start);
		close(pipes[1]);
		if (pid > 0)
			status = wait_for(pid, read_all(pipes[0], ret_out));
		close(pipes[0]);
	}
	free(start.environment);
	if (ret_out->bytes)
		ret_out->bytes[ret_out->length] = '\0';
	return status == 127 ? -1 : status;
}

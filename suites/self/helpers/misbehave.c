/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that behaves badly on request, for the tests of the runner. The
 * first argument says how; see the table at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static _Noreturn void sleep_for_ever(void)
{
	for (;;)
		pause();
}

static void write_pid(const char *path)
{
	FILE *file = path ? fopen(path, "w") : NULL;

	if (!file)
		return;
	fprintf(file, "%d\n", (int)getpid());
	fclose(file);
}

static void detach_output(void)
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	close(null);
}

static int do_exit(char **args)
{
	return args[0] ? (int)strtol(args[0], NULL, 10) : 0;
}

static int do_sleep(char **args)
{
	(void)args;
	sleep_for_ever();
}

static int do_ignore_term(char **args)
{
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	puts("ready");
	fflush(stdout);
	write_pid(args[0]);
	sleep_for_ever();
}

static int do_kill_self(char **args)
{
	raise(args[0] ? (int)strtol(args[0], NULL, 10) : SIGSEGV);
	return 1;
}

static int do_stop_then_exit(char **args)
{
	pid_t pid = getpid();
	pid_t helper = fork();

	(void)args;
	if (helper == 0) {
		usleep(300000);
		kill(pid, SIGCONT);
		_exit(0);
	}
	raise(SIGSTOP);
	return 7;
}

/* The parent ends at once, a grandchild in a session of its own stays. */
static int do_double_fork(char **args)
{
	int ready[2];
	pid_t child;
	char byte;

	if (pipe(ready) < 0)
		return 1;
	child = fork();
	if (child == 0) {
		setsid();
		if (fork() == 0) {
			signal(SIGTERM, SIG_IGN);
			detach_output();
			write_pid(args[0]);
			close(ready[0]);
			close(ready[1]);
			sleep_for_ever();
		}
		_exit(0);
	}
	close(ready[1]);
	waitpid(child, NULL, 0);	/* else it may be there still, and count */
	return read(ready[0], &byte, 1) == 0 ? 0 : 1;
}

/* As double-fork, and the environment is gone as well. */
static int do_clear_env(char **args)
{
	char *const argv[] = { (char *)"misbehave", (char *)"double-fork",
			       args[0], NULL };
	static char *none[] = { NULL };

	execve("/proc/self/exe", argv, none);
	return errno;
}

/* The parent ends, a child keeps stdout open in a session of its own. */
static int do_keep_pipe(char **args)
{
	int ready[2];
	char byte;

	if (pipe(ready) < 0)
		return 1;
	fputs("parent\n", stdout);
	fflush(stdout);
	if (fork() == 0) {
		setsid();
		write_pid(args[0]);
		close(ready[0]);
		close(ready[1]);
		sleep_for_ever();
	}
	close(ready[1]);
	return read(ready[0], &byte, 1) == 0 ? 0 : 1;
}

static int do_flood(char **args)
{
	unsigned long long left = strtoull(args[0], NULL, 10);
	char line[1024];

	memset(line, 'x', sizeof(line));
	fputs("first\n", stdout);
	fflush(stdout);
	while (left > 0) {
		size_t part = left < sizeof(line) ? (size_t)left : sizeof(line);

		if (write(1, line, part) != (ssize_t)part)
			return 1;
		left -= part;
	}
	fputs("\nlast\n", stdout);
	return 0;
}

static int do_nul(char **args)
{
	(void)args;
	return fwrite("a\0b\0\n", 1, 5, stdout) == 5 ? 0 : 1;
}

static int do_cat(char **args)
{
	char bytes[4096];
	size_t size;

	(void)args;
	while ((size = fread(bytes, 1, sizeof(bytes), stdin)) > 0)
		fwrite(bytes, 1, size, stdout);
	return 0;
}

static int do_env(char **args)
{
	const char *value = getenv(args[0]);

	puts(value ? value : "(unset)");
	return 0;
}

static int do_both(char **args)
{
	(void)args;
	fputs("to stdout\n", stdout);
	fputs("to stderr\n", stderr);
	return 0;
}

/* Names the descriptors from 3 on that are open. */
static int do_fds(char **args)
{
	(void)args;
	for (int fd = 3; fd < 64; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("%d\n", fd);
	return 0;
}

static int do_spin(char **args)
{
	volatile unsigned long long turns = 0;

	while (!args[0] || turns != 0)
		turns++;
	return 0;
}

/* So many milliseconds of a processor. */
static int do_busy(char **args)
{
	clock_t end = clock() + atoi(args[0]) * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		;
	return 0;
}

static const struct mode {
	const char *name;
	int (*run)(char **args);
} modes[] = {
	{ "exit", do_exit },
	{ "sleep", do_sleep },
	{ "spin", do_spin },
	{ "busy", do_busy },
	{ "ignore-term", do_ignore_term },
	{ "kill-self", do_kill_self },
	{ "stop-then-exit", do_stop_then_exit },
	{ "double-fork", do_double_fork },
	{ "clear-env", do_clear_env },
	{ "keep-pipe", do_keep_pipe },
	{ "flood", do_flood },
	{ "nul", do_nul },
	{ "cat", do_cat },
	{ "env", do_env },
	{ "both", do_both },
	{ "fds", do_fds },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(modes[0]);
	     i++)
		if (strcmp(argv[1], modes[i].name) == 0)
			return modes[i].run(argv + 2);
	fprintf(stderr, "misbehave: unknown mode\n");
	return 64;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read the stacks of a hanging process. libdwfl attaches to each thread,
 * unwinds by the modules' own unwind tables (no debug information needed) and
 * lets go again. An interval timer breaks the wait for a thread that cannot
 * be stopped because it sleeps in the kernel.
 */
#include "config.h"

#include "stacks.h"

#include <dirent.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "dwfl_lines.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "symbolize.h"
#include "harness/base/text.h"

enum {
	FRAMES_MAX = 48,
	THREADS_MAX = 256,
	SECONDS_MAX = 10,
	LET_GO_TRIES = 100,	/* a millisecond each */
};

struct dump {
	FILE *out;
	Dwfl *dwfl;
	unsigned int threads, frames;
};

static volatile sig_atomic_t out_of_time;

static void on_alarm(int number)
{
	(void)number;
	out_of_time = 1;
}

static int print_frame(Dwfl_Frame *frame, void *user)
{
	struct dump *dump = user;
	bool is_activation;
	Dwarf_Addr pc;

	if (out_of_time || dump->frames >= FRAMES_MAX ||
	    !dwfl_frame_pc(frame, &pc, &is_activation))
		return DWARF_CB_ABORT;

	/* A return address is behind its call. */
	Dwarf_Addr at = is_activation || pc == 0 ? pc : pc - 1;
	Dwfl_Module *module = dwfl_addrmodule(dump->dwfl, at);
	char *plain, *name = NULL;
	const char *path = "?", *symbol = NULL, *file = NULL;
	Dwarf_Addr low = 0;
	int line = 0;

	if (module) {
		path = dwfl_module_info(module, NULL, &low, NULL, NULL, NULL,
					NULL, NULL);
		symbol = dwfl_module_addrname(module, at);
		file = claw_dwfl_line(module, at, &line);
	}
	if (symbol)
		name = claw_strdup(symbol);
	if (name)
		claw_symbol_cut(name);
	plain = claw_symbol_demangle(name);
	fprintf(dump->out, "    #%-2u %s", dump->frames++, plain ? plain :
		name ? name : "??");
	free(plain);
	free(name);
	if (file)
		fprintf(dump->out, " at %s:%d", file, line);
	fprintf(dump->out, " (%s+0x%" PRIx64 ")\n",
		claw_base_name(path ? path : "?"), (uint64_t)(pc - low));
	return DWARF_CB_OK;
}

static void print_name(struct dump *dump, pid_t tid)
{
	char path[64], name[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)tid);
	file = claw_outside_fopen(path);
	if (file) {
		if (fgets(name, sizeof(name), file))
			name[strcspn(name, "\n")] = '\0';
		fclose(file);
	}
	fprintf(dump->out, "  thread %d%s%s\n", (int)tid, *name ? " " : "",
		name);
}

static int print_thread(Dwfl_Thread *thread, void *user)
{
	struct dump *dump = user;

	if (out_of_time || dump->threads >= THREADS_MAX)
		return DWARF_CB_ABORT;
	dump->threads++;
	dump->frames = 0;
	print_name(dump, dwfl_thread_tid(thread));
	if (dwfl_thread_getframes(thread, print_frame, dump) != 0 &&
	    dump->frames == 0)
		fprintf(dump->out, "    (no frames: %s)\n", dwfl_errmsg(-1));
	return DWARF_CB_OK;
}

/*
 * A thread that ends while it is looked at stays a zombie until we, its
 * tracer, have waited for it, and with it the whole process stays. One that
 * libdwfl could not let go is let go here. The first thread is the process:
 * it is the runner's to wait for.
 */
static void let_go(pid_t pid)
{
	static const struct timespec pause = { .tv_nsec = 1000 * 1000 };
	char path[64];
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	for (struct dirent *task; tasks && (task = readdir(tasks));) {
		pid_t tid = (pid_t)strtol(task->d_name, NULL, 10);

		/* Until it is reaped, or is none of ours. */
		for (int tries = 0; tid > 0 && tid != pid &&
		     tries < LET_GO_TRIES; tries++) {
			int state = 0;
			pid_t ret = waitpid(tid, &state, __WALL | WNOHANG);

			if (ret < 0 || (ret > 0 && !WIFSTOPPED(state)))
				break;
			ptrace(PTRACE_DETACH, tid, NULL, NULL);
			nanosleep(&pause, NULL);
		}
	}
	if (tasks)
		closedir(tasks);
}

static void print_process(FILE *out, pid_t pid)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
	};
	struct dump dump = { .out = out, .dwfl = dwfl_begin(&callbacks) };
	int error = 0;

	fprintf(out, "process %d\n", (int)pid);
	if (!dump.dwfl) {
		fprintf(out, "  (not available: %s)\n", dwfl_errmsg(-1));
		return;
	}
	error = dwfl_linux_proc_report(dump.dwfl, pid);
	if (error == 0 && dwfl_report_end(dump.dwfl, NULL, NULL) == 0)
		error = dwfl_linux_proc_attach(dump.dwfl, pid, false);
	if (error != 0)
		fprintf(out, "  (not available: %s)\n",
			error > 0 ? strerror(error) : dwfl_errmsg(-1));
	else if (dwfl_getthreads(dump.dwfl, print_thread, &dump) < 0)
		fprintf(out, "  (not available: %s)\n", dwfl_errmsg(-1));
	dwfl_end(dump.dwfl);
	let_go(pid);
}

char *claw_stacks_text(const pid_t *pids, size_t count)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = claw_text_begin(&text, &size);
	struct sigaction old_action;
	struct itimerval old_timer, timer = {
		.it_value.tv_sec = SECONDS_MAX,
		.it_interval.tv_sec = 1,
	};

	out_of_time = 0;
	sigaction(SIGALRM, &(struct sigaction) { .sa_handler = on_alarm },
		  &old_action);
	setitimer(ITIMER_REAL, &timer, &old_timer);
	for (size_t i = 0; i < count && !out_of_time; i++)
		print_process(out, pids[i]);
	if (out_of_time)
		fputs("(no more: the time for reading stacks is over)\n", out);
	setitimer(ITIMER_REAL, &old_timer, NULL);
	sigaction(SIGALRM, &old_action, NULL);
	claw_text_end(out);
	return text;
}

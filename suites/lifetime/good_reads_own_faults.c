/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that has a handler of SIGSEGV of its own, before its first read
 * and after it, for pages that it closes itself: the handler is called for
 * those, and the program sees the one that it has set. Then it forks while a
 * read is pending, protects the memory of another and moves that of a third,
 * and one fails.
 * Options: --early-loads
 */
#define _GNU_SOURCE
#include "lifetime.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 65536 };	/* as large as pages are */

static sigjmp_buf back;
static volatile sig_atomic_t caught;
static char *closed;

static void on_first(int number)
{
	(void)number;
	caught = 1;
	siglongjmp(back, 1);
}

static void on_second(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	caught = info->si_addr == closed ? 2 : 3;
	siglongjmp(back, 1);
}

static void touch_closed(int expected)
{
	caught = 0;
	if (!sigsetjmp(back, 1))
		*(volatile char *)closed = 1;
	expect(caught, expected);
}

static char *new_memory(size_t bytes)
{
	char *memory = (char *)mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	need(memory != (char *)MAP_FAILED, "memory");
	return memory;
}

static cl_event start(const struct setup *cl, cl_mem mem, void *values)
{
	cl_event gate = new_gate(cl);

	must(clEnqueueReadBuffer(cl->queue, mem, CL_FALSE, 0, LARGE, values, 1,
				 &gate, NULL));
	return gate;
}

static void end(const struct setup *cl, cl_event gate, const char *values)
{
	open_gate(gate);
	must(clFinish(cl->queue));
	expect(values[0], 1);
	expect(values[LARGE / 2], 1);
}

static void handle_faults(const struct setup *cl, cl_mem mem)
{
	const struct sigaction second = {
		.sa_sigaction = on_second, .sa_flags = SA_SIGINFO,
	};
	char *values = new_memory(LARGE);
	struct sigaction old;
	cl_event gate;

	closed = new_memory(PAGE);
	mprotect(closed, PAGE, PROT_NONE);
	signal(SIGSEGV, on_first);
	touch_closed(1);
	gate = start(cl, mem, values);
	touch_closed(1);
	sigaction(SIGSEGV, &second, &old);
	expect(old.sa_handler == on_first, 1);
	touch_closed(2);
	sigaction(SIGSEGV, NULL, &old);
	expect(old.sa_sigaction == on_second, 1);
	end(cl, gate, values);
	touch_closed(2);
	signal(SIGSEGV, SIG_DFL);
	munmap(values, LARGE);
	munmap(closed, PAGE);
}

/* What the parent reads is its own; the child may do what it likes. */
static void fork_meanwhile(const struct setup *cl, cl_mem mem)
{
	char *values = new_memory(LARGE);
	cl_event gate = start(cl, mem, values);
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		memset(values, 3, LARGE);
		_exit(values[LARGE / 2] == 3 ? 0 : FAILED);
	}
	need(child > 0 && waitpid(child, &status, 0) == child, "a child");
	expect(status, 0);
	end(cl, gate, values);
	munmap(values, LARGE);
}

static void protect_and_move(const struct setup *cl, cl_mem mem)
{
	char *values = new_memory(LARGE), *moved;
	cl_event gate = start(cl, mem, values);

	must(mprotect(values, LARGE, PROT_READ | PROT_WRITE));
	end(cl, gate, values);
	moved = (char *)mremap(values, LARGE, 4 * LARGE, MREMAP_MAYMOVE);
	need(moved != (char *)MAP_FAILED, "memory");
	expect(moved[LARGE / 2], 1);
	munmap(moved, 4 * LARGE);
}

/* It is never done, and nothing comes of it. */
static void fail(const struct setup *cl, cl_mem mem)
{
	char *values = new_memory(LARGE);
	cl_event gate = new_gate(cl), done;

	values[LARGE / 2] = 6;
	must(clEnqueueReadBuffer(cl->queue, mem, CL_FALSE, 0, LARGE, values, 1,
				 &gate, &done));
	must(clSetUserEventStatus(gate, -1));
	expect(clWaitForEvents(1, &done) < 0, 1);
	expect(values[LARGE / 2], 6);
	must(clReleaseEvent(gate));
	must(clReleaseEvent(done));
	munmap(values, LARGE);
}

int main(void)
{
	struct setup cl = open_device();
	cl_mem mem = new_large(&cl, 0x01010101);

	handle_faults(&cl, mem);
	fork_meanwhile(&cl, mem);
	protect_and_move(&cl, mem);
	fail(&cl, mem);
	must(clReleaseMemObject(mem));
	close_device(&cl);
	return 0;
}

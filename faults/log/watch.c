/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last words of a process that crashes: a fatal signal's frames go into
 * the journal, then the signal goes where it would have gone without us.
 */
#include "config.h"

#include "faults/call/guest.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "crash_log.h"

static const int fatal_signals[] = {
	SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
};
enum {
	SIGNAL_COUNT = sizeof(fatal_signals) / sizeof(*fatal_signals),
	ROOM = 12 * 1024,	/* of stack, to write down frames */
	WAITS = 2000,		/* moments, for another thread's words */
	MOMENT_NS = 1000 * 1000,
};

/* Who had the signals when we came, and who has them after us: the same, or
 * the driver's compiler. */
static struct sigaction first[SIGNAL_COUNT], before[SIGNAL_COUNT];
static int handed[SIGNAL_COUNT];	/* to the latter */
static bool tells_registers;

/* One thread's last words are enough; they are whole. */
static int busy, written;
/* The dead may not be read as the living: a stack that is broken, a jump to
 * nowhere. What we then trip over brings us back here. */
static sigjmp_buf tripped;
static pid_t busy_thread;

static pid_t this_thread(void)
{
	return (pid_t)syscall(SYS_gettid);
}

/* A program that lives with its faults may have given its handlers a stack
 * that is just large enough for them. */
static bool has_room(void)
{
	stack_t stack;
	const char *here = __builtin_frame_address(0);

	return sigaltstack(NULL, &stack) || !(stack.ss_flags & SS_ONSTACK) ||
	       here - (const char *)stack.ss_sp >= ROOM;
}

/* Does nobody of the program's wait for this signal? A handler that is there for
 * one time only has nothing but last words, too. */
static bool is_the_end(int number)
{
	for (unsigned int i = 0; i < SIGNAL_COUNT; i++)
		if (fatal_signals[i] == number)
			return before[i].sa_handler == SIG_DFL ||
			       before[i].sa_flags & (int)SA_RESETHAND;
	return true;
}

/* LLVM's handler, when it has spoken, restores what it found: that is us, and
 * then it is the turn of whom we found. */
static void give_on(int number)
{
	for (unsigned int i = 0; i < SIGNAL_COUNT; i++)
		if (fatal_signals[i] == number)
			sigaction(number, __atomic_exchange_n(&handed[i], 1,
							      __ATOMIC_ACQ_REL) ?
				  &first[i] : &before[i], NULL);
}

/* Is its address what was accessed, also where that is NULL? The kernel has 0
 * as well for addresses that a processor does not tell (SI_KERNEL). */
static bool is_access(int number, const siginfo_t *info)
{
	return (number == SIGSEGV || number == SIGBUS) && info->si_code > 0 &&
	       info->si_code != SI_KERNEL;
}

/* Where the interrupted code is, and has its stack; 0: not known here. */
static uintptr_t interrupted(const void *context, uintptr_t *ret_stack)
{
#ifdef __x86_64__
	const ucontext_t *machine = context;

	*ret_stack = (uintptr_t)machine->uc_mcontext.gregs[REG_RSP];
	return (uintptr_t)machine->uc_mcontext.gregs[REG_RIP];
#else
	(void)context;
	*ret_stack = 0;
	return 0;
#endif
}

/* "PC=0x10B3 SP=0x7FFE0010 ...", as a string of the journal; 0: not known
 * here. */
static uint32_t write_registers(const void *context)
{
	const ucontext_t *machine = context;
	static char text[40 * 24];
	size_t length = 0;
#if defined(__x86_64__)
	static const struct { const char *name; int number; } registers[] = {
		{ "PC", REG_RIP }, { "SP", REG_RSP }, { "RBP", REG_RBP },
		{ "RAX", REG_RAX }, { "RBX", REG_RBX }, { "RCX", REG_RCX },
		{ "RDX", REG_RDX }, { "RSI", REG_RSI }, { "RDI", REG_RDI },
		{ "R8", REG_R8 }, { "R9", REG_R9 }, { "R10", REG_R10 },
		{ "R11", REG_R11 }, { "R12", REG_R12 }, { "R13", REG_R13 },
		{ "R14", REG_R14 }, { "R15", REG_R15 },
	};

	for (size_t i = 0; i < sizeof(registers) / sizeof(*registers); i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length,
			"%s%s=0x%llX", i ? " " : "", registers[i].name,
			(unsigned long long)
			machine->uc_mcontext.gregs[registers[i].number]);
#elif defined(__aarch64__)
	length = (size_t)snprintf(text, sizeof(text), "PC=0x%llX SP=0x%llX",
		(unsigned long long)machine->uc_mcontext.pc,
		(unsigned long long)machine->uc_mcontext.sp);
	for (unsigned int i = 0; i < 31; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length,
			" X%u=0x%llX", i,
			(unsigned long long)machine->uc_mcontext.regs[i]);
#else
	(void)machine;
#endif
	/* They may hold what the program's data are. */
	return length && tells_registers ?
		claw_journal_string(text, length) : 0;
}

/* The call that this thread is in, if its frame is there still. */
static void take_call(struct claw_journal_record *record, uintptr_t stack)
{
	const struct claw_call *call = claw_call_under_way;

	if (!call || (uintptr_t)call < stack || call->api >= CLAW_API_COUNT)
		return;
	record->api = (uint16_t)call->api;
	record->ordinal = call->site;
}

static void write_last_words(int number, const siginfo_t *info,
			     const void *context)
{
	static struct claw_journal_record record;
	static struct claw_site site;
	uintptr_t stack, pc = interrupted(context, &stack);

	record.ticks = claw_journal_ticks();
	record.handle = info->si_code > 0 ? (uintptr_t)info->si_addr : 0;
	record.value = is_access(number, info);
	record.result = number;
	record.thread = claw_journal_self.number;
	record.api = UINT16_MAX;
	record.flags = CLAW_REC_CRASH;
	if (!sigsetjmp(tripped, 1)) {
		__atomic_store_n(&busy_thread, this_thread(), __ATOMIC_RELEASE);
		take_call(&record, stack);
		record.duration_ticks = write_registers(context);
		claw_site_capture_crash(&site, pc, stack);
	}
	__atomic_store_n(&busy_thread, 0, __ATOMIC_RELEASE);
	record.site = site.frame_count ? claw_site_record(&site) : 0;
	claw_journal_event(&record);
	if (is_the_end(number))
		claw_crash_log_signal(number, record.api, &site);
	__atomic_store_n(&written, 1, __ATOMIC_RELEASE);
}

/* Threads that run one kernel fault together: the process is not to end while
 * the first of them writes. */
static void wait_for_words(void)
{
	for (unsigned int i = 0; i < WAITS &&
	     !__atomic_load_n(&written, __ATOMIC_ACQUIRE); i++)
		claw_sleep_ns(MOMENT_NS);
}

/* Has this process a journal of its own? A forked child without a call has
 * its parent's still. */
static bool may_write(void)
{
	return __atomic_load_n(&claw_page.alive, __ATOMIC_ACQUIRE) &&
	       !__atomic_exchange_n(&busy, 1, __ATOMIC_ACQ_REL);
}

/* A fault happens again by itself when its handler returns; what was sent
 * has to be sent again, with all that was sent along. */
static void send_again(int number, siginfo_t *info)
{
	sigset_t until_we_return;

	if (info->si_code > 0 &&
	    !(number == SIGBUS && info->si_code == BUS_MCEERR_AO))
		return;
	sigemptyset(&until_we_return);
	sigaddset(&until_we_return, number);
	sigprocmask(SIG_BLOCK, &until_we_return, NULL);
	if (syscall(SYS_rt_tgsigqueueinfo, getpid(), this_thread(), number,
		    info))
		raise(number);
}

/* A program may live with its faults (a JVM does): what it installed before
 * us gets the signal next, and we do not come back. */
static void on_signal(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	if (__atomic_load_n(&busy_thread, __ATOMIC_ACQUIRE) == this_thread())
		siglongjmp(tripped, 1);
	if (has_room() && may_write())
		write_last_words(number, info, context);
	else if (__atomic_load_n(&busy, __ATOMIC_ACQUIRE))
		wait_for_words();
	give_on(number);
	send_again(number, info);
	errno = saved;
}

static bool is_on;

static void watch(unsigned int i)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_signal;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
	sigemptyset(&action.sa_mask);
	sigaction(fatal_signals[i], &action, &before[i]);
}

void claw_watch_begin(bool with_registers)
{
	tells_registers = with_registers;
	for (unsigned int i = 0; i < SIGNAL_COUNT; i++) {
		watch(i);
		first[i] = before[i];
	}
	is_on = true;
}

/* A handler of the program's own is left alone. */
static bool is_of_library(const struct sigaction *action)
{
	const char *path, *name;

	if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN ||
	    action->sa_sigaction == on_signal)
		return false;
	path = claw_site_path_of(__extension__ (void *)action->sa_sigaction);
	name = strrchr(path, '/');
	return *path && strcmp(name ? name + 1 : path, claw_guest.exe);
}

/* A handler for one time (LLVM's, in drivers) leaves a moment in which a second
 * thread's fault ends the process before we have said anything. Another one
 * may mend what happened (a JVM's, pocl's of SIGFPE). */
static bool is_in_the_way(unsigned int i)
{
	struct sigaction now;

	return !sigaction(fatal_signals[i], NULL, &now) &&
	       (fatal_signals[i] == SIGABRT ||
		now.sa_flags & (int)SA_RESETHAND) &&
	       is_of_library(&now);
}

void claw_watch_again(void)
{
	if (!is_on || __atomic_load_n(&busy, __ATOMIC_ACQUIRE))
		return;
	for (unsigned int i = 0; i < SIGNAL_COUNT; i++)
		if (is_in_the_way(i))
			watch(i);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fault at a closed page. Our handler stands in front of the program's,
 * which sees and sets its own action as if it were the only one
 * (heap_pages.c): what is not our fault goes on to that.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "faults/shared/compat.h"
#include "early_private.h"
#include "faults/life/heap_watch.h"
#include "faults/command/host_memory.h"

enum {
	ROOM = 16 * 1024,	/* of stack, to write down frames */
	ACTIONS = 64,
};

/* The program's, as it set them one after the other: a fault in one thread may
 * look while another thread, or a handler in the midst of it, sets the next. */
static struct {
	struct sigaction set[ACTIONS];
	uint32_t fresh, current;
} actions;

static uint32_t is_installed;	/* ours is in front */
static claw_heap_pages_tell *tell;
static pid_t process;
static char driver[64];		/* of the first read: its module's name */

/* This thread asks for the real action; it copies, and where it goes on when
 * that trips. Compilers know libc's functions never to come back here. */
static __thread volatile bool is_real
	__attribute__((tls_model(CLAW_TLS_MODEL)));
static __thread sigjmp_buf *volatile copying
	__attribute__((tls_model(CLAW_TLS_MODEL)));

bool claw_early_copy_bytes(void *to, const void *from, size_t bytes)
{
	sigjmp_buf tripped;

	if (sigsetjmp(tripped, 1)) {
		copying = NULL;
		return false;
	}
	copying = &tripped;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memcpy(to, from, bytes);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	copying = NULL;		/* the frame goes */
	return true;
}

/* ---- the finding */

/* A handler's stack of the program's own may be small. */
static bool has_room(void)
{
	const char *here = __builtin_frame_address(0);
	stack_t stack;

	return sigaltstack(NULL, &stack) || !(stack.ss_flags & SS_ONSTACK) ||
	       here - (const char *)stack.ss_sp >= ROOM;
}

static bool is_store(const void *context)
{
#if defined(__x86_64__)
	const ucontext_t *user = context;

	return user->uc_mcontext.gregs[REG_ERR] & 2;
#else
	(void)context;
	return false;
#endif
}

/* The name of a module up to its first dot: plugins of a driver's begin with
 * the driver's. */
static const char *name_of(const char *path, size_t *ret_bytes)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	*ret_bytes = strcspn(name, ".");
	return name;
}

void claw_early_driver_is(const void *handle)
{
	const void *const *table = *(const void *const *const *)handle;
	const char *path = table ? claw_site_path_of(table[0]) : "";
	size_t bytes;
	const char *name = name_of(path, &bytes);

	if (!bytes || bytes >= sizeof(driver) || *driver)
		return;
	memcpy(driver, name, bytes);
}

/* Somebody let the driver at closed pages: no mistake of the program's. */
static bool is_in_driver(const struct claw_site *site)
{
	const struct claw_module *module;
	size_t bytes;

	if (!*driver || site->kind != CLAW_SITE_NATIVE || !site->frame_count)
		return false;
	module = site->frames[0].module;
	return module && !strncmp(name_of(module->path, &bytes), driver,
				  strlen(driver));
}

static void add_finding(const struct claw_early_read *read, uint64_t address,
			const void *context)
{
	struct claw_found_entry found = {
		.kind = CLAW_FOUND_TOUCHED_EARLY, .sure = CLAW_SURE_CERTAIN,
		.at = claw_found_nowhere(), .third = claw_found_nowhere(),
		.second = claw_found_place(read->site, read->api,
					   CLAW_OBJ_NONE),
		.handle = read->low,
		.values = { address - read->low, read->high - read->low,
			    is_store(context) },
	};

	if (has_room()) {
		struct claw_site site;

		/* Our own look at the program's memory is no mistake of its. */
		if (!claw_site_capture_fault(&site, false))
			return;
		if (is_in_driver(&site)) {
			claw_found_count(CLAW_COUNT_EARLY_NO_ROOM, 1);
			return;
		}
		if (claw_host_frees_are_seen() && claw_site_has_python())
			claw_site_capture_fault(&site, true);
		found.at.site = claw_site_record(&site);
	}
	claw_found_add(&found);
}

/* ---- what is not ours */

static void set_real(const struct sigaction *action, struct sigaction *old)
{
	bool was_real = is_real;

	is_real = true;
	sigaction(SIGSEGV, action, old);
	is_real = was_real;
}

/* A fault happens again by itself; what was sent is sent again. */
static void die_of(siginfo_t *info)
{
	struct sigaction fatal;
	sigset_t until_we_return;

	memset(&fatal, 0, sizeof(fatal));
	fatal.sa_handler = SIG_DFL;
	sigemptyset(&fatal.sa_mask);
	set_real(&fatal, NULL);
	if (info->si_code > 0)
		return;
	sigemptyset(&until_we_return);
	sigaddset(&until_we_return, SIGSEGV);
	sigprocmask(SIG_BLOCK, &until_we_return, NULL);
	if (syscall(SYS_rt_tgsigqueueinfo, getpid(),
		    (pid_t)syscall(SYS_gettid), SIGSEGV, info))
		raise(SIGSEGV);
}

static const struct sigaction *program_action(void)
{
	return &actions.set[__atomic_load_n(&actions.current,
					    __ATOMIC_ACQUIRE)];
}

/* Another one; the one before it. */
static const struct sigaction *set_action(const struct sigaction *next)
{
	uint32_t i = __atomic_fetch_add(&actions.fresh, 1, __ATOMIC_RELAXED) %
		ACTIONS;

	actions.set[i] = *next;
	return &actions.set[__atomic_exchange_n(&actions.current, i,
						__ATOMIC_ACQ_REL)];
}

static void reset(const struct sigaction *action)
{
	struct sigaction next = *action;

	next.sa_handler = SIG_DFL;
	set_action(&next);
}

static void pass_on(int number, siginfo_t *info, void *context)
{
	struct sigaction next = *program_action();
	sigset_t mask = next.sa_mask;

	if (next.sa_handler == SIG_IGN && info->si_code <= 0)
		return;
	if (next.sa_handler == SIG_DFL || next.sa_handler == SIG_IGN) {
		die_of(info);
		return;
	}
	if (next.sa_flags & (int)SA_RESETHAND)
		reset(&next);
	if (!(next.sa_flags & SA_NODEFER))
		sigaddset(&mask, number);
	sigprocmask(SIG_BLOCK, &mask, NULL);	/* until we return */
	if (next.sa_flags & SA_SIGINFO)
		next.sa_sigaction(number, info, context);
	else
		next.sa_handler(number);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	uint64_t address = claw_number(info->si_addr);
	struct claw_early_read touched;
	int saved = errno;

	if (info->si_code > 0 && copying)
		siglongjmp(*copying, 1);
	if (info->si_code == SEGV_ACCERR &&
	    claw_early_find_fault(address, &touched)) {
		if (touched.api != CLAW_FOUND_NO_API && getpid() == process)
			add_finding(&touched, address, context);
	} else {
		errno = saved;
		pass_on(number, info, context);
		return;		/* errno is the program's handler's */
	}
	errno = saved;
}

/* ---- the program's action */

static bool action(int number, const struct sigaction *new_action,
		   struct sigaction *old)
{
	const struct sigaction *was;
	struct sigaction given;

	if (number != SIGSEGV || is_real ||
	    !__atomic_load_n(&is_installed, __ATOMIC_ACQUIRE))
		return false;
	if (new_action)
		given = *new_action;	/* old may be the same */
	was = new_action ? set_action(&given) : program_action();
	if (old)
		*old = *was;
	return true;
}

static void touching(const void *memory, size_t bytes)
{
	claw_early_touching(claw_number(memory), bytes);
}

void claw_early_signal_install(void)
{
	struct sigaction ours, before;

	if (__atomic_load_n(&is_installed, __ATOMIC_ACQUIRE))
		return;
	memset(&ours, 0, sizeof(ours));
	ours.sa_sigaction = on_fault;
	ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
	sigemptyset(&ours.sa_mask);
	set_real(NULL, &before);
	set_action(&before);
	__atomic_store_n(&is_installed, 1, __ATOMIC_RELEASE);
	set_real(&ours, NULL);
}

bool claw_early_signal_begin(void)
{
	static const struct claw_heap_pages pages = {
		.action = action, .touching = touching,
	};

	process = getpid();
	if (!tell)
		tell = __extension__ (claw_heap_pages_tell *)dlsym(
			RTLD_DEFAULT, CLAW_HEAP_PAGES_SYMBOL);
	if (!tell)
		return false;
	tell(&pages);
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Of libopenclaw-heap.so: stands between a program and the system where the
 * layer has closed pages of its memory. The layer's handler of SIGSEGV stays
 * in front of the program's, which sees its own only; pages are open again
 * before the program protects or moves them.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include "faults/shared/compat.h"
#include "heap_watch.h"

#define EXPORT __attribute__((visibility("default")))

typedef void (*handler)(int number);

claw_heap_pages_tell openclaw_heap_pages_1;
EXPORT void openclaw_heap_pages_1(const struct claw_heap_pages *watch);

/* What <signal.h> only has for some. */
EXPORT handler sysv_signal(int number, handler function);
EXPORT handler __sysv_signal(int number, handler function);
EXPORT handler bsd_signal(int number, handler function);
EXPORT handler ssignal(int number, handler function);
EXPORT int __sigaction(int number, const struct sigaction *new_action,
		       struct sigaction *old);

static const struct claw_heap_pages *told;

static inline const struct claw_heap_pages *listener(void)
{
	return __atomic_load_n(&told, __ATOMIC_CONSUME);
}

EXPORT void openclaw_heap_pages_1(const struct claw_heap_pages *watch)
{
	__atomic_store_n(&told, watch, __ATOMIC_RELEASE);
}

/* The function behind ours, looked up once: the same for all who do. */
#define NEXT(name_, type_) __extension__ ({				\
	static type_ *next_;						\
	type_ *found_ = __atomic_load_n(&next_, __ATOMIC_ACQUIRE);	\
									\
	if (!found_) {							\
		found_ = __extension__ (type_ *)dlsym(RTLD_NEXT, #name_); \
		__atomic_store_n(&next_, found_, __ATOMIC_RELEASE);	\
	}								\
	found_;								\
})

typedef int sigaction_function(int number, const struct sigaction *new_action,
			       struct sigaction *old);
typedef handler signal_function(int number, handler function);
typedef int mprotect_function(void *memory, size_t bytes, int protection);
typedef void *mremap_function(void *memory, size_t bytes, size_t new_bytes,
			      int flags, ...);

#define SIGACTION(name_)						\
	EXPORT int name_(int number, const struct sigaction *new_action, \
			 struct sigaction *old)				\
	{								\
		const struct claw_heap_pages *watch = listener();	\
		sigaction_function *next;				\
									\
		if (watch && watch->action(number, new_action, old))	\
			return 0;					\
		next = NEXT(name_, sigaction_function);			\
		if (next)						\
			return next(number, new_action, old);		\
		errno = ENOSYS;						\
		return -1;						\
	}

SIGACTION(sigaction)
SIGACTION(__sigaction)

/* signal() and its kin, where the layer's handler is in front. */
static bool set_handler(int number, handler function, int flags,
			handler *ret_old)
{
	const struct claw_heap_pages *watch = listener();
	struct sigaction given, old;

	if (!watch || function == SIG_ERR)
		return false;
	memset(&given, 0, sizeof(given));
	given.sa_handler = function;
	given.sa_flags = flags;
	sigemptyset(&given.sa_mask);
	if (!watch->action(number, &given, &old))
		return false;
	*ret_old = old.sa_handler;
	return true;
}

#define SIGNAL(name_, flags_)						\
	EXPORT handler name_(int number, handler function)		\
	{								\
		signal_function *next;					\
		handler old;						\
									\
		if (set_handler(number, function, flags_, &old))	\
			return old;					\
		next = NEXT(name_, signal_function);			\
		if (next)						\
			return next(number, function);			\
		errno = ENOSYS;						\
		return SIG_ERR;						\
	}

SIGNAL(signal, SA_RESTART)
SIGNAL(bsd_signal, SA_RESTART)
SIGNAL(ssignal, SA_RESTART)
SIGNAL(sysv_signal, (int)(SA_RESETHAND | SA_NODEFER))
SIGNAL(__sysv_signal, (int)(SA_RESETHAND | SA_NODEFER))

EXPORT int mprotect(void *memory, size_t bytes, int protection)
{
	const struct claw_heap_pages *watch = listener();
	mprotect_function *next = NEXT(mprotect, mprotect_function);

	if (!next) {
		errno = ENOSYS;
		return -1;
	}
	if (watch)
		watch->touching(memory, bytes);
	return next(memory, bytes, protection);
}

EXPORT void *mremap(void *memory, size_t bytes, size_t new_bytes, int flags,
		    ...)
{
	const struct claw_heap_pages *watch = listener();
	mremap_function *next = NEXT(mremap, mremap_function);
	void *place = NULL;
	va_list rest;

	if (!next) {
		errno = ENOSYS;
		return MAP_FAILED;
	}
	if (flags & MREMAP_FIXED) {
		va_start(rest, flags);
		place = va_arg(rest, void *);
		va_end(rest);
	}
	if (watch)
		watch->touching(memory, bytes);
	return next(memory, bytes, new_bytes, flags, place);
}

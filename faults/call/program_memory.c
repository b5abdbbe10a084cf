/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is memory there? process_vm_readv() would say so, and filters of system calls
 * kill for that. rt_sigprocmask() is what every program makes, with each
 * thread: it reads the set first and refuses a mode that is none after. (That
 * is a call for each page; madvise() would tell of many, and is filtered, too.)
 */
#include "config.h"

#include "program_memory.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, SET_BYTES = 8, NO_MODE = -1 };

/* errno of that call: EINVAL where there are eight bytes, EFAULT where not. */
static int look_at(uintptr_t at)
{
	return syscall(SYS_rt_sigprocmask, NO_MODE, at, NULL,
		       (size_t)SET_BYTES) ? errno : 0;
}

enum claw_readable claw_readable_look(const void *from, uint64_t bytes)
{
	uintptr_t first = (uintptr_t)from / PAGE * PAGE;
	uintptr_t end = (uintptr_t)from + bytes;
	int saved = errno, said = EINVAL;

	for (uintptr_t at = first; bytes && at < end && said == EINVAL;
	     at += PAGE)
		said = look_at(at);
	errno = saved;
	return said == EINVAL ? CLAW_READABLE :
	       said == EFAULT ? CLAW_NOT_READABLE : CLAW_READABLE_UNKNOWN;
}

__attribute__((no_sanitize("address", "thread"))) void
claw_program_copy(void *to, const void *from, uint64_t bytes)
{
#if defined(__x86_64__)
	__asm__ volatile("rep movsb"
			 : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
#else
	volatile unsigned char *at = to;
	const volatile unsigned char *source = from;

	for (uint64_t i = 0; i < bytes; i++)
		at[i] = source[i];
#endif
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is memory there? process_vm_readv() would say so, and filters of system calls
 * kill for that. rt_sigprocmask() is what every program makes, with each
 * thread: it reads the set first and refuses a mode that is none after. That is a
 * call for each page; of many pages one call tells that all are there, and if
 * it does not (or is not known: before Linux 5.14), they are looked at singly.
 */
#include "config.h"

#include "program_memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

enum { PAGE = 4096, MANY = 16, SET_BYTES = 8, NO_MODE = -1 };

/* errno of that call: EINVAL where there are eight bytes, EFAULT where not. */
static int look_at(uintptr_t at)
{
	return syscall(SYS_rt_sigprocmask, NO_MODE, at, NULL,
		       (size_t)SET_BYTES) ? errno : 0;
}

static bool populate(uintptr_t first, uintptr_t end)
{
	return !syscall(SYS_madvise, first, (size_t)(end - first),
			MADV_POPULATE_READ);
}

/* An emulator may take any advice: then it does so of a page that is not there. */
static bool is_told(void)
{
	static int known;	/* 1: it is, -1: it is not */
	int is = __atomic_load_n(&known, __ATOMIC_RELAXED);

	if (!is) {
		is = populate(PAGE, (uintptr_t)2 * PAGE) ? -1 : 1;
		__atomic_store_n(&known, is, __ATOMIC_RELAXED);
	}
	return is > 0;
}

static bool are_all_there(uintptr_t first, uintptr_t end)
{
	return end > first && end - first >= (uintptr_t)MANY * PAGE &&
	       is_told() && populate(first, end);
}

enum claw_readable claw_readable_look(const void *from, uint64_t bytes)
{
	uintptr_t first = (uintptr_t)from / PAGE * PAGE;
	uintptr_t end = (uintptr_t)from + bytes;
	int saved = errno, said = EINVAL;

	if (!are_all_there(first, end))
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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libopenclaw-heap.so: stands between a program and its allocator, and tells
 * the layer before memory goes, when the layer has asked for it. Needs nothing
 * but libc, changes nothing, keeps nothing.
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "faults/shared/compat.h"
#include "heap_watch.h"

#define EXPORT __attribute__((visibility("default")))
#define RARELY(x_) __builtin_expect(!!(x_), 0)

claw_heap_tell openclaw_heap_version_1;
EXPORT void openclaw_heap_version_1(const struct claw_heap_watch *watch);

/* The functions behind ours. */
static struct {
	void (*free)(void *memory);
	void *(*realloc)(void *memory, size_t bytes);
	void *(*reallocarray)(void *memory, size_t count, size_t bytes);
	int (*munmap)(void *memory, size_t bytes);
	size_t (*usable_size)(void *memory);	/* NULL: not the same allocator's */
} next;
static bool found;
static const struct claw_heap_watch *told;

/* dlsym() may free in the middle of it. */
static __thread bool is_looking
	__attribute__((tls_model(CLAW_TLS_MODEL)));

CLAW_OLD_SYMBOL(dladdr);

static bool are_of_one_library(void *a, void *b)
{
	Dl_info first, second;

	return a && b && dladdr(a, &first) && dladdr(b, &second) &&
	       first.dli_fbase == second.dli_fbase;
}

/* A function as dlsym() has it. */
#define LOOK_UP(name_) __extension__ ((__typeof__(next.name_))dlsym(	\
	RTLD_NEXT, #name_))

static __attribute__((noinline, cold)) bool look(void)
{
	void *size;
	int saved = errno;

	if (is_looking)
		return false;
	is_looking = true;
	next.realloc = LOOK_UP(realloc);
	next.reallocarray = LOOK_UP(reallocarray);
	next.munmap = LOOK_UP(munmap);
	next.free = LOOK_UP(free);
	size = dlsym(RTLD_NEXT, "malloc_usable_size");
	if (are_of_one_library(size, __extension__ (void *)next.free))
		next.usable_size = __extension__ (size_t (*)(void *))size;
	is_looking = false;
	errno = saved;
	__atomic_store_n(&found, true, __ATOMIC_RELEASE);
	return true;
}

static inline bool is_ready(void)
{
	return !RARELY(!__atomic_load_n(&found, __ATOMIC_ACQUIRE)) || look();
}

static inline const struct claw_heap_watch *listener(void)
{
	/* What it points to is of the layer, which is never unloaded. */
	return __atomic_load_n(&told, __ATOMIC_CONSUME);
}

static size_t size_of(void *memory)
{
	return next.usable_size ? next.usable_size(memory) : 0;
}

EXPORT void openclaw_heap_version_1(const struct claw_heap_watch *watch)
{
	__atomic_store_n(&told, watch, __ATOMIC_RELEASE);
}

EXPORT void free(void *memory)
{
	const struct claw_heap_watch *watch = listener();

	if (!is_ready())
		return;		/* a few bytes of dlsym()'s: never given back */
	if (RARELY(watch != NULL) && memory)
		watch->freeing(memory, size_of(memory));
	next.free(memory);
}

/* It is gone when it is another now; of the same one what was cut off. */
static void resized(const struct claw_heap_watch *watch, void *before,
		    size_t size_before, void *after)
{
	int saved = errno;
	size_t size;

	if (after != before) {
		watch->freeing(before, size_before);
	} else {
		size = size_of(after);
		if (size && size < size_before)
			watch->freeing((char *)after + size,
				       size_before - size);
	}
	errno = saved;
}

/* Of memory that is watched: asked before, told when it is clear what became
 * of it. */
static bool is_watched(const struct claw_heap_watch *watch, void *memory,
		       size_t *ret_size)
{
	if (!RARELY(watch != NULL) || !memory)
		return false;
	*ret_size = size_of(memory);
	return watch->is_watched(memory, *ret_size);
}

EXPORT void *realloc(void *memory, size_t bytes)
{
	const struct claw_heap_watch *watch = listener();
	size_t size = 0;
	bool watched;
	void *made;

	if (!is_ready()) {
		errno = ENOMEM;
		return NULL;
	}
	watched = is_watched(watch, memory, &size);
	made = next.realloc(memory, bytes);
	if (watched && (made || !bytes))
		resized(watch, memory, size, made);
	return made;
}

EXPORT void *reallocarray(void *memory, size_t count, size_t bytes)
{
	const struct claw_heap_watch *watch = listener();
	size_t size = 0;
	bool watched;
	void *made;

	if (!is_ready() || !next.reallocarray) {
		errno = ENOMEM;
		return NULL;
	}
	watched = is_watched(watch, memory, &size);
	made = next.reallocarray(memory, count, bytes);
	if (watched && (made || !count || !bytes))
		resized(watch, memory, size, made);
	return made;
}

EXPORT int munmap(void *memory, size_t bytes)
{
	const struct claw_heap_watch *watch = listener();

	if (!is_ready()) {
		errno = ENOMEM;
		return -1;
	}
	if (RARELY(watch != NULL) && bytes)
		watch->freeing(memory, bytes);
	return next.munmap(memory, bytes);
}

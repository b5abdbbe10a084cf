/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the copy of libgcc's unwinder inside the guest needs of glibc, under
 * names that glibc gave a newer version to: served from here, the guest
 * loads on systems as old as glibc 2.28.
 */
#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "faults/call/guest.h"

#define HIDDEN __attribute__((visibility("hidden")))

/* libgcc's headers test its address to learn whether threads exist. */
HIDDEN int __pthread_key_create(pthread_key_t *key, void (*destroy)(void *));

int __pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
	(void)key;
	(void)destroy;
	return -1;
}

HIDDEN int pthread_once(pthread_once_t *once, void (*begin)(void));

int pthread_once(pthread_once_t *once, void (*begin)(void))
{
	enum { FRESH = PTHREAD_ONCE_INIT, BUSY = 1, DONE = 2 };
	pthread_once_t fresh = FRESH;

	if (__atomic_load_n(once, __ATOMIC_ACQUIRE) == DONE)
		return 0;
	if (__atomic_compare_exchange_n(once, &fresh, BUSY, 0,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		begin();
		__atomic_store_n(once, DONE, __ATOMIC_RELEASE);
		return 0;
	}
	while (__atomic_load_n(once, __ATOMIC_ACQUIRE) != DONE)
		claw_sleep_ns(20000);
	return 0;
}

#ifndef __GLIBC__
/* musl-gcc links the libgcc that was built for glibc: its structure. */
#define DLFO_STRUCT_HAS_EH_DBASE 1
struct dl_find_object {
	unsigned long long int dlfo_flags;
	void *dlfo_map_start, *dlfo_map_end;
	struct link_map *dlfo_link_map;
	void *dlfo_eh_frame;
#ifdef __i386__		/* as DLFO_STRUCT_HAS_EH_DBASE is there */
	void *dlfo_eh_dbase;
#endif
	unsigned long long int dlfo_reserved[7];
};
#endif

#ifdef DLFO_STRUCT_HAS_EH_DBASE
/* GCC 12's libgcc asks glibc 2.35's function for unwind tables. */
HIDDEN int _dl_find_object(void *address, struct dl_find_object *result);

int _dl_find_object(void *address, struct dl_find_object *result)
{
	void *low, *high;
	void *table = claw_site_unwind_table(address, &low, &high);

	if (!table)
		return -1;
	memset(result, 0, sizeof(*result));
	result->dlfo_map_start = low;
	result->dlfo_map_end = high;
	result->dlfo_eh_frame = table;
	return 0;
}
#endif

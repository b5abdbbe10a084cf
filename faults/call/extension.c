/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extension functions as the drivers gave them out: which one belongs to the
 * driver of a handle.
 */
#include "config.h"

#include "extension.h"

#include <pthread.h>
#include <stdatomic.h>

void *(*claw_extension_alias)(enum claw_api api) CLAW_HIDDEN;

enum { MAX_DRIVERS = 16 };

/* One driver's function: known by the dispatch table that its objects begin
 * with. table NULL: looked up without a platform. */
struct driver_function {
	const void *table;
	void *function;
};

static struct driver_function functions[CLAW_API_COUNT][MAX_DRIVERS];
static _Atomic unsigned int function_counts[CLAW_API_COUNT];
static pthread_mutex_t functions_lock = PTHREAD_MUTEX_INITIALIZER;

void *claw_extension_driver(enum claw_api api, const void *key)
{
	const void *table = key ? *(const void *const *)key : NULL;
	unsigned int count = function_counts[api];
	void *any = count ? functions[api][0].function : NULL;

	for (unsigned int i = 0; i < count; i++) {
		if (functions[api][i].table == table)
			return functions[api][i].function;
		if (!functions[api][i].table)
			any = functions[api][i].function;
	}
	return any;
}

void *claw_extension_next(enum claw_api api, const void *key)
{
	void *alias = claw_extension_alias ? claw_extension_alias(api) : NULL;

	return alias ? alias : claw_extension_driver(api, key);
}

void claw_extension_remember(enum claw_api api, const void *table, void *function)
{
	unsigned int count;

	pthread_mutex_lock(&functions_lock);
	count = function_counts[api];
	for (unsigned int i = 0; i < count; i++)
		if (functions[api][i].table == table) {
			if (functions[api][i].function != function)
				functions[api][i].function = function;
			count = MAX_DRIVERS;
		}
	if (count < MAX_DRIVERS) {
		functions[api][count].table = table;
		functions[api][count].function = function;
		atomic_store(&function_counts[api], count + 1);
	}
	pthread_mutex_unlock(&functions_lock);
}

void claw_extension_reset(void)
{
	pthread_mutex_init(&functions_lock, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extension functions: looked up by name, wrapped on the way out, and called
 * on through the driver that the first handle belongs to.
 */
#include "config.h"

#include "guest.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "api_sig.h"
#include "model_alias.h"
#include "wrap.h"

/* SPECIAL rows of api.def; wrap.c puts them into the table. */
CLAW_RET_clGetExtensionFunctionAddress CL_API_CALL
wrap_clGetExtensionFunctionAddress CLAW_PARAMS_clGetExtensionFunctionAddress;
CLAW_RET_clGetExtensionFunctionAddressForPlatform CL_API_CALL
wrap_clGetExtensionFunctionAddressForPlatform
	CLAW_PARAMS_clGetExtensionFunctionAddressForPlatform;

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
	void *alias = claw_alias_is_begun ? claw_alias_extension(api) : NULL;

	return alias ? alias : claw_extension_driver(api, key);
}

static void remember(enum claw_api api, const void *table, void *function)
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

void *claw_extension_wrap(const char *name, const void *driver_key,
			  void *function)
{
	int api = name ? claw_api_find(name) : -1;

	if (api < 0) {
		claw_journal_add_unknown_ext();
		return function;
	}
	if (claw_api_table[api].extension)
		remember((enum claw_api)api,
			 driver_key ? *(const void *const *)driver_key : NULL,
			 function);
	else if (!claw_wrap_has_next((enum claw_api)api))
		return function;
	return __extension__ (void *)claw_wrap_get((enum claw_api)api);
}

void *CL_API_CALL wrap_clGetExtensionFunctionAddress(const char *func_name)
{
	const void *const args[] = {
		CLAW_ADDRS_clGetExtensionFunctionAddress
	};
	void *own = func_name ? claw_arm_find(func_name) : NULL;
	struct claw_call call;

	if (own)
		return own;
	claw_call_begin(&call, CLAW_API_clGetExtensionFunctionAddress, args);
	claw_enter(&call);
	if (!call.injected)
		call.ret = claw_next.clGetExtensionFunctionAddress(func_name);
	claw_leave(&call);
	if (!call.ret || call.ours)
		return call.ret;
	return claw_extension_wrap(func_name, NULL, call.ret);
}

void *CL_API_CALL wrap_clGetExtensionFunctionAddressForPlatform(
	cl_platform_id platform, const char *func_name)
{
	const void *const args[] = {
		CLAW_ADDRS_clGetExtensionFunctionAddressForPlatform
	};
	void *own = func_name ? claw_arm_find(func_name) : NULL;
	struct claw_call call;

	if (own)
		return own;
	claw_call_begin(&call,
			CLAW_API_clGetExtensionFunctionAddressForPlatform,
			args);
	claw_enter(&call);
	if (!call.injected)
		call.ret = claw_next.clGetExtensionFunctionAddressForPlatform(
			platform, func_name);
	claw_leave(&call);
	if (!call.ret || call.ours)
		return call.ret;
	return claw_extension_wrap(func_name, platform, call.ret);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extension functions: looked up by name, wrapped on the way out, and called
 * on through the driver that the first handle belongs to.
 */
#include "config.h"

#include "faults/call/guest.h"

#include "faults/shared/api_sig.h"
#include "faults/call/extension.h"
#include "wrap.h"

/* SPECIAL rows of api.def; wrap.c puts them into the table. */
CLAW_RET_clGetExtensionFunctionAddress CL_API_CALL
wrap_clGetExtensionFunctionAddress CLAW_PARAMS(clGetExtensionFunctionAddress);
CLAW_RET_clGetExtensionFunctionAddressForPlatform CL_API_CALL
wrap_clGetExtensionFunctionAddressForPlatform
	CLAW_PARAMS(clGetExtensionFunctionAddressForPlatform);

/* The wrapper for a name the driver resolved to function, or function. */
static void *wrap(const char *name, const void *driver_key, void *function)
{
	int api = name ? claw_api_find(name) : -1;

	if (api < 0) {
		claw_journal_add_unknown_ext();
		return function;
	}
	if (claw_api_table[api].extension)
		claw_extension_remember((enum claw_api)api,
			driver_key ? *(const void *const *)driver_key : NULL,
			function);
	else if (!claw_wrap_has_next((enum claw_api)api))
		return function;
	return __extension__ (void *)claw_wrap_get((enum claw_api)api);
}

void *CL_API_CALL wrap_clGetExtensionFunctionAddress(const char *func_name)
{
	const void *const args[] = {
		CLAW_ADDRS(clGetExtensionFunctionAddress)
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
	return wrap(func_name, NULL, call.ret);
}

void *CL_API_CALL wrap_clGetExtensionFunctionAddressForPlatform(
	cl_platform_id platform, const char *func_name)
{
	const void *const args[] = {
		CLAW_ADDRS(clGetExtensionFunctionAddressForPlatform)
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
	return wrap(func_name, platform, call.ret);
}

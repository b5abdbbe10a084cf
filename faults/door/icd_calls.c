/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mock ICD door's calls, two an entry point, made from api.def: icd_X
 * stands in the drivers' tables and goes on to wrap_X, but for calls that the
 * loader or a driver makes for itself; choose_X stands beneath the wrappers
 * where there is more than one table, and finds the driver by the first
 * handle.
 */
#include "config.h"

#include "icd.h"

#include <string.h>

#include "faults/shared/api_sig.h"
#include "faults/model/model_alias.h"
#include "wrap.h"

#define UNLIKELY(x_) __builtin_expect(!!(x_), 0)

/* Our wrapper of every entry point. */
static struct _cl_icd_dispatch wrappers;

/* ---- in the drivers' tables -------------------------------------------- */

static inline bool must_look(const void *caller)
{
	return __atomic_load_n(&claw_icd_look.always, __ATOMIC_RELAXED) ||
	       (uintptr_t)caller - claw_icd_look.low < claw_icd_look.bytes;
}

static void adopt_list(void *const *objects, cl_uint given,
		       const cl_uint *made)
{
	cl_uint count = made && *made < given ? *made : given;

	for (cl_uint i = 0; objects && i < count; i++)
		claw_icd_adopt(objects[i]);
}

/* What the program was given through parameters. */
static void adopt_results(enum claw_api api, const void *const *args)
{
	const struct claw_api_info *info = &claw_api_table[api];

	for (unsigned int i = 0; i < info->param_count; i++) {
		int count = info->counts[i];

		if (info->holds[i] != CLAW_HOLDS_OBJECTS_OUT ||
		    info->objects[i] == CLAW_OBJ_PLATFORM)
			continue;
		if (count >= 0)		/* how many there are: behind the list */
			adopt_list(*(void *const *const *)args[i],
				   *(const cl_uint *)args[count],
				   *(const cl_uint *const *)args[i + 1]);
		else if (*(cl_event *const *)args[i])
			claw_icd_adopt(**(cl_event *const *)args[i]);
	}
}

/* The part of a call that is seldom: own calls, and objects to be marked. */
#define LOOK(name_, kind_)						\
	const void *caller_ = __builtin_return_address(0);		\
									\
	if (UNLIKELY(must_look(caller_))) {				\
		if (claw_icd_is_own(CLAW_API_##name_, caller_)) {	\
			OWN_##kind_(name_)				\
		}							\
		if (claw_icd_look.adopts) {				\
			MARK_##kind_(name_)				\
		}							\
	}

#define ADDRS(name_)							\
	const void *const args_[] = { CLAW_ADDRS(name_) };

#define OWN_STATUS(name_) return claw_alias_driver()->name_ CLAW_ARGS(name_);
#define OWN_HANDLE OWN_STATUS
#define OWN_POINTER OWN_STATUS
#define OWN_VOID(name_) claw_alias_driver()->name_ CLAW_ARGS(name_); return;

#define MARK_STATUS(name_)						\
	ADDRS(name_)							\
	cl_int err_ = wrappers.name_ CLAW_ARGS(name_);			\
									\
	if (!err_)							\
		adopt_results(CLAW_API_##name_, args_);			\
	return err_;
#define MARK_HANDLE(name_)						\
	CLAW_RET_##name_ made_ = wrappers.name_ CLAW_ARGS(name_);	\
									\
	claw_icd_adopt((void *)made_);					\
	return made_;
#define MARK_POINTER(name_)						\
	ADDRS(name_)							\
	CLAW_RET_##name_ made_ = wrappers.name_ CLAW_ARGS(name_);	\
									\
	if (made_)							\
		adopt_results(CLAW_API_##name_, args_);			\
	return made_;
#define MARK_VOID(name_)

#define RETURN_STATUS	return
#define RETURN_HANDLE	return
#define RETURN_POINTER	return
#define RETURN_VOID
#define IN_TABLE(kind_, name_)						\
static CLAW_RET_##name_ CL_API_CALL icd_##name_ CLAW_PARAMS(name_)	\
{									\
	LOOK(name_, kind_)						\
	RETURN_##kind_ wrappers.name_ CLAW_ARGS(name_);		\
}

#define API(name_, kind_, ...) IN_TABLE(kind_, name_)
#define EXT(...)
#include "faults/shared/api.def"
#undef API
#undef EXT

unsigned int claw_icd_calls_fill(struct claw_icd_table *table)
{
	unsigned int hooked = 0;

	if (!wrappers.clGetPlatformInfo) {
		memset(&wrappers, 0xff, sizeof(wrappers));
		claw_wrap_fill(&wrappers);
	}
	table->ours = table->next;
	/* The loader answers the first one, and finds the second by name. */
#define API(name_, ...)							\
	if (table->next.name_ &&					\
	    CLAW_API_##name_ != CLAW_API_clGetPlatformIDs &&		\
	    CLAW_API_##name_ != CLAW_API_clGetExtensionFunctionAddress) { \
		table->ours.name_ = icd_##name_;			\
		hooked++;						\
	}
#define EXT(...)
#include "faults/shared/api.def"
#undef API
#undef EXT
	return hooked;
}

/* ---- beneath the wrappers ---------------------------------------------- */

/* What the guest itself may ask for and that driver does not have. */
#define CODE_P(role_, name_, ...) \
	+ (CLAW_P_##role_ == CLAW_P_ERRCODE ? (uintptr_t)(name_) : 0)
#define CODE_OF(name_) ((cl_int *)(0 CLAW_SIG(name_, CODE_P)))

static void *no_handle(cl_int *errcode)
{
	if (errcode)
		*errcode = CL_INVALID_OPERATION;
	return NULL;
}

#define CHOOSE(name_)							\
	const struct claw_icd_table *table_ = claw_icd_table_of(	\
		(const void *)(uintptr_t)CLAW_KEY_##name_);

#define BENEATH_STATUS(name_)						\
static CLAW_RET_##name_ CL_API_CALL choose_##name_ CLAW_PARAMS(name_)	\
{									\
	CHOOSE(name_)							\
	return table_->next.name_ ?					\
		table_->next.name_ CLAW_ARGS(name_) :			\
		CL_INVALID_OPERATION;					\
}
#define BENEATH_HANDLE(name_)						\
static CLAW_RET_##name_ CL_API_CALL choose_##name_ CLAW_PARAMS(name_)	\
{									\
	CHOOSE(name_)							\
	return table_->next.name_ ?					\
		table_->next.name_ CLAW_ARGS(name_) :			\
		(CLAW_RET_##name_)no_handle(CODE_OF(name_));		\
}
#define BENEATH_POINTER BENEATH_HANDLE
#define BENEATH_VOID(name_)						\
static CLAW_RET_##name_ CL_API_CALL choose_##name_ CLAW_PARAMS(name_)	\
{									\
	CHOOSE(name_)							\
	if (table_->next.name_)						\
		table_->next.name_ CLAW_ARGS(name_);			\
}

#define API(name_, kind_, ...) BENEATH_##kind_(name_)
#define EXT(...)
#include "faults/shared/api.def"
#undef API
#undef EXT

/* No handle says which driver: the platform in the properties does. */
static const struct claw_icd_table *
table_of_properties(const cl_context_properties *properties)
{
	cl_platform_id platform = NULL;

	for (const cl_context_properties *at = properties; at && *at; at += 2)
		if (*at == CL_CONTEXT_PLATFORM)
			platform = (cl_platform_id)at[1];
	if (!platform)
		claw_icd_platform_ids(1, &platform, NULL);

	return claw_icd_table_of(platform);
}

static cl_context CL_API_CALL
choose_from_type CLAW_PARAMS(clCreateContextFromType)
{
	const struct claw_icd_table *table = table_of_properties(properties);

	return table->next.clCreateContextFromType ?
		table->next.clCreateContextFromType
			CLAW_ARGS(clCreateContextFromType) :
		no_handle(errcode_ret);
}

static cl_int CL_API_CALL
choose_gl_context CLAW_PARAMS(clGetGLContextInfoKHR)
{
	const struct claw_icd_table *table = table_of_properties(properties);

	return table->next.clGetGLContextInfoKHR ?
		table->next.clGetGLContextInfoKHR
			CLAW_ARGS(clGetGLContextInfoKHR) :
		CL_INVALID_OPERATION;
}

static cl_int CL_API_CALL unload_all(void)
{
	cl_int err = CL_SUCCESS;

	for (unsigned int i = 0; i < claw_icd_table_count; i++)
		if (claw_icd_tables[i].next.clUnloadCompiler &&
		    claw_icd_tables[i].next.clUnloadCompiler())
			err = CL_OUT_OF_HOST_MEMORY;
	return err;
}

static bool any_has(size_t offset)
{
	for (unsigned int i = 0; i < claw_icd_table_count; i++) {
		const char *next = (const char *)&claw_icd_tables[i].next;
		void *slot;

		memcpy(&slot, next + offset, sizeof(slot));
		if (slot)
			return true;
	}
	return false;
}

void claw_icd_calls_set_next(void)
{
	if (claw_icd_table_count == 1) {
		claw_next = claw_icd_tables[0].next;
	} else {
#define API(name_, ...)							\
	if (any_has(offsetof(struct _cl_icd_dispatch, name_)))		\
		claw_next.name_ = choose_##name_;
#define EXT(...)
#include "faults/shared/api.def"
#undef API
#undef EXT
		claw_next.clCreateContextFromType = choose_from_type;
		if (claw_next.clGetGLContextInfoKHR)
			claw_next.clGetGLContextInfoKHR = choose_gl_context;
		claw_next.clUnloadCompiler = unload_all;
	}
	claw_next.clGetPlatformIDs = claw_icd_platform_ids;
	claw_next.clGetExtensionFunctionAddress = claw_icd_function;
}

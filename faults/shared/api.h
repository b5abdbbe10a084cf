/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of every entry point: api.def (decided by people) and
 * api_sig.h (generated from cl.xml), as one table that guest and host share.
 */
#ifndef CLAW_API_H
#define CLAW_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cl_types.h"
#include "journal_format.h"

enum claw_api {
#define API(name_, ...) CLAW_API_##name_,
#define EXT(name_, ...) CLAW_API_##name_,
#include "api.def"
#undef API
#undef EXT
	CLAW_API_COUNT,
};

/* How an entry point fails. */
enum claw_fails_as {
	CLAW_STATUS,	/* returns cl_int */
	CLAW_HANDLE,	/* returns a handle, errcode_ret last */
	CLAW_POINTER,	/* returns a pointer; NULL is failure; an errcode_ret
			 * where a parameter has that role */
	CLAW_VOID,	/* cannot fail */
};

/* What a successful call does to objects. */
enum claw_effect {
	CLAW_NOTHING, CLAW_CREATES, CLAW_RETAINS, CLAW_RELEASES,
};

/* Groups of targets ("@alloc"): a set of these bits a function. */
enum claw_group {
	CLAW_G_ALLOC = 1 << 0,		/* takes device or shared memory */
	CLAW_G_TRANSFER = 1 << 1,	/* moves bytes: read write copy fill map */
	CLAW_G_ENQUEUE = 1 << 2,	/* puts a command into a queue */
	CLAW_G_BUILD = 1 << 3,		/* compiles or links */
	CLAW_G_SYNC = 1 << 4,		/* waits for, flushes or orders commands */
	CLAW_G_CREATE = 1 << 5,		/* makes an object */
	CLAW_G_QUERY = 1 << 6,		/* only answers a question */
	CLAW_G_RELEASE = 1 << 7,	/* gives something back */
	CLAW_G_ANY = 1 << 8,		/* every function */
};

/* What a parameter is, derived from its type and name by maint/gen-api-sig.
 * A list parameter's count is the parameter before it. */
enum claw_role {
	CLAW_P_OTHER,
	CLAW_P_PLATFORM, CLAW_P_DEVICE, CLAW_P_CONTEXT, CLAW_P_QUEUE,
	CLAW_P_MEM, CLAW_P_SAMPLER, CLAW_P_PROGRAM, CLAW_P_KERNEL,
	CLAW_P_EVENT, CLAW_P_SEMAPHORE, CLAW_P_COMMAND_BUFFER,
	CLAW_P_OPTIONAL_DEVICE,	/* NULL is legal */
	CLAW_P_OPTIONAL_QUEUE,
	CLAW_P_DEVICES, CLAW_P_QUEUES, CLAW_P_MEMS, CLAW_P_PROGRAMS,
	CLAW_P_SEMAPHORES, CLAW_P_COMMAND_BUFFERS,
	CLAW_P_EVENTS,		/* clWaitForEvents: the list it waits for */
	CLAW_P_WAIT_LIST,	/* event_wait_list of an enqueue */
	CLAW_P_SIZE,		/* bytes asked for or moved: the first such size_t */
	CLAW_P_BLOCKING,	/* cl_bool blocking_read ... */
	CLAW_P_EVENT_OUT,	/* cl_event *event of an enqueue */
	CLAW_P_ERRCODE,		/* cl_int *errcode_ret */
	CLAW_P_NOTIFY,		/* pfn_notify */
	CLAW_P_USER_DATA,
	CLAW_P_ROLE_COUNT,
};

enum { CLAW_MAX_PARAMS = 16 };

struct claw_api_info {
	const char *name;
	enum claw_fails_as fails_as;
	enum claw_effect effect;
	enum claw_obj object;		/* of the effect, or CLAW_OBJ_NONE */
	uint32_t groups;
	bool extension;			/* reached through clGetExtensionFunctionAddress* */
	bool special;			/* wrapped by hand in wrap_special.c */
	const cl_int *codes;		/* legal errors, default first */
	size_t code_count;
	uint8_t param_count;
	uint8_t roles[CLAW_MAX_PARAMS];	/* enum claw_role */
	const char *params[CLAW_MAX_PARAMS];
};

extern const struct claw_api_info claw_api_table[CLAW_API_COUNT];

/* Index of the function called name, or -1. */
int claw_api_find(const char *name);
/* Position of the first parameter with that role, or -1. */
int claw_api_find_param(enum claw_api api, enum claw_role role);
bool claw_api_allows(enum claw_api api, cl_int code);

/* A kernel's launch. */
static inline bool claw_api_is_launch(enum claw_api api)
{
	return api == CLAW_API_clEnqueueNDRangeKernel ||
	       api == CLAW_API_clEnqueueTask;
}

static inline bool claw_api_is_map(enum claw_api api)
{
	return api == CLAW_API_clEnqueueMapBuffer ||
	       api == CLAW_API_clEnqueueMapImage;
}

static inline bool claw_api_makes_context(enum claw_api api)
{
	return claw_api_table[api].effect == CLAW_CREATES &&
	       claw_api_table[api].object == CLAW_OBJ_CONTEXT;
}

/* A group's bit by its name without "@", or 0; name of one group bit. */
uint32_t claw_group_find(const char *name, size_t length);
const char *claw_group_name(uint32_t bit);

/* "CL_OUT_OF_RESOURCES" for -5; NULL for a number without a name. */
const char *claw_code_name(cl_int code);
/* 0 and *ret_code, or -1: no such name. */
int claw_code_find(const char *name, size_t length, cl_int *ret_code);

/* "MEM", "EVENT" ... as in CREATES(MEM). */
const char *claw_obj_name(enum claw_obj object);

#endif

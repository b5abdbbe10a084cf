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
	CLAW_P_FLAGS,		/* cl_mem_flags, cl_svm_mem_flags */
	CLAW_P_MAP_FLAGS,
	CLAW_P_HOST_PTR,	/* of a creation */
	CLAW_P_IMAGE_FORMAT, CLAW_P_IMAGE_DESC,
	CLAW_P_IMAGE_WIDTH,	/* of creations without a description */
	CLAW_P_IMAGE_HEIGHT, CLAW_P_IMAGE_DEPTH,
	CLAW_P_ROW_PITCH, CLAW_P_SLICE_PITCH,
	CLAW_P_PART,		/* clCreateSubBuffer: cl_buffer_region * */
	CLAW_P_PACKET_SIZE, CLAW_P_PACKET_COUNT,
	CLAW_P_ROLE_COUNT,
};

/* What a parameter holds; from maint/gen-api-sig, too. */
enum claw_holds {
	CLAW_HOLDS_WORD,	/* a number */
	CLAW_HOLDS_OBJECT,	/* a handle */
	/* What follows are pointers. */
	CLAW_HOLDS_WORD_POINTER,	/* whatever its revision makes of it */
	CLAW_HOLDS_OBJECTS,	/* handles, as many as the count says */
	CLAW_HOLDS_OBJECTS_OUT,	/* the same from the driver; one without a count */
	CLAW_HOLDS_IN,		/* what the driver reads; its type says how much */
	CLAW_HOLDS_LIST,	/* words, as many as the count says */
	CLAW_HOLDS_SIZES,	/* three of size_t */
	CLAW_HOLDS_DIMENSIONS,	/* as many of size_t as work_dim says */
	CLAW_HOLDS_FIXED,	/* one of its type */
	CLAW_HOLDS_VALUE,	/* so many bytes of the program's data */
	CLAW_HOLDS_COLOR,	/* 16 bytes of them */
	CLAW_HOLDS_POINTERS,	/* so many bytes of pointers */
	CLAW_HOLDS_PROPERTIES,	/* pairs, up to a key 0 */
	CLAW_HOLDS_PARTITION,	/* the same, and lists that end with a 0 */
	CLAW_HOLDS_TEXT,	/* up to its NUL; the program's */
	CLAW_HOLDS_NAME,	/* the same; no secret */
	CLAW_HOLDS_SOURCES,	/* texts; their lengths are the next parameter */
	CLAW_HOLDS_NAMES,	/* texts without lengths */
	CLAW_HOLDS_BINARIES,	/* their lengths are the parameter before it */
	CLAW_HOLDS_IL,
	CLAW_HOLDS_LENGTHS,	/* of texts */
	CLAW_HOLDS_DATA_IN,	/* bytes for a memory object */
	CLAW_HOLDS_DATA_OUT,	/* where bytes of one go */
	CLAW_HOLDS_MAPPED,	/* a mapping */
	CLAW_HOLDS_SVM,		/* shared memory */
	CLAW_HOLDS_SVM_IN,	/* the same, or host memory, that is read */
	CLAW_HOLDS_SVM_MAPPED,	/* a mapping of it */
	CLAW_HOLDS_SVM_LIST,
	CLAW_HOLDS_VALUE_OUT,	/* the answer of a query: so many bytes */
	CLAW_HOLDS_OUT,		/* one of its type from the driver */
	CLAW_HOLDS_OUT_LIST,	/* as many as the count says */
	CLAW_HOLDS_ERRCODE,
	CLAW_HOLDS_NOTIFY,
	CLAW_HOLDS_USER_DATA,
};

/* Memory that a transfer touches: positions of the parameters that say where;
 * -1: there is none. */
enum claw_touch_access {
	CLAW_TOUCH_READS, CLAW_TOUCH_WRITES,
	CLAW_TOUCH_MAPS,	/* either, as its flags say */
};

enum claw_touch_kind {
	CLAW_TOUCH_NOTHING,
	CLAW_TOUCH_BUFFER,	/* at an offset, size bytes */
	CLAW_TOUCH_BUFFER_RECT,	/* at an origin, size is a region, pitches */
	CLAW_TOUCH_BUFFER_PIXELS,	/* at an offset, size is an image's region */
	CLAW_TOUCH_IMAGE,	/* at an origin, size is a region */
	CLAW_TOUCH_HOST,	/* the program's own memory, size bytes */
	CLAW_TOUCH_HOST_RECT,
	CLAW_TOUCH_HOST_PIXELS,	/* size is an image's region, pitches */
	CLAW_TOUCH_SHARED,	/* a pointer that may be either, size bytes */
};

struct claw_touch {
	uint8_t kind, access;
	int8_t memory, at, size, row, slice;
};

enum {
	CLAW_MAX_PARAMS = 16,
	CLAW_MAX_TOUCHES = 2,
};

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
	uint8_t holds[CLAW_MAX_PARAMS];		/* enum claw_holds */
	int8_t counts[CLAW_MAX_PARAMS];		/* parameter that says how much,
						 * or -1 */
	uint8_t objects[CLAW_MAX_PARAMS];	/* enum claw_obj of handles */
	uint8_t bytes[CLAW_MAX_PARAMS];		/* of its type without pointers */
	struct claw_touch touches[CLAW_MAX_TOUCHES];
};

extern const struct claw_api_info claw_api_table[CLAW_API_COUNT];

/* Index of the function called name, or -1. */
int claw_api_find(const char *name);
/* Position of the parameter of that name, or -1. */
int claw_api_find_name(enum claw_api api, const char *name);
/* Position of the first parameter with that role, or -1. */
int claw_api_find_param(enum claw_api api, enum claw_role role);
/* What of its touches has that kind, or NULL; the memory object that a transfer
 * writes, its position or -1. */
const struct claw_touch *claw_api_find_touch(enum claw_api api,
					     enum claw_touch_kind kind);
int claw_api_find_written(enum claw_api api);
/* What it touches of the program's own memory, or NULL. */
const struct claw_touch *claw_api_find_host(enum claw_api api);
bool claw_api_allows(enum claw_api api, cl_int code);

/* Is the parameter a pointer that is not a handle? */
static inline bool claw_api_is_pointer(enum claw_api api, unsigned int param)
{
	return claw_api_table[api].holds[param] > CLAW_HOLDS_OBJECT;
}

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

/* Creations of memory objects, by their parameters. */
static inline bool claw_api_makes_image(enum claw_api api)
{
	return claw_api_table[api].effect == CLAW_CREATES &&
	       claw_api_find_param(api, CLAW_P_IMAGE_FORMAT) >= 0;
}

static inline bool claw_api_makes_buffer(enum claw_api api)
{
	return claw_api_table[api].effect == CLAW_CREATES &&
	       claw_api_table[api].object == CLAW_OBJ_MEM &&
	       claw_api_find_param(api, CLAW_P_SIZE) >= 0 &&
	       claw_api_find_param(api, CLAW_P_HOST_PTR) >= 0;
}

/* A part of a buffer. */
static inline bool claw_api_makes_part(enum claw_api api)
{
	return claw_api_find_param(api, CLAW_P_PART) >= 0 &&
	       claw_api_find_param(api, CLAW_P_MEM) >= 0;
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

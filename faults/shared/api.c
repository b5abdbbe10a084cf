/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of entry points made from api.def and api_sig.h, and look-ups in
 * it: by function, by group, by the name or number of an error code. Guest
 * and host share it; nothing here allocates, locks or depends on the locale.
 */
#include "config.h"

#include "api.h"

#include <string.h>

#include "api_sig.h"

#define LENGTH(array_) (sizeof(array_) / sizeof((array_)[0]))

/* The error codes of each function; { 0 } where it cannot fail. */
#define API(name_, fails_, body_, effect_, groups_, ...)	\
	static const cl_int codes_##name_[] = { __VA_ARGS__ };
#define EXT API
#include "api.def"
#undef EXT
#undef API

#define FIRST_OF(first_, ...)	(first_)

#define IS_TABLE		false
#define IS_SPECIAL		true

/* Effect and object in one number, which has no comma to trip a macro on. */
#define NOTHING			(CLAW_NOTHING)
#define CREATES(object_)	(CLAW_CREATES + 4 * CLAW_OBJ_##object_)
#define RETAINS(object_)	(CLAW_RETAINS + 4 * CLAW_OBJ_##object_)
#define RELEASES(object_)	(CLAW_RELEASES + 4 * CLAW_OBJ_##object_)

#define G0			0
#define G1(a_)			CLAW_G_##a_
#define G2(a_, b_)		(CLAW_G_##a_ | CLAW_G_##b_)
#define G3(a_, b_, c_)		(CLAW_G_##a_ | CLAW_G_##b_ | CLAW_G_##c_)

#define ONE_P(...)			+ 1
#define ROLE_P(role_, ...)		CLAW_P_##role_,
#define NAME_P(role_, param_, ...)	#param_,
#define HOLDS_P(role_, param_, text_, holds_, ...) CLAW_HOLDS_##holds_,
#define COUNT_P(role_, param_, text_, holds_, count_, ...) count_,
#define OBJECT_P(role_, param_, text_, holds_, count_, object_, type_)	\
	CLAW_OBJ_##object_,
#define BYTES_P(role_, param_, text_, holds_, count_, object_, type_)	\
	sizeof(type_),

#define ROW(extension_, name_, fails_, body_, effect_, groups_, ...)	\
	[CLAW_API_##name_] = {						\
		.name = #name_,						\
		.fails_as = CLAW_##fails_,				\
		.effect = (enum claw_effect)((effect_) % 4),		\
		.object = (enum claw_obj)((effect_) / 4),		\
		.groups = (groups_) | CLAW_G_ANY,			\
		.extension = (extension_),				\
		.special = IS_##body_,					\
		.codes = codes_##name_,					\
		.code_count = FIRST_OF(__VA_ARGS__, 0) ?		\
			LENGTH(codes_##name_) : 0,			\
		.param_count = (0 CLAW_SIG(name_, ONE_P)),		\
		.roles = { CLAW_SIG(name_, ROLE_P) },			\
		.params = { CLAW_SIG(name_, NAME_P) },			\
		.holds = { CLAW_SIG(name_, HOLDS_P) },			\
		.counts = { CLAW_SIG(name_, COUNT_P) },			\
		.objects = { CLAW_SIG(name_, OBJECT_P) },		\
		.bytes = { CLAW_SIG(name_, BYTES_P) },			\
	},
/* Behind the rows: what transfers touch. */
#define TOUCH(name_, i_, access_, kind_, ...)				\
	[CLAW_API_##name_].touches[i_] = {				\
		CLAW_TOUCH_##kind_, CLAW_TOUCH_##access_, __VA_ARGS__	\
	},

/* A function without parameters leaves two lists empty, which -Wpedantic
 * does not like before C23 and both compilers understand. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
const struct claw_api_info claw_api_table[CLAW_API_COUNT] = {
#define API(...) ROW(false, __VA_ARGS__)
#define EXT(...) ROW(true, __VA_ARGS__)
#include "api.def"
#undef EXT
#undef API
	CLAW_TOUCHES(TOUCH)
};
#pragma GCC diagnostic pop

_Static_assert((int)CLAW_API_COUNT <= (int)CLAW_JOURNAL_MAX_APIS,
	       "the journal has a counter for every function");

static const struct {
	const char *name;
	cl_int code;
} code_table[] = {
#define CODE(name_, number_) { #name_, number_ },
#include "cl_codes.def"
#undef CODE
};

static const char *const group_names[] = {
	"alloc", "transfer", "enqueue", "build", "sync", "create", "query",
	"release", "any",
};
_Static_assert(1u << (LENGTH(group_names) - 1) == CLAW_G_ANY,
	       "one name a group, in the order of enum claw_group");

static const char *const object_names[CLAW_OBJ_COUNT] = {
	[CLAW_OBJ_NONE] = "NONE",
	[CLAW_OBJ_DEVICE] = "DEVICE",
	[CLAW_OBJ_CONTEXT] = "CONTEXT",
	[CLAW_OBJ_QUEUE] = "QUEUE",
	[CLAW_OBJ_MEM] = "MEM",
	[CLAW_OBJ_SAMPLER] = "SAMPLER",
	[CLAW_OBJ_PROGRAM] = "PROGRAM",
	[CLAW_OBJ_KERNEL] = "KERNEL",
	[CLAW_OBJ_EVENT] = "EVENT",
	[CLAW_OBJ_SVM] = "SVM",
	[CLAW_OBJ_COMMAND_BUFFER] = "COMMAND_BUFFER",
	[CLAW_OBJ_SEMAPHORE] = "SEMAPHORE",
	[CLAW_OBJ_PLATFORM] = "PLATFORM",
	[CLAW_OBJ_MAPPING] = "MAPPING",
};

static bool same(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && memcmp(name, text, length) == 0;
}

int claw_api_find(const char *name)
{
	for (int i = 0; i < CLAW_API_COUNT; i++)
		if (strcmp(claw_api_table[i].name, name) == 0)
			return i;
	return -1;
}

int claw_api_find_name(enum claw_api api, const char *name)
{
	const struct claw_api_info *info = &claw_api_table[api];

	for (int i = 0; i < info->param_count; i++)
		if (!strcmp(info->params[i], name))
			return i;
	return -1;
}

int claw_api_find_param(enum claw_api api, enum claw_role role)
{
	const struct claw_api_info *info = &claw_api_table[api];

	for (int i = 0; i < info->param_count; i++)
		if (info->roles[i] == role)
			return i;
	return -1;
}

const struct claw_touch *claw_api_find_touch(enum claw_api api,
					     enum claw_touch_kind kind)
{
	const struct claw_touch *touches = claw_api_table[api].touches;

	for (unsigned int i = 0; i < CLAW_MAX_TOUCHES; i++)
		if (touches[i].kind == kind)
			return &touches[i];
	return NULL;
}

const struct claw_touch *claw_api_find_host(enum claw_api api)
{
	const struct claw_touch *touches = claw_api_table[api].touches;

	for (unsigned int i = 0; i < CLAW_MAX_TOUCHES; i++)
		if (touches[i].kind >= CLAW_TOUCH_HOST &&
		    touches[i].kind <= CLAW_TOUCH_HOST_PIXELS)
			return &touches[i];
	return NULL;
}

int claw_api_find_written(enum claw_api api)
{
	const struct claw_touch *touches = claw_api_table[api].touches;

	for (unsigned int i = 0; i < CLAW_MAX_TOUCHES; i++)
		if (touches[i].kind && touches[i].kind <= CLAW_TOUCH_IMAGE &&
		    touches[i].access == CLAW_TOUCH_WRITES)
			return touches[i].memory;
	return -1;
}

bool claw_api_allows(enum claw_api api, cl_int code)
{
	const struct claw_api_info *info = &claw_api_table[api];

	for (size_t i = 0; i < info->code_count; i++)
		if (info->codes[i] == code)
			return true;
	return false;
}

uint32_t claw_group_find(const char *name, size_t length)
{
	for (size_t i = 0; i < LENGTH(group_names); i++)
		if (same(group_names[i], name, length))
			return 1u << i;
	return 0;
}

const char *claw_group_name(uint32_t bit)
{
	for (size_t i = 0; i < LENGTH(group_names); i++)
		if (bit == 1u << i)
			return group_names[i];
	return NULL;
}

const char *claw_code_name(cl_int code)
{
	for (size_t i = 0; i < LENGTH(code_table); i++)
		if (code_table[i].code == code)
			return code_table[i].name;
	return NULL;
}

int claw_code_find(const char *name, size_t length, cl_int *ret_code)
{
	for (size_t i = 0; i < LENGTH(code_table); i++) {
		if (same(code_table[i].name, name, length)) {
			*ret_code = code_table[i].code;
			return 0;
		}
	}
	return -1;
}

const char *claw_obj_name(enum claw_obj object)
{
	if ((unsigned int)object >= CLAW_OBJ_COUNT)
		return NULL;
	return object_names[object];
}

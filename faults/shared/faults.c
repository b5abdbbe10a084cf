/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue of faults: in which functions each can happen, and the code
 * that it gives there. */
#include "config.h"

#include "plan.h"

#include <string.h>

const struct claw_fault_info claw_fault_table[CLAW_FAULT_COUNT] = {
	[CLAW_FAULT_NONE] = { .name = "none", .code = "", .summary = "" },
#define UNSEEN NULL
#define CODES(...) { __VA_ARGS__ }
#define FAULT(id_, name_, code_, value_, words_, where_, codes_, device_, \
	      does_, summary_, seen_) \
	[CLAW_FAULT_##id_] = { name_, code_, summary_, seen_, \
			       CLAW_VALUE_##value_, words_, CLAW_IN_##where_, \
			       codes_, CLAW_DEVICE_##device_ },
#include "faults.def"
#undef FAULT
#undef CODES
#undef UNSEEN
};

const char *claw_fault_next_word(const char *words, size_t *length)
{
	words += *length;
	words += *words == '|';
	*length = strcspn(words, "|");
	return *length ? words : NULL;
}

int claw_fault_find_word(const char *words, const char *word, size_t length)
{
	size_t size = 0;

	for (int i = 0; (words = claw_fault_next_word(words, &size)); i++)
		if (size == length && !memcmp(words, word, size))
			return i;
	return -1;
}

int claw_fault_word(enum claw_fault fault, const char *word)
{
	const struct claw_fault_info *info = &claw_fault_table[fault];

	return info->value == CLAW_VALUE_WORD ?
		claw_fault_find_word(info->words, word, strlen(word)) : -1;
}

/* Calls whose failure can come from the device being gone. */
static bool touches_device(const struct claw_api_info *info, enum claw_api api)
{
	static const enum claw_role roles[] = {
		CLAW_P_CONTEXT, CLAW_P_QUEUE, CLAW_P_OPTIONAL_QUEUE, CLAW_P_MEM,
		CLAW_P_PROGRAM, CLAW_P_KERNEL, CLAW_P_EVENTS,
		CLAW_P_COMMAND_BUFFER,
	};

	if (info->groups & (CLAW_G_QUERY | CLAW_G_RELEASE) ||
	    info->effect == CLAW_RETAINS || info->fails_as == CLAW_VOID)
		return false;
	if (info->effect == CLAW_CREATES && info->object == CLAW_OBJ_CONTEXT)
		return true;
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (claw_api_find_param(api, roles[i]) >= 0)
			return claw_api_allows(api, CL_OUT_OF_RESOURCES);
	return false;
}

static bool creates_handle(const struct claw_api_info *info)
{
	return info->fails_as == CLAW_HANDLE && info->effect == CLAW_CREATES;
}

static bool can_be_null(const struct claw_rule *rule, enum claw_api api,
			const struct claw_api_info *info)
{
	if (creates_handle(info))
		return rule->words & CLAW_NULL_HANDLE;
	if (info->fails_as == CLAW_POINTER)
		return rule->words & CLAW_NULL_MAP &&
		       info->groups & (CLAW_G_ALLOC | CLAW_G_TRANSFER);
	return rule->words & CLAW_NULL_ARG && api == CLAW_API_clSetKernelArg;
}

/* In which functions the rule's fault can happen at all. */
static bool happens_in(const struct claw_rule *rule, enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];
	const struct claw_touch *host = claw_api_find_host(api);

	switch (claw_fault_table[rule->fault].where) {
	case CLAW_IN_ALL:
		return true;
	case CLAW_IN_DEVICE:
		return touches_device(info, api);
	case CLAW_IN_BUILD:
		return info->groups & CLAW_G_BUILD;
	case CLAW_IN_CREATE:
		return creates_handle(info);
	case CLAW_IN_POINTER:
		return can_be_null(rule, api, info);
	case CLAW_IN_RANGE:
		return api == CLAW_API_clEnqueueNDRangeKernel;
	case CLAW_IN_LAUNCH:
		return claw_api_find_param(api, CLAW_P_KERNEL) >= 0 &&
		       claw_api_find_param(api, CLAW_P_QUEUE) >= 0 &&
		       info->groups & CLAW_G_ENQUEUE;
	case CLAW_IN_READ:
		return host && host->access == CLAW_TOUCH_WRITES;
	case CLAW_IN_TRANSFER:
		return info->groups & CLAW_G_TRANSFER &&
		       (claw_api_find_param(api, CLAW_P_BLOCKING) >= 0 ||
			api == CLAW_API_clEnqueueUnmapMemObject ||
			api == CLAW_API_clEnqueueMigrateMemObjects);
	}
	return false;
}

cl_int claw_rule_code(const struct claw_rule *rule, enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];
	const cl_int *code = claw_fault_table[rule->fault].codes;

	if (rule->fault == CLAW_FAULT_ERROR)
		return rule->error;
	if (!*code || !happens_in(rule, api))
		return 0;
	if (*code == CLAW_CODE_FIRST)
		return info->code_count ? info->codes[0] : 0;
	while (*code && !claw_api_allows(api, *code))
		code++;
	return *code;
}

bool claw_fault_applies(const struct claw_rule *rule, enum claw_api api,
			bool broad, bool allow_illegal)
{
	const struct claw_api_info *info = &claw_api_table[api];

	/* A failed release frees nothing and says little; a query that hangs
	 * hides all behind it. */
	if (broad && (info->groups & CLAW_G_RELEASE ||
		      (info->groups & CLAW_G_QUERY &&
		       rule->fault == CLAW_FAULT_HANG)) && rule->fault)
		return false;
	if (rule->fault == CLAW_FAULT_ERROR)
		return info->fails_as != CLAW_VOID && info->code_count &&
		       (allow_illegal || claw_api_allows(api, rule->error));
	return happens_in(rule, api) &&
	       (!*claw_fault_table[rule->fault].codes ||
		claw_rule_code(rule, api));
}

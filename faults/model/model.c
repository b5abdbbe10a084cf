/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device models: read what the host compiled, find out which model a call is
 * about, and hand the call on to presentation and memory.
 */
#include "config.h"

#include "model.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "faults/device/failure.h"
#include "faults/life/kept.h"
#include "model_alias.h"

enum { CONTEXTS = 64 };		/* remembered, a power of two */

/* The devices of contexts, by their address: two words that were not set
 * together are seen by that. */
static struct remembered {
	uintptr_t context, check;	/* check: context + device + 1 */
} contexts[CONTEXTS];

/* ---- reading */

enum kind { SIZE, COUNT, PERCENT, DURATION, WORD, TEXT };

static const struct row {
	const char *name;
	enum kind kind;
	size_t offset;
} rows[] = {
#define KEY(key_, kind_, ...) \
	{ #key_, kind_, offsetof(struct claw_model, key_) },
#include "faults/shared/model_keys.def"
#undef KEY
};

/* One row's line. The host wrote it; what is not known is another version's. */
static bool read_row(struct claw_model *model, const char *line)
{
	size_t length = strcspn(line, " ");
	const char *value = line[length] ? line + length + 1 : "";

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *field = (char *)model + rows[i].offset;
		uint64_t number;

		if (strlen(rows[i].name) != length ||
		    memcmp(rows[i].name, line, length) != 0)
			continue;
		if (rows[i].kind == TEXT) {
			claw_copy_text(field, CLAW_MODEL_TEXT_MAX, value,
				       strlen(value));
		} else {
			number = strtoull(value, NULL, 10);
			memcpy(field, &number, sizeof(number));
		}
		return true;
	}
	return false;
}

static void read_line(const char *line)
{
	if (!strncmp(line, "device ", 7)) {
		if (claw_models_known < CLAW_MODELS_MAX)
			claw_models_known++;
	} else if (!claw_models_known) {
		claw_say("models: a line before the first device: \"%.80s\"",
			 line);
	} else if (!strncmp(line, "failure ", 8)) {
		claw_failure_read_line(claw_models_known - 1, line + 8);
	} else if (*line && !read_row(&claw_models[claw_models_known - 1], line)) {
		claw_say("models: not known here: \"%.80s\"", line);
	}
}

void claw_models_begin(char *text)
{
	while (text && *text) {
		char *end = strchr(text, '\n');

		if (end)
			*end = '\0';
		read_line(text);
		text = end ? end + 1 : NULL;
	}
	if (!claw_models_known)
		return;
	claw_model_memory_begin();
	claw_model_memory_account();
	if (!claw_ledger_is_on())
		claw_say("without a ledger the device model knows of no memory");
}

void claw_models_reset(void)
{
	memset(contexts, 0, sizeof(contexts));
	if (!claw_models_known)
		return;
	claw_model_memory_begin();
	claw_alias_reset();
}

/* ---- which device */

static struct remembered *place_of(const void *context)
{
	return &contexts[((uintptr_t)context >> 4) *
			 UINT64_C(0x9e3779b97f4a7c15) >> 58];
}

static void remember(const void *context, unsigned int device)
{
	struct remembered *place = place_of(context);

	__atomic_store_n(&place->context, (uintptr_t)context, __ATOMIC_RELAXED);
	__atomic_store_n(&place->check, (uintptr_t)context + device + 1,
			 __ATOMIC_RELAXED);
}

static unsigned int ask_context(cl_context context)
{
	cl_device_id devices[16];
	size_t size = 0;
	unsigned int device = 0;

	claw_ours_begin();
	if (claw_next.clGetContextInfo(context, CL_CONTEXT_DEVICES,
				       sizeof(devices), devices, &size) ||
	    size < sizeof(*devices))
		devices[0] = NULL;
	claw_ours_end();
	if (devices[0]) {
		devices[0] = claw_device_whole(devices[0]);
		device = claw_model_of_device(devices[0]);
	}
	claw_model_memory_prepare(device, devices[0]);
	remember(context, device);
	return device;
}

unsigned int claw_model_of_context(cl_context context)
{
	const struct remembered *place = place_of(context);
	uintptr_t known = __atomic_load_n(&place->context, __ATOMIC_RELAXED);
	uintptr_t device = __atomic_load_n(&place->check, __ATOMIC_RELAXED) -
			   (uintptr_t)context - 1;

	if (known == (uintptr_t)context && device < CLAW_MODELS_MAX)
		return (unsigned int)device;
	return context ? ask_context(context) : 0;
}

/* ---- calls */

static bool is_query(enum claw_api api)
{
	return api == CLAW_API_clGetDeviceIDs ||
	       api == CLAW_API_clGetDeviceInfo ||
	       api == CLAW_API_clGetPlatformInfo ||
	       api == CLAW_API_clGetKernelWorkGroupInfo;
}

/* Does any model take memory when commands come, or limit what is mapped? */
static bool watches_commands(void)
{
	for (unsigned int i = 0; i < claw_models_known; i++)
		if (claw_models[i].allocation == CLAW_MODEL_LAZY ||
		    claw_models[i].release == CLAW_MODEL_AFTER_COMMANDS ||
		    claw_models[i].pinned_memory)
			return true;
	return false;
}

bool claw_model_interest(enum claw_api api)
{
	uint32_t groups = claw_api_table[api].groups;

	return claw_models_known &&
	       (is_query(api) ||
		(claw_pending_wanted && claw_kept_may_show(api)) || claw_api_makes_context(api) ||
		(groups & CLAW_G_ALLOC && api != CLAW_API_clCreateBuffer) ||
		api == CLAW_API_clEnqueueNDRangeKernel ||
		(groups & CLAW_G_ENQUEUE && watches_commands()));
}

void claw_model_before(struct claw_call *call)
{
	claw_model_ask(call);
	if (!call->injected && claw_ledger_is_on())
		claw_model_memory_before(call);
}

void claw_model_after(struct claw_call *call)
{
	if (claw_ledger_is_on())
		claw_model_memory_after(call);
	claw_model_present(call);
	/* Another may have stood at its address. */
	if (claw_api_makes_context(call->api) && call->ret)
		ask_context(call->ret);
}

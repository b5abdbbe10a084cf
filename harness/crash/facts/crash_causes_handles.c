/* SPDX-License-Identifier: Apache-2.0 */
/* Causes that are in the handles: NULL, released, never set. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "crash_kernel.h"
#include "crash_rules.h"
#include "crash_words.h"

/* Handles that no object has are looked for in all of them: so many times. */
enum { LOOKS_MAX = 4096 };

/* The type of object that a parameter must not be NULL for, or NONE. */
static enum claw_obj needed_type(uint8_t role)
{
	switch (role) {
	case CLAW_P_DEVICE: return CLAW_OBJ_DEVICE;
	case CLAW_P_CONTEXT: return CLAW_OBJ_CONTEXT;
	case CLAW_P_QUEUE: return CLAW_OBJ_QUEUE;
	case CLAW_P_MEM: return CLAW_OBJ_MEM;
	case CLAW_P_SAMPLER: return CLAW_OBJ_SAMPLER;
	case CLAW_P_PROGRAM: return CLAW_OBJ_PROGRAM;
	case CLAW_P_KERNEL: return CLAW_OBJ_KERNEL;
	case CLAW_P_EVENT: return CLAW_OBJ_EVENT;
	case CLAW_P_SEMAPHORE: return CLAW_OBJ_SEMAPHORE;
	case CLAW_P_COMMAND_BUFFER: return CLAW_OBJ_COMMAND_BUFFER;
	default: return CLAW_OBJ_NONE;
	}
}

static bool is_zero(const struct claw_trace_arg *arg)
{
	static const char zero[8];

	return arg->bytes && arg->size == sizeof(zero) &&
	       memcmp(arg->bytes, zero, sizeof(zero)) == 0;
}

/* ---- NULL ------------------------------------------------------------- */

struct use {
	uint32_t call;		/* index + 1 */
	const char *what;	/* parameter, or NULL */
	uint32_t argument;	/* of a kernel */
	enum claw_obj type;
};

/* Does the call take the NULL of a creation? */
static bool takes_null(const struct claw_trace_call *call, struct use *use)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	const struct claw_trace_arg *value = claw_crash_arg(call, "arg_value");

	for (uint32_t i = 0; i < call->arg_count && i < info->param_count;
	     i++) {
		enum claw_obj type = needed_type(info->roles[i]);

		if (type == CLAW_OBJ_NONE || call->args[i].kind !=
		    CLAW_ARG_NULL)
			continue;
		*use = (struct use){ .what = info->params[i], .type = type };
		return true;
	}
	if (call->api == CLAW_API_clSetKernelArg && value && is_zero(value)) {
		*use = (struct use){ .type = CLAW_OBJ_MEM,
				     .argument = (uint32_t)call->args[1].word };
		return true;
	}
	for (uint32_t i = 0; i < call->kernel_arg_count; i++) {
		if (!call->kernel_args[i].is_null)
			continue;
		*use = (struct use){ .type = CLAW_OBJ_MEM, .argument =
				     call->kernel_args[i].index };
		return true;
	}
	return false;
}

/* The last creation of such an object before the use that gave none. */
static uint32_t failed_creation(const struct claw_crash_facts *f,
				const struct use *use)
{
	for (uint32_t i = use->call - 1; i > 0; i--) {
		const struct claw_trace_call *call = &f->trace->calls[i - 1];
		const struct claw_api_info *info;

		if (!claw_crash_is_call(call) || !call->returned)
			continue;
		info = &claw_api_table[call->api];
		if (info->effect == CLAW_CREATES && info->object == use->type &&
		    (call->result < 0 || call->fault == CLAW_FAULT_NULL))
			return i;
	}
	return 0;
}

static void put_use(FILE *out, const struct claw_crash_facts *f,
		    const struct use *use)
{
	const struct claw_trace_call *call = claw_crash_call(f, use->call);

	fprintf(out, "#%" PRIu32 " %s", call->number,
		claw_crash_api_name(call));
	if (use->what)
		fprintf(out, " was given NULL for %s", use->what);
	else if (claw_api_is_launch(call->api))
		fprintf(out, " of %s has NULL for argument %" PRIu32,
			claw_crash_kernel_of(f, use->call), use->argument);
	else
		fprintf(out, " set argument %" PRIu32 " to NULL",
			use->argument);
}

/* A launch with a NULL buffer is one only where the launch is to blame. */
bool claw_cause_null_carried(const struct claw_crash_facts *f,
			     struct claw_crash_note *note)
{
	struct use use;
	uint32_t made = 0;

	for (uint32_t i = f->trace->call_count; !made && i > 0; i--) {
		const struct claw_trace_call *call = &f->trace->calls[i - 1];

		if (note->nth || !claw_crash_is_call(call) ||
		    !takes_null(call, &use))
			continue;
		use.call = i;
		made = failed_creation(f, &use);
	}
	if (!made)
		return false;
	claw_crash_put_call(note->evidence, f, made);
	if (claw_crash_call(f, made)->fault == CLAW_FAULT_NULL)
		fputs(" gave NULL", note->evidence);
	fputs("; ", note->evidence);
	put_use(note->evidence, f, &use);
	return true;
}

/* Is the launch's argument meant to be memory of the device? */
bool claw_cause_null_argument(const struct claw_crash_facts *f,
			      struct claw_crash_note *note)
{
	const struct claw_trace_call *launch = claw_crash_call(f, f->launch);
	struct claw_crash_kernel kernel = { .param_count = 0 };
	unsigned int left = note->nth;

	if (!launch)
		return false;
	claw_crash_kernel_find(f->trace, claw_trace_launched(launch), &kernel);
	for (uint32_t i = 0; i < launch->kernel_arg_count; i++) {
		uint32_t index = launch->kernel_args[i].index;

		if (!claw_crash_kernel_has_null(&kernel,
						&launch->kernel_args[i]) ||
		    left-- > 0)
			continue;
		fprintf(note->detail, "argument %" PRIu32, index);
		if (index < kernel.param_count)
			fprintf(note->detail, " (%s)",
				kernel.params[index].name);
		claw_crash_put_launch(note->evidence, f, f->launch);
		if (f->has_address && f->address < 65536)
			fprintf(note->evidence, "; the faulting address 0x%" PRIx64
				" is near NULL", f->address);
		return true;
	}
	return false;
}

/* ---- released --------------------------------------------------------- */

/* The object with that handle which was gone before the call, or 0. */
static claw_object_id gone_before(const struct claw_crash_facts *f,
				  claw_object_id object, uint64_t handle,
				  uint32_t call, unsigned int *looks)
{
	const struct claw_trace_object *known =
		claw_trace_object_get(f->trace, object);

	if (known)
		return known->gone_by && known->gone_by < call ? object : 0;
	if (!handle || ++*looks > LOOKS_MAX)
		return 0;
	for (claw_object_id id = f->trace->object_count; id > 0; id--) {
		known = &f->trace->objects[id - 1];
		if (known->handle == handle && known->gone_by &&
		    known->gone_by < call)
			return id;
	}
	return 0;
}

static uint64_t word_of(const struct claw_trace_kernel_arg *arg)
{
	uint64_t word = 0;

	if (!arg->value || arg->size != sizeof(word))
		return 0;
	memcpy(&word, arg->value, sizeof(word));
	return word;
}

struct released {
	claw_object_id object;
	const char *what;	/* parameter, or NULL: argument */
	uint32_t argument;
};

static bool uses_released(const struct claw_crash_facts *f, uint32_t number,
			  unsigned int *looks, struct released *ret)
{
	const struct claw_trace_call *call = claw_crash_call(f, number);
	const struct claw_api_info *info = &claw_api_table[call->api];

	for (uint32_t i = 0; i < call->arg_count && i < info->param_count;
	     i++) {
		const struct claw_trace_arg *arg = &call->args[i];

		if (arg->kind != CLAW_ARG_OBJECT)
			continue;
		ret->object = gone_before(f, arg->objects && arg->count ?
					  arg->objects[0] : 0, arg->word,
					  number, looks);
		ret->what = info->params[i];
		if (ret->object)
			return true;
	}
	ret->what = NULL;
	for (uint32_t i = 0; i < call->kernel_arg_count; i++) {
		const struct claw_trace_kernel_arg *arg =
			&call->kernel_args[i];

		ret->object = gone_before(f, arg->object, word_of(arg), number,
					  looks);
		ret->argument = arg->index;
		if (ret->object)
			return true;
	}
	return false;
}

/* Does the end have to do with the call? */
static bool is_near(const struct claw_crash_facts *f, uint32_t number)
{
	return number == f->launch || number == f->pending ||
	       number == f->told || number == f->failed;
}

static void put_released(const struct claw_crash_facts *f, uint32_t number,
			 const struct released *released, FILE *out)
{
	const struct claw_trace_object *object =
		claw_trace_object_get(f->trace, released->object);

	claw_crash_put_launch(out, f, number);
	fprintf(out, " used %s", claw_trace_object_name(f->trace,
							released->object));
	if (released->what)
		fprintf(out, " (%s)", released->what);
	else
		fprintf(out, " as argument %" PRIu32, released->argument);
	fputs(", which was released by ", out);
	claw_crash_put_call(out, f, object->gone_by);
	if (object->made_by && object->made_by <= f->trace->call_count) {
		fputs("; made by ", out);
		claw_crash_put_call(out, f, object->made_by);
	}
}

bool claw_cause_released_used(const struct claw_crash_facts *f,
			      struct claw_crash_note *note)
{
	unsigned int looks = 0;
	struct released released = { .object = 0 };

	for (uint32_t i = f->trace->call_count; !note->nth && i > 0; i--) {
		if (!claw_crash_is_call(&f->trace->calls[i - 1]) ||
		    !uses_released(f, i, &looks, &released))
			continue;
		if (!is_near(f, i))
			note->percent = 70;
		put_released(f, i, &released, note->evidence);
		return true;
	}
	return false;
}

/* ---- never set -------------------------------------------------------- */

static bool is_set(const struct claw_trace_call *launch, uint32_t index)
{
	for (uint32_t i = 0; i < launch->kernel_arg_count; i++)
		if (launch->kernel_args[i].index == index)
			return true;
	return false;
}

bool claw_cause_unset_argument(const struct claw_crash_facts *f,
			       struct claw_crash_note *note)
{
	const struct claw_trace_call *failed = claw_crash_call(f, f->failed);
	uint32_t number = failed && failed->result == CL_INVALID_KERNEL_ARGS ?
		f->failed : f->launch;
	const struct claw_trace_call *launch = claw_crash_call(f, number);
	struct claw_crash_kernel kernel = { .param_count = 0 };
	bool any = false;

	if (note->nth || !launch || !claw_crash_is_call(launch) ||
	    launch->args_unknown)
		return false;
	claw_crash_kernel_find(f->trace, claw_trace_launched(launch), &kernel);
	for (uint32_t i = 0; i < kernel.param_count; i++) {
		if (is_set(launch, i))
			continue;
		fprintf(note->detail, "%s%" PRIu32 " (%s)", any ? ", " :
			"argument ", i, kernel.params[i].name);
		any = true;
	}
	if (!any && (launch->result != CL_INVALID_KERNEL_ARGS ||
		     kernel.param_count))
		return false;
	claw_crash_put_call(note->evidence, f, number);
	return true;
}

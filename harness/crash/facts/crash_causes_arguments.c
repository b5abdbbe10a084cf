/* SPDX-License-Identifier: Apache-2.0 */
/* Causes that are in what a launch was given: numbers, local memory. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "crash_kernel.h"
#include "crash_memory.h"
#include "crash_rules.h"
#include "crash_words.h"

/* Did a launch go wrong in its kernel? */
static const struct claw_trace_call *
faulted_launch(const struct claw_crash_facts *f)
{
	const struct claw_trace_call *launch = claw_crash_call(f, f->launch);

	if (f->top == CLAW_TOP_PROGRAM || (!f->signal && !f->told) ||
	    strcmp(f->trigger, "timeout") == 0 ||
	    (f->told && strcmp(f->told_code, "clw-gpu-crash") != 0))
		return NULL;
	return launch && !claw_crash_is_injected(launch) ? launch : NULL;
}

/* ---- numbers ---------------------------------------------------------- */

/* The largest buffer that the launch has. */
struct largest {
	uint64_t bytes, elements;
};

static struct largest find_largest(const struct claw_crash_facts *f,
				   const struct claw_trace_call *launch,
				   const struct claw_crash_kernel *kernel)
{
	struct largest largest = { .bytes = 0 };

	for (uint32_t i = 0; i < launch->kernel_arg_count; i++) {
		const struct claw_trace_kernel_arg *arg =
			&launch->kernel_args[i];
		const struct claw_trace_object *object =
			claw_trace_object_get(f->trace, arg->object);
		uint64_t each;

		if (!object || object->bytes <= largest.bytes)
			continue;
		each = arg->index < kernel->param_count ?
			kernel->params[arg->index].element_bytes : 0;
		largest.bytes = object->bytes;
		largest.elements = object->bytes / (each ? each : 1);
	}
	return largest;
}

/* A whole number that the kernel takes by value. A difference of unsigned
 * numbers that is below 0 is meant to be so. */
static bool take_number(const struct claw_crash_kernel *kernel,
			const struct claw_trace_kernel_arg *arg,
			int64_t *ret_number)
{
	const struct claw_crash_param *param =
		arg->index < kernel->param_count ?
		&kernel->params[arg->index] : NULL;
	int32_t number;

	if (!param || !arg->value || arg->object || param->is_pointer ||
	    param->is_real || param->element_bytes != arg->size)
		return false;
	if (arg->size == sizeof(*ret_number)) {
		memcpy(ret_number, arg->value, sizeof(*ret_number));
		return true;
	}
	if (arg->size != sizeof(number))
		return false;
	memcpy(&number, arg->value, sizeof(number));
	*ret_number = number;
	return true;
}

static void put_number(const struct claw_crash_facts *f,
		       const struct claw_trace_kernel_arg *arg,
		       const struct claw_crash_kernel *kernel, int64_t number,
		       const struct largest *largest,
		       struct claw_crash_note *note)
{
	fprintf(note->detail, "argument %" PRIu32 " (%s)", arg->index,
		kernel->params[arg->index].name);
	claw_crash_put_launch(note->evidence, f, f->launch);
	fprintf(note->evidence, ": argument %" PRIu32 " is %s%" PRId64
		"; its largest buffer has %" PRIu64 " elements, ", arg->index,
		number < 0 ? "negative, " : "", number, largest->elements);
	claw_crash_put_bytes(note->evidence, largest->bytes);
}

bool claw_cause_wild_number(const struct claw_crash_facts *f,
			    struct claw_crash_note *note)
{
	const struct claw_trace_call *launch = faulted_launch(f);
	struct claw_crash_kernel kernel = { .param_count = 0 };
	unsigned int left = note->nth;
	struct largest largest;

	if (!launch || !claw_crash_kernel_find(f->trace,
				claw_trace_launched(launch), &kernel))
		return false;
	largest = find_largest(f, launch, &kernel);
	for (uint32_t i = 0; largest.bytes && i < launch->kernel_arg_count;
	     i++) {
		int64_t number;

		if (!take_number(&kernel, &launch->kernel_args[i], &number) ||
		    (number >= 0 && (uint64_t)number <= largest.elements) ||
		    left-- > 0)
			continue;
		/* -1 often stands for none; more than elements for a size. */
		if (number >= 0 ? (uint64_t)number <= largest.bytes :
		    number == -1)
			note->percent = 45;
		put_number(f, &launch->kernel_args[i], &kernel, number,
			   &largest, note);
		return true;
	}
	return false;
}

/* ---- local memory ----------------------------------------------------- */

bool claw_cause_local_memory(const struct claw_crash_facts *f,
			     struct claw_crash_note *note)
{
	const struct claw_trace_call *launch = claw_crash_call(f, f->launch);
	uint64_t has = claw_crash_local_memory(f->dump), bytes = 0;

	for (uint32_t i = 0; launch && i < launch->kernel_arg_count; i++)
		if (launch->kernel_args[i].is_local &&
		    __builtin_add_overflow(bytes, launch->kernel_args[i].size,
					   &bytes))
			bytes = UINT64_MAX;
	if (note->nth || !has || bytes <= has)
		return false;
	claw_crash_put_launch(note->evidence, f, f->launch);
	fputs(" has ", note->evidence);
	claw_crash_put_bytes(note->evidence, bytes);
	fputs(" of local memory in its arguments, the device ",
	      note->evidence);
	claw_crash_put_bytes(note->evidence, has);
	return true;
}

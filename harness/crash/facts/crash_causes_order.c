/* SPDX-License-Identifier: Apache-2.0 */
/* Causes that are in the order of commands and the sizes of launches. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "crash_rules.h"
#include "crash_words.h"

enum { COMMANDS_BACK = 1000 };	/* that are looked at for each other */

/* ---- worked before ---------------------------------------------------- */

static bool is_launch(const struct claw_trace_call *call)
{
	return claw_crash_is_call(call) && claw_api_is_launch(call->api);
}

/* The last launch of the same kernel that ended well before this one; how
 * many. */
static uint32_t earlier_launch(const struct claw_crash_facts *f,
			       uint32_t *ret_count)
{
	const char *name = claw_crash_kernel_of(f, f->launch);
	uint32_t last = 0;

	*ret_count = 0;
	for (uint32_t i = 0; *name && i + 1 < f->launch; i++) {
		const struct claw_trace_call *call = &f->trace->calls[i];

		if (!is_launch(call) || !call->returned || call->result < 0 ||
		    !f->done_by[i] ||
		    strcmp(claw_crash_kernel_of(f, i + 1), name) != 0)
			continue;
		last = i + 1;
		++*ret_count;
	}
	return last;
}

static bool same_sizes(const struct claw_trace_call *a,
		       const struct claw_trace_call *b, const char *name)
{
	const struct claw_trace_arg *x = claw_crash_arg(a, name);
	const struct claw_trace_arg *y = claw_crash_arg(b, name);

	if (!x || !y || !x->bytes || !y->bytes)
		return (!x || !x->bytes) == (!y || !y->bytes);
	return x->size == y->size && memcmp(x->bytes, y->bytes, x->size) == 0;
}

static uint64_t bytes_of(const struct claw_crash_facts *f,
			 const struct claw_trace_kernel_arg *arg)
{
	const struct claw_trace_object *object =
		claw_trace_object_get(f->trace, arg->object);

	return object ? object->bytes : 0;
}

/* "global 1024, was 64; " */
static void put_sizes(FILE *out, const struct claw_trace_call *now,
		      const struct claw_trace_call *before, const char *title,
		      const char *name)
{
	if (same_sizes(now, before, name))
		return;
	fprintf(out, "; %s ", title);
	claw_crash_put_sizes(out, now, name);
	fputs(", was ", out);
	claw_crash_put_sizes(out, before, name);
}

static const struct claw_trace_kernel_arg *
find_arg(const struct claw_trace_call *launch, uint32_t index)
{
	for (uint32_t i = 0; i < launch->kernel_arg_count; i++)
		if (launch->kernel_args[i].index == index)
			return &launch->kernel_args[i];
	return NULL;
}

static void put_number(FILE *out, const struct claw_trace_kernel_arg *arg)
{
	uint64_t word = 0;

	memcpy(&word, arg->value, arg->size);
	if (arg->size <= 4)
		fprintf(out, "%" PRIu64, word);
	else
		fprintf(out, "0x%" PRIx64, word);
}

static void put_arg(FILE *out, const struct claw_crash_facts *f,
		    const struct claw_trace_kernel_arg *now,
		    const struct claw_trace_kernel_arg *before)
{
	uint64_t bytes = bytes_of(f, now), old = bytes_of(f, before);

	if (now->is_null != before->is_null) {
		fprintf(out, "; argument %" PRIu32 " is%s NULL", now->index,
			now->is_null ? "" : " not");
	} else if (bytes != old) {
		fprintf(out, "; argument %" PRIu32 " has ", now->index);
		claw_crash_put_bytes(out, bytes);
		fputs(", had ", out);
		claw_crash_put_bytes(out, old);
	} else if (!now->object && now->value && before->value &&
		   now->size == before->size && now->size &&
		   now->size <= sizeof(uint64_t) &&
		   memcmp(now->value, before->value, now->size) != 0) {
		fprintf(out, "; argument %" PRIu32 " is ", now->index);
		put_number(out, now);
		fputs(", was ", out);
		put_number(out, before);
	}
}

bool claw_cause_other_sizes(const struct claw_crash_facts *f,
			    struct claw_crash_note *note)
{
	const struct claw_trace_call *now = claw_crash_call(f, f->launch);
	uint32_t count, earlier;
	const struct claw_trace_call *before;
	long start;

	if (note->nth || !now || !is_launch(now))
		return false;
	earlier = earlier_launch(f, &count);
	before = claw_crash_call(f, earlier);
	if (!before)
		return false;
	claw_crash_put_launch(note->evidence, f, earlier);
	fputs(" ended well", note->evidence);
	if (count > 1)
		fprintf(note->evidence, ", as did %" PRIu32 " more", count - 1);
	start = ftell(note->evidence);
	put_sizes(note->evidence, now, before, "global size",
		  "global_work_size");
	put_sizes(note->evidence, now, before, "local size", "local_work_size");
	for (uint32_t i = 0; i < now->kernel_arg_count; i++) {
		const struct claw_trace_kernel_arg *old =
			find_arg(before, now->kernel_args[i].index);

		if (old)
			put_arg(note->evidence, f, &now->kernel_args[i], old);
	}
	/* Equal in all that is known: only the data differs, or the time. */
	if (ftell(note->evidence) == start) {
		note->percent = 25;
		fputs("or with the same: the difference is in the data or in "
		      "the timing", note->detail);
	}
	return true;
}

/* ---- missing wait ----------------------------------------------------- */

static bool uses(const struct claw_trace_call *command, claw_object_id object)
{
	const struct claw_api_info *info = &claw_api_table[command->api];

	for (uint32_t i = 0; i < command->arg_count && i < info->param_count;
	     i++)
		if (info->roles[i] == CLAW_P_MEM && command->args[i].objects &&
		    command->args[i].count &&
		    command->args[i].objects[0] == object)
			return true;
	for (uint32_t i = 0; i < command->kernel_arg_count; i++)
		if (command->kernel_args[i].object == object)
			return true;
	return false;
}

/* A memory object that both use, or 0. */
static claw_object_id shared_object(const struct claw_crash_facts *f,
				    const struct claw_trace_call *a,
				    const struct claw_trace_call *b)
{
	for (uint32_t i = 0; i < a->kernel_arg_count; i++) {
		const struct claw_trace_object *object = claw_trace_object_get(
			f->trace, a->kernel_args[i].object);

		if (object && object->type == CLAW_OBJ_MEM &&
		    uses(b, a->kernel_args[i].object))
			return a->kernel_args[i].object;
	}
	return 0;
}

static bool waits_for(const struct claw_trace_call *later,
		      const struct claw_trace_call *earlier)
{
	const struct claw_trace_arg *list =
		claw_trace_arg_find(later, CLAW_P_WAIT_LIST);
	claw_object_id event = claw_crash_object(earlier, CLAW_P_EVENT_OUT);

	for (uint32_t i = 0; event && list && list->objects && i < list->count;
	     i++)
		if (list->objects[i] == event)
			return true;
	return false;
}

static bool is_unordered(const struct claw_crash_facts *f, uint32_t number,
			 const struct claw_trace_call *launch)
{
	const struct claw_trace_call *other = claw_crash_call(f, number);

	return claw_crash_is_call(other) &&
	       claw_api_table[other->api].groups & CLAW_G_ENQUEUE &&
	       other->result == 0 &&
	       claw_crash_object(other, CLAW_P_QUEUE) !=
	       claw_crash_object(launch, CLAW_P_QUEUE) &&
	       (!f->done_by[number - 1] ||
		f->done_by[number - 1] > f->launch) &&
	       !waits_for(launch, other);
}

bool claw_cause_missing_wait(const struct claw_crash_facts *f,
			     struct claw_crash_note *note)
{
	const struct claw_trace_call *launch = claw_crash_call(f, f->launch);

	if (note->nth || !launch || !is_launch(launch))
		return false;
	for (uint32_t i = f->launch - 1, n = 0; i > 0 && n < COMMANDS_BACK;
	     i--, n++) {
		claw_object_id object;

		if (!is_unordered(f, i, launch))
			continue;
		object = shared_object(f, launch, claw_crash_call(f, i));
		if (!object)
			continue;
		claw_crash_put_launch(note->evidence, f, f->launch);
		fprintf(note->evidence, " uses %s, which ",
			claw_trace_object_name(f->trace, object));
		claw_crash_put_call(note->evidence, f, i);
		fputs(" uses in another queue, with no event or wait to order "
		      "them", note->evidence);
		return true;
	}
	return false;
}

/* ---- sizes that are refused ------------------------------------------- */

bool claw_cause_group_size(const struct claw_crash_facts *f,
			   struct claw_crash_note *note)
{
	const struct claw_trace_call *call = claw_crash_call(f, f->failed);
	const struct claw_trace_arg *global, *local;

	if (note->nth || !call || !is_launch(call) ||
	    call->result != CL_INVALID_WORK_GROUP_SIZE)
		return false;
	global = claw_crash_arg(call, "global_work_size");
	local = claw_crash_arg(call, "local_work_size");
	for (unsigned int i = 0; i < 3; i++) {
		uint64_t size = claw_crash_size(local, i);

		if (!size || claw_crash_size(global, i) % size == 0)
			continue;
		claw_crash_put_call(note->evidence, f, f->failed);
		fputs(": global size ", note->evidence);
		claw_crash_put_sizes(note->evidence, call, "global_work_size");
		fputs(", local size ", note->evidence);
		claw_crash_put_sizes(note->evidence, call, "local_work_size");
		return true;
	}
	return false;
}

/* ---- what never ended ------------------------------------------------- */

static bool has_waited_in_vain(const struct claw_crash_facts *f)
{
	const struct claw_trace_call *call = claw_crash_call(f, f->pending);

	return strcmp(f->trigger, "timeout") == 0 ||
	       (call && claw_crash_waits(call));
}

static bool was_completed(const struct claw_crash_facts *f,
			  claw_object_id event)
{
	for (uint32_t i = 0; i < f->trace->call_count; i++) {
		const struct claw_trace_call *call = &f->trace->calls[i];

		if (call->api == CLAW_API_clSetUserEventStatus &&
		    claw_crash_object(call, CLAW_P_EVENT) == event)
			return true;
	}
	return false;
}

bool claw_crash_has_gate(const struct claw_crash_facts *f)
{
	for (uint32_t i = 0; i < f->trace->call_count; i++) {
		const struct claw_trace_call *call = &f->trace->calls[i];

		if (call->api == CLAW_API_clCreateUserEvent && call->made &&
		    !was_completed(f, call->made))
			return true;
	}
	return false;
}

bool claw_cause_user_event(const struct claw_crash_facts *f,
			   struct claw_crash_note *note)
{
	unsigned int left = note->nth;

	if (f->signal && !f->pending)
		return false;
	if (note->nth > 3 || !has_waited_in_vain(f))
		return false;
	for (uint32_t i = 0; i < f->trace->call_count; i++) {
		const struct claw_trace_call *call = &f->trace->calls[i];

		if (call->api != CLAW_API_clCreateUserEvent || !call->made ||
		    was_completed(f, call->made) || left-- > 0)
			continue;
		claw_crash_put_call(note->evidence, f, i + 1);
		fputs("; it was never completed with clSetUserEventStatus", note->evidence);
		return true;
	}
	return false;
}

bool claw_cause_never_ended(const struct claw_crash_facts *f,
			    struct claw_crash_note *note)
{
	const struct claw_trace_call *launch = claw_crash_call(f, f->launch);

	if (note->nth || !launch || strcmp(f->trigger, "timeout") != 0)
		return false;
	claw_crash_put_launch(note->evidence, f, f->launch);
	fputs(", global size ", note->evidence);
	claw_crash_put_sizes(note->evidence, launch, "global_work_size");
	if (f->pending) {
		fputs("; then ", note->evidence);
		claw_crash_put_call(note->evidence, f, f->pending);
	}
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Causes that are in memory: too small, used up, overwritten, gone. */
#include "config.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "crash_kernel.h"
#include "crash_memory.h"
#include "crash_output.h"
#include "crash_rules.h"
#include "crash_words.h"

/* ---- smaller than the launch ------------------------------------------ */

static void put_smaller(struct claw_crash_note *note,
			const struct claw_crash_facts *f,
			const struct claw_trace_kernel_arg *arg,
			const struct claw_crash_param *param,
			uint64_t bytes, uint64_t items)
{
	const struct claw_trace_call *launch = claw_crash_call(f, f->launch);

	fprintf(note->detail, "argument %" PRIu32, arg->index);
	if (param)
		fprintf(note->detail, " (%s)", param->name);
	claw_crash_put_launch(note->evidence, f, f->launch);
	fputs(": global size ", note->evidence);
	claw_crash_put_sizes(note->evidence, launch, "global_work_size");
	fprintf(note->evidence, " is %" PRIu64 " work-items", items);
	if (param)
		fprintf(note->evidence, ", of %" PRIu64 " byte%s each %" PRIu64
			" bytes", param->element_bytes,
			param->element_bytes == 1 ? "" : "s",
			param->element_bytes * items);
	fprintf(note->evidence, "; %s has ",
		claw_trace_object_name(f->trace, arg->object));
	claw_crash_put_bytes(note->evidence, bytes);
}

/* One element a work-item is the rule, not the law: less than a byte each is
 * surer than what the type says. */
static bool is_smaller(const struct claw_crash_param *param, uint64_t bytes,
		       uint64_t items, struct claw_crash_note *note)
{
	uint64_t needed;

	if (bytes < items) {
		note->percent = param ? 80 : 70;
		return true;
	}
	if (!param || __builtin_mul_overflow(items, param->element_bytes,
					     &needed))
		return false;
	note->percent = 75;
	return bytes < needed;
}

/* A whole number among the arguments that may be how many elements there
 * are: the kernel may well look at it before it goes there. */
static bool may_be_bounded(const struct claw_trace_call *launch, uint64_t bytes)
{
	for (uint32_t i = 0; i < launch->kernel_arg_count; i++) {
		const struct claw_trace_kernel_arg *arg =
			&launch->kernel_args[i];
		uint64_t number = 0;

		if (!arg->value || arg->object || arg->is_local ||
		    (arg->size != 4 && arg->size != 8))
			continue;
		memcpy(&number, arg->value, arg->size);
		if (number > 0 && number <= bytes)
			return true;
	}
	return false;
}

bool claw_cause_small_buffer(const struct claw_crash_facts *f,
			     struct claw_crash_note *note)
{
	const struct claw_trace_call *launch = claw_crash_call(f, f->launch);
	uint64_t items = launch ? claw_crash_work_items(launch) : 0;
	struct claw_crash_kernel kernel = { .param_count = 0 };
	unsigned int left = note->nth;

	if (items < 2)
		return false;
	claw_crash_kernel_find(f->trace, claw_trace_launched(launch), &kernel);
	for (uint32_t i = 0; i < launch->kernel_arg_count; i++) {
		const struct claw_trace_kernel_arg *arg =
			&launch->kernel_args[i];
		const struct claw_trace_object *object =
			claw_trace_object_get(f->trace, arg->object);
		const struct claw_crash_param *param =
			arg->index < kernel.param_count &&
			kernel.params[arg->index].element_bytes ?
			&kernel.params[arg->index] : NULL;
		uint64_t bytes;

		if (!object || !object->bytes || arg->offset > object->bytes ||
		    (object->type != CLAW_OBJ_MEM &&
		     object->type != CLAW_OBJ_SVM))
			continue;
		bytes = object->bytes - arg->offset;
		if (!is_smaller(param, bytes, items, note) || left-- > 0)
			continue;
		if (may_be_bounded(launch, bytes))
			note->percent = 35;
		put_smaller(note, f, arg, param, bytes, items);
		return true;
	}
	return false;
}

/* ---- transfers -------------------------------------------------------- */

/* Parameters of a transfer that say where it is in which memory object. */
static const struct {
	const char *object, *offset;
} ends[] = {
	{ "buffer", "offset" }, { "src_buffer", "src_offset" },
	{ "dst_buffer", "dst_offset" },
};

static bool reaches_past(const struct claw_crash_facts *f,
			 const struct claw_trace_call *call, size_t end,
			 uint64_t *ret_to, const struct claw_trace_object **ret)
{
	const struct claw_trace_arg *object =
		claw_crash_arg(call, ends[end].object);
	const struct claw_trace_arg *offset =
		claw_crash_arg(call, ends[end].offset);
	const struct claw_trace_arg *size = claw_crash_arg(call, "size");

	if (!object || !offset || !size || !object->objects || !object->count ||
	    offset->kind != CLAW_ARG_WORD || size->kind != CLAW_ARG_WORD)
		return false;
	*ret = claw_trace_object_get(f->trace, object->objects[0]);
	if (!*ret || !(*ret)->bytes)
		return false;
	return __builtin_add_overflow(offset->word, size->word, ret_to) ||
	       *ret_to > (*ret)->bytes;
}

bool claw_cause_past_the_end(const struct claw_crash_facts *f,
			     struct claw_crash_note *note)
{
	const struct claw_trace_object *object;
	unsigned int left = note->nth;
	uint64_t to;

	for (uint32_t i = f->trace->call_count; i > 0; i--) {
		const struct claw_trace_call *call = &f->trace->calls[i - 1];

		if (!claw_crash_is_call(call) ||
		    !(claw_api_table[call->api].groups & CLAW_G_TRANSFER))
			continue;
		for (size_t e = 0; e < sizeof(ends) / sizeof(*ends); e++) {
			if (!reaches_past(f, call, e, &to, &object) ||
			    left-- > 0)
				continue;
			claw_crash_put_call(note->evidence, f, i);
			fprintf(note->evidence, ", up to byte %" PRIu64
				" of a buffer of ", to);
			claw_crash_put_bytes(note->evidence, object->bytes);
			return true;
		}
	}
	return false;
}

/* ---- used up ---------------------------------------------------------- */

static void put_alive(const struct claw_crash_facts *f, uint32_t at, FILE *out)
{
	uint64_t of = claw_crash_device_memory(f->dump);
	uint32_t objects;
	uint64_t alive = claw_crash_memory_alive(f, at, &objects);

	claw_crash_put_bytes(out, alive);
	fprintf(out, " in %" PRIu32 " memory object%s", objects,
		objects == 1 ? " was alive" : "s were alive");
	if (!of)
		return;
	fputs(", of the device's ", out);
	claw_crash_put_bytes(out, of);
}

/* Killed, and most of the machine's memory was in its buffers. */
static bool filled_machine(const struct claw_crash_facts *f)
{
	uint64_t of = (uint64_t)json_integer_value(json_object_get(
		json_object_get(f->dump->meta, "machine"), "memory_bytes"));
	uint32_t objects;

	return f->signal == SIGKILL && of > 0 &&
	       claw_crash_memory_alive(f, f->trace->call_count + 1, &objects) >
	       of / 2;
}

bool claw_cause_memory_used_up(const struct claw_crash_facts *f,
			       struct claw_crash_note *note)
{
	const struct claw_trace_call *call = claw_crash_call(f, f->no_memory);
	const struct claw_trace_arg *size;

	if (note->nth)
		return false;
	if (!call) {
		if (!filled_machine(f))
			return false;
		note->percent = 60;
		put_alive(f, f->trace->call_count + 1, note->evidence);
		fputs(" when it was killed", note->evidence);
		return true;
	}
	if ((f->told && f->told < f->no_memory) ||
	    claw_crash_is_injected(call))
		note->percent = 45;
	claw_crash_put_call(note->evidence, f, f->no_memory);
	size = claw_trace_arg_find(call, CLAW_P_SIZE);
	if (size && size->word) {
		fputs(" for ", note->evidence);
		claw_crash_put_bytes(note->evidence, size->word);
	}
	fputs("; ", note->evidence);
	put_alive(f, f->no_memory, note->evidence);
	return true;
}

/* ---- the program's own memory ----------------------------------------- */

/* The memory of the program's that a transfer uses. */
static bool host_range(const struct claw_trace_call *call, uint64_t *ret_from,
		       uint64_t *ret_bytes)
{
	const struct claw_trace_arg *at = claw_crash_arg(call, "ptr");
	const struct claw_trace_arg *size = claw_trace_arg_find(call,
								CLAW_P_SIZE);

	if (!at || !size || !at->word)
		return false;
	*ret_from = at->word;
	*ret_bytes = size->word;
	return true;
}

bool claw_cause_host_range(const struct claw_crash_facts *f,
			   struct claw_crash_note *note)
{
	uint64_t from, bytes;

	if (note->nth || !f->has_address || !f->signal)
		return false;
	for (uint32_t i = f->trace->call_count; i > 0; i--) {
		const struct claw_trace_call *call = &f->trace->calls[i - 1];

		if (!claw_crash_is_call(call) || f->done_by[i - 1] ||
		    !(claw_api_table[call->api].groups & CLAW_G_TRANSFER) ||
		    !host_range(call, &from, &bytes) || f->address < from ||
		    f->address - from >= bytes)
			continue;
		claw_crash_put_call(note->evidence, f, i);
		fputs(" was given ", note->evidence);
		claw_crash_put_bytes(note->evidence, bytes);
		fprintf(note->evidence, " at 0x%" PRIx64 "; byte %" PRIu64
			" of them, 0x%" PRIx64 ", is not there", from,
			f->address - from, f->address);
		return true;
	}
	return false;
}

/* The last transfer that wrote into memory of the program's. */
static uint32_t last_read(const struct claw_crash_facts *f)
{
	for (uint32_t i = f->trace->call_count; i > 0; i--) {
		const struct claw_trace_arg *at =
			claw_crash_arg(&f->trace->calls[i - 1], "ptr");

		if (at && at->kind == CLAW_ARG_OUT)
			return i;
	}
	return 0;
}

/* glibc's end of a process whose heap is broken. */
static bool ended_by_heap(const struct claw_crash_facts *f)
{
	char *stack = f->crash && f->signal == SIGABRT ?
		claw_crash_stack(f, f->crash->site) : NULL;
	bool is_there = stack && strstr(stack, "malloc_printerr");

	free(stack);
	return is_there;
}

bool claw_cause_host_heap(const struct claw_crash_facts *f,
			  struct claw_crash_note *note)
{
	static const char *const words[] = {
		"corrupted size vs. prev_size", "free(): invalid",
		"double free or corruption", "malloc(): ", "malloc_consolidate",
		"munmap_chunk(): invalid", "realloc(): invalid",
		"*** stack smashing detected", "*** buffer overflow detected",
		"corrupted double-linked list", "invalid chunk size", NULL,
	};
	char *line = note->nth ? NULL : claw_crash_said(f->dump, words);
	bool was_ended = !note->nth && ended_by_heap(f);
	uint32_t read = line || was_ended ? last_read(f) : 0;
	uint64_t from, bytes;

	if (!line && !was_ended)
		return false;
	if (line)
		fprintf(note->evidence, "it printed: %s", line);
	else
		fputs("the C library ended it in a function of the heap",
		      note->evidence);
	free(line);
	if (!read || !host_range(claw_crash_call(f, read), &from, &bytes))
		return true;
	fputs("; the last transfer into its memory was ", note->evidence);
	claw_crash_put_call(note->evidence, f, read);
	fputs(" of ", note->evidence);
	claw_crash_put_bytes(note->evidence, bytes);
	return true;
}

/* A mapping that was unmapped, shared memory that was freed. */
bool claw_cause_gone_pointer(const struct claw_crash_facts *f,
			     struct claw_crash_note *note)
{
	if (note->nth || !f->has_address || !f->signal)
		return false;
	for (uint32_t i = f->trace->object_count; i > 0; i--) {
		const struct claw_trace_object *object =
			&f->trace->objects[i - 1];

		if ((object->type != CLAW_OBJ_MAPPING &&
		     object->type != CLAW_OBJ_SVM) || !object->gone_by ||
		    f->address < object->handle ||
		    f->address - object->handle >= object->bytes)
			continue;
		fprintf(note->evidence, "0x%" PRIx64 " is byte %" PRIu64
			" of %s, which went with ", f->address,
			f->address - object->handle,
			claw_trace_object_name(f->trace, i));
		claw_crash_put_call(note->evidence, f, object->gone_by);
		return true;
	}
	return false;
}

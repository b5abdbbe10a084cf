/* SPDX-License-Identifier: Apache-2.0 */
/* The contents that a dump is to have. */
#include "config.h"

#include "dump_choose.h"

#include <stdlib.h>

#include "harness/base/memory.h"

struct choosing {
	const struct claw_trace *trace;
	bool *wanted;		/* objects (number - 1) */
	bool *left_out;		/* contents (index) */
	uint64_t room;
};

static void want_memory(struct choosing *c, const struct claw_trace_call *call)
{
	for (uint32_t i = 0; i < call->kernel_arg_count; i++) {
		claw_object_id id = call->kernel_args[i].object;

		/* A part's bytes were given to the whole. */
		for (int depth = 0; id && depth < 4; depth++) {
			c->wanted[id - 1] = true;
			id = c->trace->objects[id - 1].parent;
			if (id && c->trace->objects[id - 1].type !=
			    CLAW_OBJ_MEM)
				id = 0;
		}
	}
}

static void want_last_launches(struct choosing *c)
{
	unsigned int left = CLAW_DUMP_LAUNCHES;

	for (uint32_t i = c->trace->call_count; i > 0 && left > 0; i--) {
		const struct claw_trace_call *call = &c->trace->calls[i - 1];

		if (call->api >= CLAW_API_COUNT ||
		    !claw_api_is_launch(call->api))
			continue;
		want_memory(c, call);
		left--;
	}
}

/* Contents that come first are the last to go without a place. */
static void take(struct choosing *c, uint32_t content, bool is_wanted)
{
	uint64_t length;

	if (!content || !c->left_out[content - 1])
		return;
	length = c->trace->contents[content - 1].length;
	if (!is_wanted) {
		if (length > c->room)
			return;
		c->room -= length;
	}
	c->left_out[content - 1] = false;
}

static bool uses_wanted(const struct choosing *c,
			const struct claw_trace_call *call)
{
	if (call->made && c->wanted[call->made - 1])
		return true;
	for (uint32_t i = 0; i < call->arg_count; i++)
		for (uint32_t n = 0; call->args[i].objects &&
		     n < call->args[i].count; n++)
			if (call->args[i].objects[n] &&
			    c->wanted[call->args[i].objects[n] - 1])
				return true;
	return false;
}

enum pass { NONE, WANTED, ALL };

/* The first pass finds what is data; what is none (a long list of options)
 * stays. */
static void see(struct choosing *c, uint32_t content, bool is_wanted,
		enum pass pass)
{
	if (pass == NONE && content)
		c->left_out[content - 1] = true;
	else if (is_wanted || pass == ALL)
		take(c, content, is_wanted);
}

static void see_call(struct choosing *c, const struct claw_trace_call *call,
		     enum pass pass)
{
	bool uses = uses_wanted(c, call);

	for (uint32_t i = 0; i < call->arg_count; i++) {
		const struct claw_trace_arg *arg = &call->args[i];
		bool is_wanted = uses || arg->kind == CLAW_ARG_TEXTS;
		/* Only lists of contents have more than one. */
		uint32_t count = arg->kind == CLAW_ARG_TEXTS ||
			arg->kind == CLAW_ARG_CONTENT ? arg->count :
			arg->count > 0;

		for (uint32_t n = 0; arg->contents && n < count; n++)
			see(c, arg->contents[n], is_wanted, pass);
	}
	for (uint32_t i = 0; i < call->kernel_arg_count; i++) {
		bool is_wanted = call->kernel_args[i].object &&
			c->wanted[call->kernel_args[i].object - 1];

		see(c, call->kernel_args[i].before, is_wanted, pass);
	}
}

static void see_all(struct choosing *c, enum pass pass)
{
	for (uint32_t i = c->trace->call_count; i > 0; i--)
		see_call(c, &c->trace->calls[i - 1], pass);
	for (uint32_t i = 0; i < c->trace->object_count; i++)
		see(c, c->trace->objects[i].first_content, c->wanted[i], pass);
}

/* By content of the trace (index); malloced. */
static bool *choose(const struct claw_trace *trace)
{
	struct choosing c = {
		.trace = trace,
		.room = CLAW_DUMP_OTHER_BYTES,
		.wanted = claw_calloc(trace->object_count + 1u,
				      sizeof(*c.wanted)),
		.left_out = claw_calloc(trace->content_count + 1u,
					sizeof(*c.left_out)),
	};

	see_all(&c, NONE);
	want_last_launches(&c);
	see_all(&c, WANTED);
	see_all(&c, ALL);
	free(c.wanted);
	return c.left_out;
}

void claw_dump_leave_out(struct claw_trace *trace)
{
	bool *left_out = choose(trace);

	for (uint32_t i = 0; i < trace->content_count; i++)
		if (left_out[i])
			trace->contents[i].bytes = NULL;
	free(left_out);
}

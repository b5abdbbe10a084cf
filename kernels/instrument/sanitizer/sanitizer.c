/* SPDX-License-Identifier: Apache-2.0 */
/* The sanitizer as a kind of probe: see sanitizer_private.h. */
#include "config.h"

#include "sanitizer.h"
#include "sanitizer_private.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/probe_format.h"

enum { ROW = 1 };	/* of main.c's table */

static struct claw_sanitizer *sanitizer_of(const struct claw_rewrite *rewrite)
{
	return rewrite->of_probes[ROW];
}

/* Else nothing needs to be known of the objects. */
static bool asks_accesses(const struct claw_rewrite *rewrite)
{
	return rewrite->request->modes &
		((CLAW_PROBE_CHECKS | CLAW_PROBE_ARITHMETIC) & ~CLAW_PROBE_BARRIERS);
}

/* Of any declaration of it. */
struct claw_body *claw_body_of(struct claw_sanitizer *sanitizer,
			       const struct claw_function *function)
{
	for (size_t i = 0; i < sanitizer->body_count; i++)
		if (strcmp(sanitizer->bodies[i].function->name,
			   function->name) == 0)
			return &sanitizer->bodies[i];
	return NULL;
}

static void gather(struct claw_sanitizer *sanitizer)
{
	const struct claw_unit *unit = sanitizer->rewrite->unit;

	sanitizer->bodies = claw_calloc(unit->function_count + 1,
				   sizeof(*sanitizer->bodies));
	for (size_t i = 0; i < unit->function_count; i++) {
		struct claw_body *body =
			&sanitizer->bodies[sanitizer->body_count];

		if (!unit->functions[i].is_definition)
			continue;
		body->sanitizer = sanitizer;
		body->function = &unit->functions[i];
		body->root = claw_nodes_new(unit, body->function->cursor);
		claw_variables_gather(body);
		sanitizer->body_count++;
	}
}

static void add_caller(struct claw_body *callee, struct claw_body *caller,
		       struct claw_node *call)
{
	struct claw_caller *grown = claw_grow(callee->callers,
					      callee->caller_count + 1,
					      sizeof(*grown));

	callee->callers = grown;
	grown[callee->caller_count++] = (struct claw_caller){ caller, call };
}

/* What is done there to what it is given is not looked at. */
static bool is_elsewhere(const struct claw_function *called,
			 const struct claw_node *call)
{
	if (called->is_definition)
		return false;
	for (struct claw_node *child = call->first; child; child = child->next)
		if (claw_type_is_pointer(child->type) ||
		    claw_type_is_image(child->type))
			return true;
	return false;
}

static void gather_calls(struct claw_body *body)
{
	for (struct claw_node *node = body->root; node;
	     node = claw_nodes_next(body->root, node)) {
		const struct claw_function *called =
			node->kind == CXCursor_CallExpr ?
			claw_unit_callee(body->sanitizer->rewrite->unit,
					 node->cursor) : NULL;
		struct claw_body *callee = called ?
			claw_body_of(body->sanitizer, called) : NULL;

		if (callee)
			add_caller(callee, body, node);
		else if (called && is_elsewhere(called, node) &&
			 asks_accesses(body->sanitizer->rewrite))
			claw_check_unchecked(body, node);
	}
}

/* What no kernel of the text reaches is not checked: headers are full of it.
 * Without a kernel it is a library, whose callers are elsewhere. */
static void find_reached(struct claw_sanitizer *sanitizer)
{
	bool has_kernel = false, more = true;

	for (size_t i = 0; i < sanitizer->body_count; i++)
		has_kernel |= sanitizer->bodies[i].function->is_kernel;
	while (more) {
		more = false;
		for (size_t i = 0; i < sanitizer->body_count; i++) {
			struct claw_body *body = &sanitizer->bodies[i];
			bool reached = !has_kernel || body->function->is_kernel;

			for (size_t k = 0; k < body->caller_count; k++)
				reached |= body->callers[k].caller->is_reached;
			more |= reached && !body->is_reached;
			body->is_reached = reached;
		}
	}
}

/* A kernel needs the sinks of all that it may call. */
static void spread_sinks(struct claw_sanitizer *sanitizer)
{
	/* What is called elsewhere has the kernel's. */
	bool local = sanitizer->rewrite->request->is_separate, private = local;

	for (size_t i = 0; i < sanitizer->body_count; i++) {
		const struct claw_body *body = &sanitizer->bodies[i];

		if (body->function->is_kernel)
			continue;
		local = local || body->touches_local;
		private = private || body->touches_private;
	}
	for (size_t i = 0; i < sanitizer->body_count; i++) {
		sanitizer->bodies[i].touches_local |= local;
		sanitizer->bodies[i].touches_private |= private;
	}
}

/* Of a kernel and all that it calls. */
struct sum {
	struct claw_sanitizer *sanitizer;
	unsigned int numbered, unchecked;	/* with a check, without one */
	const struct claw_node *first;		/* of those without one */
};

static void add_unchecked(struct sum *sum, unsigned int count,
			  const struct claw_node *first)
{
	if (count && !sum->first)
		sum->first = first;
	sum->unchecked += count;
}

/* A kernel that another one calls knows no sizes, and no shadow. */
static void add_up(struct sum *sum, struct claw_body *body)
{
	if (body->is_summed)
		return;
	body->is_summed = true;
	sum->numbered += body->numbered;
	add_unchecked(sum, body->unchecked, body->first_unchecked);
	for (size_t i = 0; i < sum->sanitizer->body_count; i++) {
		struct claw_body *callee = &sum->sanitizer->bodies[i];

		for (size_t k = 0; k < callee->caller_count; k++) {
			if (callee->callers[k].caller != body)
				continue;
			if (callee->function->is_kernel)
				add_unchecked(sum, callee->numbered > 0,
					      callee->callers[k].call);
			else
				add_up(sum, callee);
		}
	}
}

static void tell_unchecked(struct claw_sanitizer *sanitizer,
			   struct claw_body *kernel)
{
	struct sum sum = { .sanitizer = sanitizer };

	for (size_t i = 0; i < sanitizer->body_count; i++)
		sanitizer->bodies[i].is_summed = false;
	add_up(&sum, kernel);
	if (sum.first && !sum.numbered)
		claw_check_blind(kernel, sum.first, "");
	else if (sum.first)
		claw_check_partly(kernel, sum.first, sum.unchecked);
}

static int rewrite_all(struct claw_rewrite *rewrite)
{
	struct claw_sanitizer *sanitizer = claw_calloc(1, sizeof(*sanitizer));

	rewrite->of_probes[ROW] = sanitizer;
	sanitizer->rewrite = rewrite;
	sanitizer->sink_bytes[CLAW_SPACE_LOCAL] = CLAW_SINK_BYTES;
	sanitizer->sink_bytes[CLAW_SPACE_PRIVATE] = CLAW_SINK_BYTES;
	gather(sanitizer);
	for (size_t i = 0; i < sanitizer->body_count; i++)
		gather_calls(&sanitizer->bodies[i]);
	find_reached(sanitizer);
	claw_barriers_find(sanitizer);
	claw_own_find(sanitizer);
	for (size_t i = 0; i < sanitizer->body_count; i++)
		claw_init_find(&sanitizer->bodies[i]);
	rewrite->edits.tag = CLAW_TAG_CHECK;
	for (size_t i = 0; i < sanitizer->body_count; i++)
		if (sanitizer->bodies[i].is_reached && asks_accesses(rewrite))
			claw_accesses_find(&sanitizer->bodies[i]);
	for (size_t i = 0; i < sanitizer->body_count; i++)
		claw_hoist_finish(&sanitizer->bodies[i]);
	rewrite->edits.tag = 0;
	for (size_t i = 0; i < sanitizer->body_count; i++)
		if (sanitizer->bodies[i].function->is_kernel)
			tell_unchecked(sanitizer, &sanitizer->bodies[i]);
	spread_sinks(sanitizer);
	fputs("uint launch, zeroed; __local ulong *ls; __private ulong *ps; ",
	      rewrite->fields.stream);
	claw_preamble_write(sanitizer, rewrite->helpers.stream);
	claw_barriers_finish(sanitizer, rewrite->helpers.stream,
			     rewrite->own_fields.stream);
	claw_init_finish(sanitizer, rewrite->helpers.stream,
			 rewrite->own_fields.stream);
	return claw_races_finish(sanitizer, rewrite->helpers.stream,
				 rewrite->fields.stream);
}

static CXType parameter_type(const struct claw_function *function,
			     unsigned int index)
{
	return clang_getCursorType(clang_Cursor_getArgument(function->cursor,
							    index));
}

static bool is_pointer_parameter(const struct claw_function *function,
				 unsigned int index)
{
	return claw_type_is_pointer(parameter_type(function, index));
}

/* As the map calls what it leads to; NULL: nothing is asked of it. */
static const char *space_of(CXType type)
{
	if (claw_type_is_pointer(type))
		return claw_space_names[claw_type_space(claw_type_pointee(type))];
	return claw_type_is_image(type) ? "image" :
	       claw_type_is_sampler(type) ? "sampler" : NULL;
}

/* Of what is said of it. */
static const char *type_of(const char *space)
{
	return strcmp(space, "image") == 0 ? "uint4" : "ulong";
}

static unsigned int parameters(struct claw_rewrite *rewrite,
			       const struct claw_function *kernel,
			       unsigned int first, FILE *out)
{
	FILE *map = rewrite->map.stream;
	unsigned int count = 1;

	fputs(", uint __claw_launch", out);
	if (kernel->is_definition)
		fprintf(map, "launch %s %u\n", kernel->name, first);
	count += claw_races_parameters(sanitizer_of(rewrite), kernel,
				       first + count, out, map);
	count += claw_init_parameters(sanitizer_of(rewrite), kernel,
				      first + count, out, map);
	for (unsigned int i = 0; i < kernel->parameters; i++) {
		const char *space = space_of(parameter_type(kernel, i));

		if (!space || !asks_accesses(rewrite))
			continue;
		fprintf(out, ", %s __claw_n%u", type_of(space), i);
		if (kernel->is_definition)
			fprintf(map, "size %s %u %u %s\n", kernel->name,
				first + count, i, space);
		count++;
	}
	return count;
}

static void begin(struct claw_rewrite *rewrite,
		  const struct claw_function *kernel, FILE *out)
{
	struct claw_body *body = claw_body_of(sanitizer_of(rewrite), kernel);

	fputs(" __claw_k.launch = __claw_launch;", out);
	if (!body)
		return;
	claw_races_begin(body, out);
	claw_init_begin(body, out);
	claw_barriers_begin(body, out);
	if (!asks_accesses(rewrite))
		return;
	const unsigned long long *bytes = body->sanitizer->sink_bytes;

	if (body->touches_local || body->touches_private)
		fputs(" __claw_k.zeroed = 0u;", out);
	if (body->touches_local)
		fprintf(out, " __local ulong16 __claw_ls[%llu]; __claw_k.ls = (__local ulong *)__claw_ls;",
			bytes[CLAW_SPACE_LOCAL] * 2 / 128);
	if (body->touches_private)
		fprintf(out, " ulong16 __claw_ps[%llu]; __claw_k.ps = (__private ulong *)__claw_ps;",
			bytes[CLAW_SPACE_PRIVATE] * 2 / 128);
	for (unsigned int i = 0; i < kernel->parameters; i++) {
		CXCursor parameter = clang_Cursor_getArgument(kernel->cursor, i);
		char *name = claw_nodes_name(parameter);

		if (is_pointer_parameter(kernel, i) && name[0])
			fprintf(out, " const ulong __claw_l%u = (ulong)%s;", i,
				name);
		free(name);
	}
	claw_hoist_write_entry(body, out);
}

static void put_pointer_parameter(const struct claw_rewrite *rewrite,
				  unsigned int i, FILE *out)
{
	fprintf(out, ", ulong __claw_l%u, ulong __claw_n%u, uint __claw_o%u", i,
		i, i);
	if (claw_races_are_asked(rewrite))
		fprintf(out, ", ulong __claw_u%u", i);
	if (claw_init_is_asked(rewrite))
		fprintf(out, ", ulong __claw_cell%u", i);
}

static void function_parameters(struct claw_rewrite *rewrite,
				const struct claw_function *function, FILE *out)
{
	if (!asks_accesses(rewrite))
		return;
	for (unsigned int i = 0; i < function->parameters; i++) {
		CXType type = parameter_type(function, i);

		if (claw_type_is_pointer(type))
			put_pointer_parameter(rewrite, i, out);
		else if (claw_type_is_image(type))
			fprintf(out, ", uint4 __claw_n%u, uint __claw_o%u", i,
				i);
		else if (claw_type_is_sampler(type))
			fprintf(out, ", ulong __claw_n%u", i);
	}
}

/* The call of a function as a node, and the function that it is in. */
static struct claw_body *body_around(struct claw_sanitizer *sanitizer,
				     const struct claw_function *callee,
				     CXCursor call, struct claw_node **ret)
{
	struct claw_body *called = claw_body_of(sanitizer, callee);
	size_t start, end;

	if (!called ||
	    !claw_unit_range(sanitizer->rewrite->unit, call, &start, &end))
		return NULL;
	for (size_t i = 0; i < called->caller_count; i++) {
		*ret = called->callers[i].call;
		if ((*ret)->start == start && (*ret)->end == end)
			return called->callers[i].caller;
	}
	return NULL;
}

/* What a function has to know of an argument; body NULL: the call is not in
 * one of ours. */
static void put_argument(const struct claw_rewrite *rewrite,
			 struct claw_body *body, struct claw_node *argument,
			 CXType type, FILE *out)
{
	char sampler[CLAW_SAMPLER_WORDS];
	struct claw_image_words image;

	if (claw_type_is_sampler(type)) {
		bool known = argument && claw_sampler_words(body, argument,
							    sampler);

		fprintf(out, ", %s", known ? sampler : "0UL");
	} else if (claw_type_is_image(type)) {
		claw_image_words(body, argument, &image);
		fprintf(out, ", %s, %s", image.size, image.object);
	} else if (!argument) {
		fprintf(out, ", 0UL, __CLAW_ANY, 0u%s%s", claw_races_are_asked(
				rewrite) ? ", __CLAW_NO_SHADOW" : "",
			claw_init_is_asked(rewrite) ? ", __CLAW_NO_CELL" : "");
	} else {
		claw_check_given(body, argument,
				 claw_type_space(claw_type_pointee(type)),
				 out);
	}
}

static void call_arguments(struct claw_rewrite *rewrite,
			   const struct claw_function *callee, CXCursor call,
			   FILE *out)
{
	struct claw_node *node = NULL;
	struct claw_body *body = body_around(sanitizer_of(rewrite), callee,
					     call, &node);

	if (callee->is_kernel) {
		fputs(", __claw->launch", out);
		claw_races_call_kernel(sanitizer_of(rewrite), callee, out);
		claw_init_call_kernel(sanitizer_of(rewrite), callee, out);
	}
	if (!asks_accesses(rewrite))
		return;
	for (unsigned int i = 0; i < callee->parameters; i++) {
		CXType type = parameter_type(callee, i);

		if (!space_of(type))
			continue;
		if (callee->is_kernel)
			fputs(claw_type_is_pointer(type) ? ", __CLAW_ANY" :
			      claw_type_is_image(type) ? ", __CLAW_ANY_IMAGE" :
			      ", 0UL", out);
		else
			put_argument(rewrite, body,
				     body ? claw_argument(node, i) : NULL,
				     type, out);
	}
}

static void release(struct claw_rewrite *rewrite)
{
	struct claw_sanitizer *sanitizer = sanitizer_of(rewrite);

	if (!sanitizer)
		return;
	for (size_t i = 0; i < sanitizer->body_count; i++) {
		claw_hoist_release(&sanitizer->bodies[i]);
		claw_variables_release(&sanitizer->bodies[i]);
		claw_races_release(&sanitizer->bodies[i]);
		claw_init_release(&sanitizer->bodies[i]);
		claw_barriers_release(&sanitizer->bodies[i]);
		free(sanitizer->bodies[i].callers);
		claw_nodes_free(sanitizer->bodies[i].root);
	}
	free(sanitizer->bodies);
	free(sanitizer->done);
	free(sanitizer);
	rewrite->of_probes[ROW] = NULL;
}

const struct claw_probes_kind claw_probes_sanitizer = {
	.modes = CLAW_PROBE_CHECKS | CLAW_PROBE_ARITHMETIC,
	.rewrite = rewrite_all,
	.parameters = parameters,
	.begin = begin,
	.function_parameters = function_parameters,
	.call_arguments = call_arguments,
	.release = release,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* What builtin functions touch through their pointers: see sanitizer_private.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "faults/shared/probe_format.h"
#include "sanitizer_private.h"

/* Functions that write through one pointer. */
static const struct { const char *name; unsigned int argument; } writers[] = {
	{ "sincos", 1 }, { "fract", 1 }, { "modf", 1 }, { "frexp", 1 },
	{ "remquo", 2 }, { "lgamma_r", 1 }, { "atomic_init", 0 },
};

struct vector_call {
	bool is_store;
	bool is_aligned;	/* vloada_ */
	unsigned int elements;
};

/* vload4, vstore_half3_rte ...; false: none of them. */
static bool read_vector_call(const char *name, struct vector_call *call)
{
	memset(call, 0, sizeof(*call));
	call->is_store = strncmp(name, "vstore", 6) == 0;
	if (!call->is_store && strncmp(name, "vload", 5) != 0)
		return false;
	name += call->is_store ? 6 : 5;
	if (*name == 'a') {
		call->is_aligned = true;
		name++;
	}
	if (strncmp(name, "_half", 5) == 0)
		name += 5;
	call->elements = (unsigned int)strtoul(name, NULL, 10);
	if (call->elements == 0)
		call->elements = 1;
	return true;
}

static void check_vector(struct claw_body *body, struct claw_node *call,
			 const struct vector_call *vector)
{
	struct claw_node *index = claw_argument(call, vector->is_store);
	struct claw_node *pointer = claw_argument(call, vector->is_store + 1u);
	unsigned int factor = vector->elements;

	if (!index || !pointer || !claw_type_is_pointer(pointer->type)) {
		claw_init_unknown_call(body, call);
		return;
	}
	long long align = claw_type_size(claw_type_pointee(pointer->type));

	if (vector->is_aligned) {
		factor = factor == 3 ? 4 : factor;
		align *= factor;
	}
	claw_check_vector(body, index, pointer, factor, vector->elements, align,
			  vector->is_store ? CLAW_WRITE : CLAW_READ);
}

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

static void check_atomic(struct claw_body *body, struct claw_node *call,
			 const char *name)
{
	struct claw_node *pointer = claw_argument(call, 0);

	claw_race_order(body, call, name);
	if (pointer && claw_type_is_pointer(pointer->type))
		claw_check_pointer(body, pointer, strcmp(name, "atomic_init") ?
				   CLAW_ATOMIC : CLAW_WRITE);
	if (!strstr(name, "compare_exchange"))
		return;
	pointer = claw_argument(call, 1);
	if (pointer && claw_type_is_pointer(pointer->type))
		claw_check_pointer(body, pointer, CLAW_WRITE);
}

/* sub_group_barrier() counts as one of the whole group: what it does not order
 * between sub-groups is not seen. */
static void wait_for_copies(struct claw_body *body, struct claw_node *call,
			    const char *name)
{
	claw_race_wait(body, call);
	if (strcmp(name, "wait_group_events") == 0)
		claw_init_wait(body, call);
	else if (claw_check_is_on(body, CLAW_PROBE_RACES))
		claw_check_unchecked(body, call);
}

/* Races are not looked for in images, which matters where one is written; nor
 * is what nobody wrote there, where one is read. */
static void check_image(struct claw_body *body, struct claw_node *call,
			const char *name)
{
	if (claw_check_is_on(body, begins(name, "write") ? CLAW_PROBE_RACES :
						CLAW_PROBE_UNWRITTEN))
		claw_check_unchecked(body, call);
	if (claw_check_is_on(body, CLAW_PROBE_ASAN))
		claw_check_image(body, call, name);
}

void claw_builtin_call(struct claw_body *body, struct claw_node *call)
{
	char *name = claw_callee_name(call);
	struct vector_call vector;
	const char *text = body->sanitizer->rewrite->unit->text;

	if (call->end <= call->start ||
	    strncmp(text + call->start, name, strlen(name)) != 0) {
		claw_init_unknown_call(body, call);
		goto out;
	}
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
		struct claw_node *pointer = strcmp(writers[i].name, name) ? NULL :
			claw_argument(call, writers[i].argument);

		if (pointer && claw_type_is_pointer(pointer->type)) {
			claw_check_pointer(body, pointer, CLAW_WRITE);
			goto out;
		}
	}
	if (strcmp(name, "barrier") == 0 ||
	    strcmp(name, "work_group_barrier") == 0)
		claw_race_barrier(body, call);
	else if (strcmp(name, "wait_group_events") == 0 ||
		 strcmp(name, "sub_group_barrier") == 0)
		wait_for_copies(body, call, name);
	else if (read_vector_call(name, &vector))
		check_vector(body, call, &vector);
	else if (begins(name, "async_work_group_"))
		claw_check_copy(body, call, strstr(name, "strided") != NULL);
	else if (begins(name, "atomic_") || begins(name, "atom_"))
		check_atomic(body, call, name);
	else if (body->sanitizer->is_survey)
		goto out;
	else if (begins(name, "read_image") || begins(name, "write_image"))
		check_image(body, call, name);
	else if (begins(name, "read_pipe") || begins(name, "write_pipe"))
		claw_check_unchecked(body, call);
	else
		claw_init_unknown_call(body, call);
out:
	free(name);
}

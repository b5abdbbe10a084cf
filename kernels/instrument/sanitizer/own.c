/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses that cannot race, which need no probe (races.c). Before the checks of
 * a kernel are written all its accesses are gone through once. Those of one
 * object cannot race where all of them read, or are atomic, or each is to bytes
 * that are the work-item's own (forms.h).
 *
 * Of global memory "all" is the kernel: groups are never ordered. Of local
 * memory it is what control can come to from a barrier on, or from the kernel's
 * begin, before the next barrier: two work-items access it at once only if they
 * come from the same one. A barrier that fences global memory alone, a call of
 * what has barriers and wait_group_events() end nothing here.
 *
 * What depends on the launch (sizes, arguments, one buffer as two arguments) is
 * a flag at the kernel's begin: where it is false everything is probed.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "forms.h"
#include "harness/base/memory.h"

enum verdict { FREE, BY_FLAG, PROBED };

/* An access, and what is said of it. */
struct access {
	const struct claw_node *node;
	enum claw_access_kind kind;
	size_t object;			/* of the list */
	unsigned int place;		/* in the flow */
	long long bytes;
	bool has_form;
	struct claw_form form;
	struct claw_text needs;
	enum verdict verdict;
};

struct object {
	struct claw_root root;
	bool is_local, is_lost;		/* not all its accesses are known */
	bool is_read, is_changed, has_flag;
	unsigned int number;		/* of the flag's name */
	struct claw_text condition;
};

struct claw_own {
	struct claw_body *body;
	struct object *objects;
	size_t object_count;
	struct access *accesses;
	size_t access_count;
};

/* ---- gathering --------------------------------------------------------------- */

static struct object *object_of(struct claw_body *body,
				const struct claw_root *root)
{
	struct claw_own *own = body->own;

	for (size_t i = 0; i < own->object_count; i++)
		if (claw_root_is(&own->objects[i].root, root))
			return &own->objects[i];
	own->objects = claw_grow(own->objects, own->object_count + 1,
				 sizeof(*own->objects));
	own->objects[own->object_count] = (struct object){
		.root = *root, .number = body->sanitizer->numbers++,
	};
	return &own->objects[own->object_count++];
}

static bool is_known_root(const struct claw_root *root)
{
	return root->kind == CLAW_ROOT_PARAMETER ||
		root->kind == CLAW_ROOT_VARIABLE;
}

void claw_own_lose(struct claw_body *body, const struct claw_roots *roots)
{
	for (size_t i = 0; body->own && i < roots->count; i++)
		if (is_known_root(&roots->list[i]))
			object_of(body, &roots->list[i])->is_lost = true;
}

/* An object of the pointer's own space: else it would be one in disguise. */
static bool is_plain(const struct claw_check *check,
		     const struct claw_root *root)
{
	CXType type = root->kind == CLAW_ROOT_PARAMETER ?
		claw_type_pointee(root->type) : root->type;

	return check->roots.count == 1 && check->bytes &&
		(check->space == CLAW_SPACE_GLOBAL ||
		 check->space == CLAW_SPACE_LOCAL) &&
		claw_type_space(type) == check->space;
}

/* Whether a barrier is in the same expression: then it is before or behind. */
static bool is_near_meeting(const struct claw_body *body,
			    struct claw_node *node)
{
	while (node->parent && (clang_isExpression(node->parent->kind) ||
				node->parent->kind == CXCursor_VarDecl))
		node = node->parent;
	return claw_flow_has_meeting(body, node);
}

void claw_own_see(const struct claw_check *check,
		  const struct claw_asked *asked)
{
	struct claw_body *body = check->body;
	struct claw_own *own = body->own;
	const struct claw_root *root = &check->roots.list[0];
	struct access access = {
		.node = check->node, .kind = check->kind,
		.bytes = (long long)check->bytes, .verdict = PROBED,
		.place = check->node->place,
	};

	if (!own || !check->roots.count)
		return;
	if (!is_known_root(root) || !is_plain(check, root) || !access.place ||
	    is_near_meeting(body, check->node)) {
		claw_own_lose(body, &check->roots);
		return;
	}
	object_of(body, root)->is_local = check->space == CLAW_SPACE_LOCAL;
	access.object = (size_t)(object_of(body, root) - own->objects);
	access.place--;
	access.has_form = claw_form_of(body, asked, &access.form,
				       &access.needs);
	own->accesses = claw_grow(own->accesses, own->access_count + 1,
				  sizeof(*own->accesses));
	own->accesses[own->access_count++] = access;
}

/* A function gets them: what it does with them is not gone through. */
void claw_own_call(struct claw_body *body, const struct claw_node *call)
{
	const struct claw_node *argument;

	for (size_t i = 0; body->own && (argument = claw_argument(call, i));
	     i++) {
		struct claw_roots roots = { .count = 0 };

		if (!claw_type_is_pointer(argument->type))
			continue;
		claw_roots_of_pointer(body, claw_argument(call, i), &roots);
		claw_own_lose(body, &roots);
	}
}

/* ---- accesses that happen at once ---------------------------------------------- */

/* Of an object: those that one barrier leads to, or all. */
struct meet {
	const struct claw_own *own;
	size_t object;
	const bool *reached;		/* nodes of the flow; NULL: all */
};

static bool is_in(const struct meet *meet, const struct access *access)
{
	return access->object == meet->object &&
		(!meet->reached || meet->reached[access->place]);
}

static bool are_all(const struct meet *meet, enum claw_access_kind kind)
{
	for (size_t i = 0; i < meet->own->access_count; i++)
		if (is_in(meet, &meet->own->accesses[i]) &&
		    meet->own->accesses[i].kind != kind)
			return false;
	return true;
}

/* All atomic, and for those of other groups as well. */
static bool are_atomic(const struct meet *meet, bool is_local)
{
	for (size_t i = 0; !is_local && i < meet->own->access_count; i++)
		if (is_in(meet, &meet->own->accesses[i]) &&
		    claw_race_is_narrow(meet->own->body,
					meet->own->accesses[i].node))
			return false;
	return are_all(meet, CLAW_ATOMIC);
}

/* One form for all: the bytes from the lowest begin to the highest end. */
static const struct access *find_form(const struct meet *meet,
				      long long *ret_span)
{
	const struct access *first = NULL;
	long long low = 0, high = 0;

	for (size_t i = 0; i < meet->own->access_count; i++) {
		const struct access *access = &meet->own->accesses[i];
		long long from = access->form.offset;

		if (!is_in(meet, access))
			continue;
		if (!access->has_form ||
		    (first && !claw_form_is(&first->form, &access->form)))
			return NULL;
		low = !first || from < low ? from : low;
		high = !first || from + access->bytes > high ?
			from + access->bytes : high;
		first = access;
	}
	*ret_span = high - low;
	return first;
}

static bool put_own(const struct meet *meet, struct object *object)
{
	long long span;
	const struct access *first = find_form(meet, &span);
	struct claw_text own = { .bytes = NULL };

	if (!first)
		return false;
	for (size_t i = 0; i < meet->own->access_count; i++)
		if (is_in(meet, &meet->own->accesses[i]))
			claw_text_add_once(&object->condition,
				meet->own->accesses[i].needs.bytes);
	claw_form_own(&first->form, span, object->is_local, &own);
	claw_text_add_once(&object->condition, own.bytes);
	free(own.bytes);
	return true;
}

static enum verdict judge(const struct meet *meet, struct object *object)
{
	if (are_all(meet, CLAW_READ) || are_atomic(meet, object->is_local))
		return object->is_local ? FREE : BY_FLAG;
	return put_own(meet, object) ? BY_FLAG : PROBED;
}

static void set_verdict(struct claw_own *own, const struct meet *meet,
			enum verdict verdict)
{
	for (size_t i = 0; i < own->access_count; i++)
		if (is_in(meet, &own->accesses[i]) &&
		    own->accesses[i].verdict < verdict)
			own->accesses[i].verdict = verdict;
}

/* ---- from barrier to barrier ----------------------------------------------------- */

static bool is_barrier(const struct claw_flow_node *node)
{
	const struct claw_node *flags = node->kind == CLAW_FLOW_MEETING &&
		!node->callee ? claw_argument(node->at, 0) : NULL;
	long long value;
	bool is_one;
	char *name;

	if (!flags || !claw_nodes_constant(flags, &value) || !(value & 1))
		return false;		/* CLK_LOCAL_MEM_FENCE */
	name = claw_callee_name(node->at);
	is_one = strcmp(name, "barrier") == 0 ||
		strcmp(name, "work_group_barrier") == 0;
	free(name);
	return is_one;
}

static void reach(const struct claw_flow *flow, unsigned int from, bool *seen)
{
	const struct claw_flow_node *node = &flow->nodes[from];

	for (unsigned int i = 0; i < node->next_count; i++) {
		unsigned int next = node->next[i];

		if (seen[next])
			continue;
		seen[next] = true;
		if (!is_barrier(&flow->nodes[next]))
			reach(flow, next, seen);
	}
}

static void judge_from(struct claw_own *own, size_t object, unsigned int from)
{
	const struct claw_flow *flow = own->body->flow;
	bool *seen = claw_calloc(flow->node_count, sizeof(*seen));
	struct meet meet = { own, object, seen };

	seen[from] = from == CLAW_FLOW_ENTRY;
	reach(flow, from, seen);
	set_verdict(own, &meet, judge(&meet, &own->objects[object]));
	free(seen);
}

/* A meeting's own accesses come before it. */
static void judge_local(struct claw_own *own, size_t object)
{
	const struct claw_flow *flow = own->body->flow;

	judge_from(own, object, CLAW_FLOW_ENTRY);
	for (unsigned int i = 0; i < flow->node_count; i++)
		if (is_barrier(&flow->nodes[i]))
			judge_from(own, object, i);
}

static void judge_object(struct claw_own *own, size_t i)
{
	struct object *object = &own->objects[i];
	struct meet all = { own, i, NULL };

	if (object->is_lost)
		return;
	for (size_t k = 0; k < own->access_count; k++)
		if (is_in(&all, &own->accesses[k])) {
			own->accesses[k].verdict = FREE;
			object->is_read |= own->accesses[k].kind == CLAW_READ;
			object->is_changed |=
				own->accesses[k].kind != CLAW_READ;
		}
	if (object->is_local)
		judge_local(own, i);
	else
		set_verdict(own, &all, judge(&all, object));
	for (size_t k = 0; k < own->access_count; k++)
		if (is_in(&all, &own->accesses[k]))
			object->has_flag |=
				own->accesses[k].verdict == BY_FLAG;
}

/* ---- kernels ----------------------------------------------------------------------- */

/* What another kernel calls has no launch of its own. */
static void look(struct claw_body *body)
{
	if (!body->is_reached || !body->function->is_kernel ||
	    body->caller_count)
		return;
	body->own = claw_calloc(1, sizeof(*body->own));
	body->own->body = body;
	if (!body->flow)
		body->flow = claw_flow_new(body);
	claw_accesses_find(body);
	for (size_t i = 0; i < body->own->object_count; i++)
		judge_object(body->own, i);
}

void claw_own_find(struct claw_sanitizer *sanitizer)
{
	if (!claw_races_are_asked(sanitizer->rewrite))
		return;
	claw_flow_find_meetings(sanitizer);
	sanitizer->is_survey = true;
	for (size_t i = 0; i < sanitizer->body_count; i++)
		look(&sanitizer->bodies[i]);
	sanitizer->is_survey = false;
}

bool claw_own_is_free(const struct claw_check *check, int *ret_flag)
{
	const struct claw_own *own = check->body->own;

	*ret_flag = -1;
	for (size_t i = 0; own && i < own->access_count; i++) {
		const struct access *access = &own->accesses[i];

		if (access->node != check->node || access->kind != check->kind)
			continue;
		if (access->verdict == BY_FLAG)
			*ret_flag = (int)own->objects[access->object].number;
		return access->verdict == FREE;
	}
	return false;
}

static void write_flag(const struct object *object, FILE *out)
{
	unsigned int parameter = object->root.parameter;
	const char *words = object->condition.bytes;

	fprintf(out, " const int __claw_own%u = ", object->number);
	if (!object->is_local)
		fprintf(out, "__claw_u%u == __CLAW_NO_SHADOW", parameter);
	if (!object->is_local && object->is_changed)
		fprintf(out, " || (__claw_u%u & __CLAW_ALONE%s", parameter,
			words ? " && " : ")");
	if (words)
		fprintf(out, "({ int __claw_ok = 1; %s__claw_ok; })%s", words,
			object->is_local ? "" : ")");
	fputc(';', out);
}

void claw_own_write_entry(const struct claw_body *body, FILE *out)
{
	const struct claw_own *own = body->own;

	for (size_t i = 0; own && i < own->object_count; i++)
		if (own->objects[i].has_flag)
			write_flag(&own->objects[i], out);
}

/* Whether none of its local memory has to be followed. */
void claw_own_write_clean(const struct claw_body *body, FILE *out)
{
	const struct claw_own *own = body->own;
	bool all = own != NULL;

	for (size_t i = 0; all && i < own->access_count; i++)
		all = !own->objects[own->accesses[i].object].is_local ||
			own->accesses[i].verdict != PROBED;
	for (size_t i = 0; all && i < own->object_count; i++)
		all = !own->objects[i].is_lost;
	fputs(all ? "1" : "0", out);
	for (size_t i = 0; all && i < own->object_count; i++)
		if (own->objects[i].is_local && own->objects[i].has_flag)
			fprintf(out, " && __claw_own%u", own->objects[i].number);
}

void claw_own_release(struct claw_body *body)
{
	struct claw_own *own = body->own;

	for (size_t i = 0; own && i < own->access_count; i++) {
		claw_form_release(&own->accesses[i].form);
		free(own->accesses[i].needs.bytes);
	}
	for (size_t i = 0; own && i < own->object_count; i++)
		free(own->objects[i].condition.bytes);
	if (own) {
		free(own->accesses);
		free(own->objects);
	}
	free(own);
}

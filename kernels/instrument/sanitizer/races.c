/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data races: which accesses are looked at, what is known of the objects that
 * they are of, and the words of a probe. races_text.c has what a probe does.
 *
 * An object's accesses go to words of a shadow, one a granule: so many bytes
 * that no access touches a part of one. What a function does to its pointer
 * parameters is added to what its callers do.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/probe_format.h"
#include "init.h"
#include "sanitizer_private.h"

enum { GRANULE_MAX = 16, SITES = 254 };

bool claw_races_are_asked(const struct claw_rewrite *rewrite)
{
	return rewrite->request->modes & CLAW_PROBE_RACES;
}

static bool is_asked(const struct claw_sanitizer *sanitizer)
{
	return claw_races_are_asked(sanitizer->rewrite);
}

bool claw_race_is_shared(const struct claw_body *body, CXType type)
{
	enum claw_space space = claw_type_space(type);

	return is_asked(body->sanitizer) &&
		(space == CLAW_SPACE_GLOBAL || space == CLAW_SPACE_LOCAL ||
		 space == CLAW_SPACE_GENERIC);
}

/* ---- objects ----------------------------------------------------------- */

static struct claw_shade *shade_of_parameter(struct claw_body *body,
					     unsigned int parameter)
{
	if (!body->shades)
		body->shades = claw_calloc(body->function->parameters,
					   sizeof(*body->shades));
	return &body->shades[parameter];
}

static struct claw_local *local_of(struct claw_body *body,
				   const struct claw_root *root)
{
	for (size_t i = 0; i < body->local_count; i++)
		if (clang_equalCursors(body->locals[i].declaration,
				       root->declaration))
			return &body->locals[i];
	body->locals = claw_grow(body->locals, body->local_count + 1,
				 sizeof(*body->locals));
	body->locals[body->local_count] = (struct claw_local){
		.declaration = root->declaration,
		.bytes = claw_type_size(root->type),
		.number = body->sanitizer->numbers++,
	};
	return &body->locals[body->local_count++];
}

/* NULL: nothing is kept of it. */
static struct claw_shade *shade_of(struct claw_body *body,
				   const struct claw_root *root)
{
	if (root->kind == CLAW_ROOT_PARAMETER)
		return shade_of_parameter(body, root->parameter);
	return root->kind == CLAW_ROOT_VARIABLE &&
		claw_type_space(root->type) == CLAW_SPACE_LOCAL ?
		&local_of(body, root)->shade : NULL;
}

/* What is done to the object is done to it by one more. */
static bool join(struct claw_shade *shade, const struct claw_shade *more)
{
	struct claw_shade was = *shade;

	if (more->granule && (!shade->granule ||
			      more->granule < shade->granule))
		shade->granule = more->granule;
	shade->is_read |= more->is_read;
	shade->is_changed |= more->is_changed;
	return was.granule != shade->granule ||
		was.is_read != shade->is_read ||
		was.is_changed != shade->is_changed;
}

static unsigned int granule_of(const struct claw_check *check, long long known)
{
	unsigned long long bytes = check->bytes;
	unsigned long long granule = bytes & -bytes;

	if (known > 0 && (unsigned long long)known < granule)
		granule = (unsigned long long)known;
	return granule > GRANULE_MAX ? GRANULE_MAX : (unsigned int)granule;
}

/* Of the program's, whose address no launch knows. */
static bool is_global_variable(const struct claw_root *root)
{
	return root->kind == CLAW_ROOT_VARIABLE &&
		claw_type_space(root->type) == CLAW_SPACE_GLOBAL;
}

bool claw_race_ask(struct claw_check *check, long long known)
{
	struct claw_body *body = check->body;
	struct claw_shade one = {
		.granule = granule_of(check, known),
		.is_read = check->kind == CLAW_READ,
		.is_changed = check->kind != CLAW_READ,
	};

	check->own = -1;
	if (!is_asked(body->sanitizer) || !check->bytes ||
	    (check->space != CLAW_SPACE_GLOBAL &&
	     check->space != CLAW_SPACE_LOCAL &&
	     check->space != CLAW_SPACE_GENERIC) ||
	    claw_own_is_free(check, &check->own))
		return false;
	for (size_t i = 0; i < check->roots.count; i++) {
		struct claw_shade *shade = shade_of(body,
						    &check->roots.list[i]);

		if (shade)
			join(shade, &one);
		else if (check->kind != CLAW_READ &&
			 is_global_variable(&check->roots.list[i]))
			body->beyond = "globals";
		check->race_asked |= shade != NULL;
	}
	return check->race_asked;
}

/* ---- the words of a probe ------------------------------------------------ */

void claw_race_shadow(struct claw_body *body, const struct claw_root *root,
		      char words[CLAW_SHADOW_WORDS])
{
	snprintf(words, CLAW_SHADOW_WORDS, "__CLAW_NO_SHADOW");
	if (root->kind == CLAW_ROOT_PARAMETER)
		snprintf(words, CLAW_SHADOW_WORDS, "__claw_u%u",
			 root->parameter);
	else if (shade_of(body, root))
		snprintf(words, CLAW_SHADOW_WORDS, "__CLAW_S%u",
			 local_of(body, root)->number);
}

bool claw_race_is_narrow(const struct claw_body *body,
			 const struct claw_node *pointer)
{
	static const char *const scopes[] = { "memory_scope_work_group",
		"memory_scope_sub_group", "memory_scope_work_item" };
	const char *text = body->sanitizer->rewrite->unit->text;
	const struct claw_node *call = claw_nodes_around(pointer);

	for (size_t i = 0; call && i < sizeof(scopes) / sizeof(*scopes); i++)
		if (memmem(text + call->start, call->end - call->start,
			   scopes[i], strlen(scopes[i])))
			return true;
	return false;
}

static const char *kind_of(const struct claw_check *check)
{
	return check->kind == CLAW_ATOMIC ?
		       claw_race_is_narrow(check->body, check->node) ?
		       "__CLAW_ATOMICS | __CLAW_NARROW" : "__CLAW_ATOMICS" :
	       check->kind == CLAW_READ && check->is_copy ?
		       "__CLAW_READS | __CLAW_BY_COPY" :
	       check->kind == CLAW_READ ? "__CLAW_READS" : check->is_copy ?
		       "__CLAW_WRITES | __CLAW_BY_COPY" : "__CLAW_WRITES";
}

void claw_race_put(const struct claw_check *check, const char *address,
		   const char *hash, FILE *out)
{
	bool separate = check->body->sanitizer->rewrite->request->is_separate;
	static const char *const spaces[CLAW_SPACES] = {
		[CLAW_SPACE_GLOBAL] = "GLOBAL", [CLAW_SPACE_LOCAL] = "LOCAL",
		[CLAW_SPACE_GENERIC] = "GENERIC",
	};

	for (size_t i = 0; i < check->roots.count; i++) {
		const struct claw_root *root = &check->roots.list[i];
		struct claw_bounds bounds = claw_bounds_of(check->body, root,
							   check->space);
		char shadow[CLAW_SHADOW_WORDS];

		claw_race_shadow(check->body, root, shadow);
		if (check->own >= 0)
			fprintf(out, "if (!__claw_own%d) ", check->own);
		fprintf(out, "__CLAW_RACE_%s(%s, %s, %s, %s, %lluUL, %s, %s, CLAW_A + %uu, %uu, %s); ",
			spaces[check->space], address, bounds.lo, bounds.bytes,
			shadow, check->bytes, kind_of(check), hash,
			check->number, separate || check->number >= SITES ?
			0 : check->number + 1, bounds.object);
	}
}

/* Of "E = V", E being the check's place, where = is. 0: it is none. */
static size_t equals_of(const struct claw_check *check,
			struct claw_node *assignment)
{
	const struct claw_unit *unit = check->body->sanitizer->rewrite->unit;

	if (!assignment || assignment->kind != CXCursor_BinaryOperator ||
	    assignment->op != CLAW_OP_ASSIGN || !assignment->first ||
	    assignment->first == assignment->last ||
	    claw_nodes_strip(assignment->first) !=
	    claw_nodes_strip(check->node) || assignment->first->end == 0)
		return 0;
	size_t at = claw_unit_skip_blank(unit, assignment->first->end);

	return unit->text[at] == '=' && unit->text[at + 1] != '=' ? at : 0;
}

bool claw_race_assign(struct claw_check *check)
{
	struct claw_edits *edits = &check->body->sanitizer->rewrite->edits;
	struct claw_node *assignment = claw_nodes_around(check->node);
	size_t equals = check->kind == CLAW_WRITE ?
		equals_of(check, assignment) : 0;
	struct claw_words after;
	char *before, address[48], hash[96];

	if (!equals || assignment->end <= equals)
		return false;
	snprintf(address, sizeof(address), "__claw_w%u", check->name);
	snprintf(hash, sizeof(hash), "__claw_hash((const __private uchar *)&__claw_v%u, %u)",
		 check->name, check->bytes <= 16 ? (unsigned int)check->bytes :
		 0);
	claw_words_init(&after);
	fputs("); ", after.stream);
	claw_race_put(check, address, hash, after.stream);
	fprintf(after.stream, "*__claw_w%u = __claw_v%u; })", check->name,
		check->name);
	claw_edits_wrap(edits, assignment->start, assignment->end, "({ ",
			claw_words_text(&after));
	claw_words_release(&after);
	/* To a driver a pointer without an address space may be another one. */
	before = claw_format("const __auto_type __claw_w%u = &(", check->name);
	claw_edits_wrap(edits, assignment->first->start,
			assignment->first->end, before, ")");
	free(before);
	claw_edits_replace(edits, equals, equals + 1,
			   "; const __typeof__(({ *__claw_w%u; })) __claw_v%u = (",
			   check->name, check->name);
	return true;
}

/* What is stored, or counted where nobody looks at what there was, comes in
 * any order: nothing that it could acquire decides anything. */
static bool acquires(const char *name, const struct claw_node *call)
{
	static const char *const blind[] = {
		"atomic_fetch_", "atomic_store", "atomic_exchange",
		"atomic_flag_",
	};

	for (size_t i = 0; i < sizeof(blind) / sizeof(*blind); i++)
		if (strncmp(name, blind[i], strlen(blind[i])) == 0)
			return !claw_init_is_statement(call);
	return true;
}

/* Of a name that only OpenCL 2.0 has: not all its orders are the word for none. */
static bool is_ordering(const char *name, const char *text, size_t bytes)
{
	static const char *const names[] = {
		"atomic_fetch_", "atomic_store", "atomic_load",
		"atomic_exchange", "atomic_compare_exchange_",
		"atomic_flag_", "atomic_work_item_fence",
	};
	static const char relaxed[] = "memory_order_relaxed";
	static const char *const others[] = { "memory_order_a",
		"memory_order_release", "memory_order_seq_cst" };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (memmem(text, bytes, others[i], strlen(others[i])))
			return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return !memmem(text, bytes, relaxed, strlen(relaxed));
	return false;
}

void claw_race_order(struct claw_body *body, const struct claw_node *call,
		     const char *name)
{
	const char *text = body->sanitizer->rewrite->unit->text;

	if (is_asked(body->sanitizer) && acquires(name, call) &&
	    is_ordering(name, text + call->start, call->end - call->start))
		body->beyond = "orders";
}

/* In one line, for lines stay what they were. */
static void put_epoch(struct claw_body *body, const struct claw_node *call,
		      const char *flags, size_t length)
{
	char *after = claw_format(", __claw_epoch(__claw, %.*s))", (int)length,
				  flags);

	for (char *at = after; (at = strpbrk(at, "\r\n")); )
		*at = ' ';
	claw_edits_wrap(&body->sanitizer->rewrite->edits, call->start,
			call->end, "(", after);
	free(after);
}

void claw_race_wait(struct claw_body *body, const struct claw_node *call)
{
	static const char flags[] = "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE";

	if (is_asked(body->sanitizer) && !body->sanitizer->is_survey)
		put_epoch(body, call, flags, strlen(flags));
}

void claw_race_barrier(struct claw_body *body, struct claw_node *call)
{
	const struct claw_unit *unit = body->sanitizer->rewrite->unit;
	const struct claw_node *flags = claw_argument(call, 0);

	if (is_asked(body->sanitizer) && !body->sanitizer->is_survey &&
	    flags && flags->end > flags->start)
		put_epoch(body, call, unit->text + flags->start,
			  flags->end - flags->start);
}

/* ---- all of them ----------------------------------------------------------- */

/* What a callee does to a parameter is done to what its callers give. */
static bool spread_call(struct claw_body *callee,
			const struct claw_caller *caller)
{
	bool more = false;

	for (unsigned int i = 0; i < callee->function->parameters; i++) {
		struct claw_node *argument = claw_argument(caller->call, i);
		struct claw_roots roots = { .count = 0 };

		if (!argument || !claw_type_is_pointer(argument->type))
			continue;
		claw_roots_of_pointer(caller->caller, argument, &roots);
		for (size_t k = 0; k < roots.count; k++) {
			struct claw_shade *shade = shade_of(caller->caller,
							    &roots.list[k]);

			if (shade)
				more |= join(shade, &callee->shades[i]);
		}
	}
	return more;
}

static bool spread_beyond(const struct claw_body *callee,
			 const struct claw_caller *caller)
{
	bool more = callee->beyond && !caller->caller->beyond;

	if (more)
		caller->caller->beyond = callee->beyond;
	return more;
}

static void spread(struct claw_sanitizer *sanitizer)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < sanitizer->body_count; i++) {
			struct claw_body *body = &sanitizer->bodies[i];

			for (size_t k = 0; k < body->caller_count; k++)
				more |= spread_beyond(body, &body->callers[k]) ||
					(body->shades &&
					 spread_call(body, &body->callers[k]));
		}
	}
}

static unsigned int shift_of(const struct claw_shade *shade)
{
	unsigned int shift = 0;

	while (shade->granule >> (shift + 1))
		shift++;
	return shift;
}

/* A kernel's local arrays, one behind the other. A kernel that another one
 * calls has no words then: these are the other one's. */
static void place_locals(struct claw_body *body, FILE *out)
{
	unsigned long long at = 0;

	for (size_t i = 0; i < body->local_count; i++) {
		struct claw_local *local = &body->locals[i];
		unsigned int shift = shift_of(&local->shade);

		if (!local->shade.is_changed || body->beyond) {
			fprintf(out, "#define __CLAW_S%u __CLAW_NO_SHADOW\n",
				local->number);
			continue;
		}
		fprintf(out, "#define __CLAW_S%u (%s__CLAW_LOCAL_SHADOW(%lluUL, %u))\n",
			local->number, body->caller_count ?
			"__claw->lw == 0u ? __CLAW_NO_SHADOW : " : "", at,
			shift);
		at += ((unsigned long long)local->bytes >> shift) + 1;
	}
	body->shadow_words = at;
}

static bool has_word(const char *list, const char *word)
{
	const char *at = list ? strstr(list, word) : NULL;

	return at && (at == list || at[-1] == ' ') &&
		strchr(" ", at[strlen(word)]);
}

int claw_races_finish(struct claw_sanitizer *sanitizer, FILE *out, FILE *fields)
{
	if (!is_asked(sanitizer))
		return 0;
	if (!has_word(sanitizer->rewrite->request->extensions,
		      "cl_khr_int64_base_atomics")) {
		snprintf(sanitizer->rewrite->error,
			 sanitizer->rewrite->error_size, "races: the device has "
			 "no 64-bit atomics (cl_khr_int64_base_atomics)");
		return -1;
	}
	spread(sanitizer);
	fputs("__global ulong *sh; __local ulong *sl; uint tag, lw, item, lid, lsz, ge, le; ",
	      fields);
	for (size_t i = 0; i < sanitizer->body_count; i++)
		place_locals(&sanitizer->bodies[i], out);
	claw_races_text(sanitizer->rewrite, out);
	return 0;
}

/* ---- a kernel's arguments ---------------------------------------------------- */

unsigned int claw_races_parameters(struct claw_sanitizer *sanitizer,
				   const struct claw_function *kernel,
				   unsigned int first, FILE *out, FILE *map)
{
	struct claw_body *body = claw_body_of(sanitizer, kernel);
	static const struct claw_shade none;
	unsigned int count = 3;

	if (!is_asked(sanitizer))
		return 0;
	fputs(", __global ulong *__claw_sh, __local ulong *__claw_sl, uint2 __claw_sw",
	      out);
	if (kernel->is_definition)
		fprintf(map, "shadow %s %u %llu %s\n", kernel->name, first,
			body->shadow_words, body->beyond ? body->beyond : "-");
	for (unsigned int i = 0; i < kernel->parameters; i++) {
		CXType type = clang_getCursorType(
			clang_Cursor_getArgument(kernel->cursor, i));

		if (!claw_type_is_pointer(type))
			continue;
		const struct claw_shade *shade = body && body->shades &&
			!body->beyond ? &body->shades[i] : &none;
		enum claw_space space =
			claw_type_space(claw_type_pointee(type));

		fprintf(out, ", ulong __claw_u%u", i);
		if (kernel->is_definition)
			fprintf(map, "shade %s %u %u %s %u %s\n", kernel->name,
				first + count, i, claw_space_names[space],
				shift_of(shade), shade->is_changed ? "write" :
				shade->is_read ? "read" : "none");
		count++;
	}
	return count;
}

void claw_races_begin(struct claw_body *body, FILE *out)
{
	if (!is_asked(body->sanitizer))
		return;
	claw_own_write_entry(body, out);
	fputs(" __CLAW_RACES_BEGIN(", out);
	claw_own_write_clean(body, out);
	fputc(')', out);
}

void claw_races_call_kernel(const struct claw_sanitizer *sanitizer,
			    const struct claw_function *callee, FILE *out)
{
	if (!is_asked(sanitizer))
		return;
	fputs(", __claw->sh, __claw->sl, (uint2)(__claw->tag, 0u)", out);
	for (unsigned int i = 0; i < callee->parameters; i++)
		if (claw_type_is_pointer(clang_getCursorType(
			    clang_Cursor_getArgument(callee->cursor, i))))
			fputs(", __CLAW_NO_SHADOW", out);
}

void claw_races_release(struct claw_body *body)
{
	free(body->shades);
	free(body->locals);
	claw_own_release(body);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What decides, and what is done when it is not good: see sanitizer_private.h. */
#include "config.h"

#include "sanitizer_private.h"
#include "harness/base/memory.h"
#include "faults/shared/probe_format.h"

#include <stdlib.h>
#include <string.h>

char *claw_check_type(const struct claw_check *check, CXType type)
{
	const struct claw_unit *unit = check->body->sanitizer->rewrite->unit;
	const struct claw_node *node = check->node;
	CXString string = clang_getTypeSpelling(type);
	const char *spelled = clang_getCString(string);
	char *words = NULL;
	size_t bytes = node->end - node->start;

	if (!strchr(spelled, '(') && !strstr(spelled, "unnamed") &&
	    !strstr(spelled, "anonymous")) {
		words = claw_strdup(spelled);
	} else if (!memchr(unit->text + node->start, '\n', bytes)) {
		bool place = !claw_type_is_pointer(node->type) ||
			clang_equalTypes(node->type, type);

		words = claw_format("%s(%.*s)", place ? "" : "*", (int)bytes,
				    unit->text + node->start);
	}
	clang_disposeString(string);
	return words;
}

static const char *sink_macro(enum claw_space space)
{
	static const char *const macros[CLAW_SPACES] = {
		"__CLAW_SINK_PRIVATE", "__CLAW_SINK_GLOBAL",
		"__CLAW_SINK_CONSTANT", "__CLAW_SINK_LOCAL",
		"__CLAW_SINK_GLOBAL",
	};

	return macros[space];
}

/* The kernel may be another program's, which does not know of this access. */
static unsigned long long sink_room(const struct claw_check *check)
{
	bool is_words = check->space != CLAW_SPACE_LOCAL &&
		check->space != CLAW_SPACE_PRIVATE;

	return check->body->sanitizer->rewrite->request->is_separate &&
		!is_words ? CLAW_SINK_BYTES : CLAW_PROBE_SINK_BYTES / 2;
}

/* Where a wrong access goes, as a pointer of the address variable's type. */
static void write_sink(const struct claw_check *check, FILE *out)
{
	if (check->bytes > sink_room(check)) {
		fprintf(out, "__claw_a%u", check->name);
		return;
	}
	fprintf(out, "(const volatile %s char *)%s(%d)",
		claw_space_words[check->space], sink_macro(check->space),
		check->kind == CLAW_READ ? ((int)check->bytes + 7) / 8 :
		check->kind == CLAW_WRITE ? 0 : -1);
}

static void mark_sinks(const struct claw_check *check)
{
	struct claw_sanitizer *sanitizer = check->body->sanitizer;

	if ((check->space == CLAW_SPACE_LOCAL ||
	     check->space == CLAW_SPACE_PRIVATE) &&
	    check->bytes <= sink_room(check) &&
	    check->bytes > sanitizer->sink_bytes[check->space])
		sanitizer->sink_bytes[check->space] =
			(check->bytes + 127) / 128 * 128;
	if (check->space == CLAW_SPACE_LOCAL)
		check->body->touches_local = true;
	else if (check->space == CLAW_SPACE_PRIVATE)
		check->body->touches_private = true;
}

/* What is asked of it, for who looks for texts without checks. */
static void note(const struct claw_check *check)
{
	if (check->bounds_asked)
		claw_hoist_note(check->body, check->node->start, check->flag);
	if (check->align_asked)
		claw_hoist_note(check->body, check->node->start, NULL);
	if (check->init_asked && claw_init_is_of_buffers(check))
		claw_hoist_note_written(check->body, check->node->start);
	else if (check->init_asked)
		claw_hoist_note(check->body, check->node->start, NULL);
	if (check->race_asked)
		claw_hoist_note_own(check->body, check->node->start,
				    check->own);
}

void claw_check_begin(struct claw_check *check)
{
	if (!check->indices)
		claw_check_name(check);
	if (check->bounds_asked || check->align_asked || check->indices)
		mark_sinks(check);
	note(check);
}

static void write_bounds(const struct claw_check *check, FILE *out)
{
	fputc('(', out);
	if (check->flag)
		fprintf(out, "%s || ", check->flag);
	for (size_t i = 0; i < check->roots.count; i++) {
		struct claw_bounds bounds = claw_bounds_of(check->body,
			&check->roots.list[i], check->space);

		fprintf(out, "%s__CLAW_IN%s(__claw_a%u, %s, %s, %lluUL)",
			i ? " || " : "", check->is_step ? "_STEP" : "",
			check->name, bounds.lo, bounds.bytes, check->bytes);
	}
	fputc(')', out);
}

static void write_bad(const struct claw_check *check, FILE *out)
{
	struct claw_bounds first = claw_bounds_of(check->body,
						  &check->roots.list[0],
						  check->space);

	fprintf(out, "(__claw_bad(__claw->p, CLAW_A + %uu, %s, %lluu | %lldu << 16, (ulong)__claw_a%u, %s, %s, __CLAW_IDS), ",
		check->number, first.object,
		check->bytes < 65535 ? check->bytes : 65535,
		check->align_asked ? check->align - 1 : 0, check->name,
		first.lo, first.bytes);
	write_sink(check, out);
	fputc(')', out);
}

void claw_check_decide(const struct claw_check *check, FILE *out)
{
	if (check->indices) {
		fprintf(out, "__claw_b%u ? ", check->name);
		write_sink(check, out);
		fputs(" : ", out);
	}
	if (!check->align_asked && !check->bounds_asked) {
		fprintf(out, "__claw_a%u", check->name);
		return;
	}
	fputs("__CLAW_LIKELY(", out);
	if (check->bounds_asked)
		write_bounds(check, out);
	if (check->align_asked)
		fprintf(out, "%s((ulong)__claw_a%u & %lldUL) == 0",
			check->bounds_asked ? " && " : "", check->name,
			check->align - 1);
	fprintf(out, ") ? __claw_a%u : ", check->name);
	write_bad(check, out);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks done early: at a function's begin or before a loop a flag is made
 * that says that none of some accesses can go wrong; where it is set they are
 * not checked. An access goes to the outermost place where its index can be
 * told (ranges.c). See sanitizer_private.h.
 */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "sanitizer_private.h"

void claw_text_add(struct claw_text *text, const char *format, ...)
{
	va_list arguments;
	char *words;

	va_start(arguments, format);
	words = claw_vformat(format, arguments);
	va_end(arguments);

	size_t length = strlen(words);

	if (text->length + length + 1 > text->capacity) {
		text->capacity = 2 * (text->length + length) + 64;
		text->bytes = claw_grow(text->bytes, text->capacity, 1);
	}
	memcpy(text->bytes + text->length, words, length + 1);
	text->length += length;
	free(words);
}

void claw_text_add_once(struct claw_text *text, const char *words)
{
	if (words && !(text->bytes && strstr(text->bytes, words)))
		claw_text_add(text, "%s", words);
}

static void release_text(struct claw_text *text)
{
	free(text->bytes);
	memset(text, 0, sizeof(*text));
}

static struct claw_hoist *get_hoist(struct claw_body *body,
				    struct claw_node *loop)
{
	struct claw_hoist *hoist = body->hoists;

	while (hoist && hoist->loop != loop)
		hoist = hoist->next;
	if (hoist)
		return hoist;
	hoist = claw_calloc(1, sizeof(*hoist));
	hoist->body = body;
	hoist->loop = loop;
	hoist->number = body->sanitizer->hoists++;
	snprintf(hoist->name[0], sizeof(hoist->name[0]), "__claw_f%u",
		 hoist->number);
	snprintf(hoist->name[1], sizeof(hoist->name[1]), "__claw_g%u",
		 hoist->number);
	hoist->next = body->hoists;
	body->hoists = hoist;
	return hoist;
}

/* A case label of a switch around it: then a loop is entered from the side. */
static bool is_entered_inside(struct claw_node *loop)
{
	for (struct claw_node *node = loop; node;
	     node = claw_nodes_next(loop, node)) {
		if (node->kind != CXCursor_CaseStmt &&
		    node->kind != CXCursor_DefaultStmt)
			continue;
		struct claw_node *around = node;

		while (around != loop && around->kind != CXCursor_SwitchStmt)
			around = around->parent;
		if (around == loop)
			return true;
	}
	return false;
}

/* Loops around a node, the outermost first. */
static size_t loops_around(struct claw_node *node, struct claw_node **loops,
			   size_t room)
{
	size_t count = 0;

	for (struct claw_node *around = node->parent; around;
	     around = around->parent)
		if (claw_nodes_is_loop(around) && around->end > 0 &&
		    count < room)
			loops[count++] = around;
	for (size_t i = 0; i < count / 2; i++) {
		struct claw_node *other = loops[i];

		loops[i] = loops[count - 1 - i];
		loops[count - 1 - i] = other;
	}
	return count;
}

/*
 * What is done once in a function that is no kernel gains nothing by being
 * asked about before ("once"): only what can never be wrong is of interest.
 */

/* lo >= 0 and hi <= most; most is text. */
static void add_condition(struct claw_hoist *hoist, int part,
			  const struct claw_range *range, const char *most)
{
	char lo[32], hi[32];

	claw_range_write(lo, sizeof(lo), range, false);
	claw_range_write(hi, sizeof(hi), range, true);
	claw_text_add(&hoist->text[part],
		      "__claw_ok &= (%s >= 0L) & (%s <= %s); ", lo, hi, most);
	hoist->is_used[part] = true;
}

struct question {
	struct claw_node *index;	/* of count elements, or */
	unsigned long long count;
	const struct claw_asked *asked;
};

static bool ask_index(struct claw_hoist *hoist, int part,
		      const struct question *question, bool *always, bool once)
{
	struct claw_range range;
	char most[32];

	if (!claw_range_of(hoist, part, question->index, &range))
		return false;
	if (range.is_known) {
		*always = range.lo >= 0 &&
			range.hi < (long long)question->count;
		return *always;
	}
	if (once)
		return false;
	snprintf(most, sizeof(most), "%lldL", (long long)question->count - 1);
	add_condition(hoist, part, &range, most);
	return true;
}

static bool ask_bytes(struct claw_hoist *hoist, int part,
		      const struct claw_asked *asked, bool *always, bool once)
{
	struct claw_range range;
	struct claw_root root;
	char most[64];

	if (!claw_range_of_bytes(hoist, part, asked, &root, &range) ||
	    !claw_root_is(&root, asked->root))
		return false;
	if (root.kind == CLAW_ROOT_PARAMETER) {
		if (range.is_known && range.lo < 0)
			return false;
		snprintf(most, sizeof(most), "__CLAW_LONG(__claw_n%u) - %lluL",
			 root.parameter, asked->bytes);
	} else {
		long long room = claw_type_size(asked->root->type) -
			(long long)asked->bytes;

		if (range.is_known) {
			*always = range.lo >= 0 && range.hi <= room;
			return *always;
		}
		if (room < 0)
			return false;	/* never right: no text without checks */
		snprintf(most, sizeof(most), "%lldL", room);
	}
	if (once)
		return false;
	add_condition(hoist, part, &range, most);
	return true;
}

static const char *ask(struct claw_body *body, const struct question *question,
		       struct claw_node *at, bool *always)
{
	struct claw_node *loops[16];
	size_t count = loops_around(at, loops, 16);

	*always = false;
	for (size_t i = 0; i <= count; i++) {
		if (i > 0 && (body->has_labels ||
			      is_entered_inside(loops[i - 1])))
			continue;
		struct claw_hoist *hoist = get_hoist(body,
						     i ? loops[i - 1] : NULL);
		int part = count == 0;
		bool once = part == 1 && !body->function->is_kernel;

		if ((question->asked ?
		     ask_bytes(hoist, part, question->asked, always, once) :
		     ask_index(hoist, part, question, always, once)) && !once)
			return hoist->name[part];
	}
	return NULL;
}

const char *claw_hoist_index(struct claw_body *body, struct claw_node *index,
			     unsigned long long count, struct claw_node *at,
			     bool *always)
{
	struct question question = { .index = index, .count = count };

	return ask(body, &question, at, always);
}

const char *claw_hoist_bytes(struct claw_body *body,
			     const struct claw_asked *asked,
			     struct claw_node *at, bool *always)
{
	struct question question = { .asked = asked };

	return ask(body, &question, at, always);
}

void claw_hoist_note(struct claw_body *body, size_t offset, const char *flag)
{
	struct claw_asked_at *grown = claw_grow(body->checks,
						body->check_count + 1,
						sizeof(*grown));
	const struct claw_hoist *hoist = flag ? body->hoists : NULL;

	while (hoist && hoist->name[0] != flag && hoist->name[1] != flag)
		hoist = hoist->next;
	body->checks = grown;
	grown[body->check_count++] =
		(struct claw_asked_at){ offset, hoist, -1, false };
}

void claw_hoist_note_own(struct claw_body *body, size_t offset, int own)
{
	claw_hoist_note(body, offset, NULL);
	body->checks[body->check_count - 1].own = own;
}

void claw_hoist_note_written(struct claw_body *body, size_t offset)
{
	claw_hoist_note(body, offset, NULL);
	body->checks[body->check_count - 1].is_written = true;
}

/* Behind a statement, its semicolon included. */
size_t claw_statement_end(const struct claw_unit *unit,
			    const struct claw_node *node)
{
	switch (node->kind) {
	case CXCursor_CompoundStmt:
	case CXCursor_SwitchStmt:
	case CXCursor_NullStmt:
	case CXCursor_DeclStmt:
		return node->end;
	case CXCursor_ForStmt:
	case CXCursor_WhileStmt:
	case CXCursor_IfStmt:
	case CXCursor_LabelStmt:
	case CXCursor_CaseStmt:
	case CXCursor_DefaultStmt:
		if (node->last && node->last->end == node->end)
			return claw_statement_end(unit, node->last);
		break;
	default:
		break;
	}
	size_t end = claw_unit_skip_blank(unit, node->end);

	return unit->text[end] == ';' ? end + 1 : node->end;
}

/* A pragma stays directly in front of its loop. */
static size_t statement_start(const struct claw_unit *unit, size_t start)
{
	for (;;) {
		size_t line = start;

		while (line > 0 && strchr(" \t\r", unit->text[line - 1]) &&
		       unit->text[line - 1])
			line--;
		if (line == 0 || unit->text[line - 1] != '\n')
			return start;
		size_t before = line - 1;

		while (before > 0 && unit->text[before - 1] != '\n')
			before--;
		const char *text = unit->text + before +
			strspn(unit->text + before, " \t");

		if (strncmp(text, "#pragma", 7) == 0)
			start = before ? before - 1 : before;
		else if (*text == '#' || *text == '\n')
			start = before;
		else
			return start;
		if (start == 0)
			return start;
	}
}

static void put_before(struct claw_body *body, struct claw_hoist *hoist)
{
	const struct claw_unit *unit = body->sanitizer->rewrite->unit;
	struct claw_node *node = hoist->loop;
	size_t start = node->start, end = claw_statement_end(unit, node);
	char *words;

	/* An attribute's statement is around its loop. */
	while (node->parent && node->parent->kind == CXCursor_UnexposedStmt &&
	       node->parent->end == node->end)
		node = node->parent;
	start = node->start;
	size_t above = statement_start(unit, start);

	if (strstr(unit->text + above, "#pragma") &&
	    strstr(unit->text + above, "#pragma") < unit->text + start)
		start = above;
	start = claw_unit_before_pragmas(unit, start);
	words = claw_format(
		"{ const int %s = ({ int __claw_ok = 1; %s__claw_ok; }); ",
		hoist->name[0], hoist->text[0].bytes);
	claw_edits_wrap(&body->sanitizer->rewrite->edits, start, end, words,
			" }");
	free(words);
}

void claw_hoist_write_entry(struct claw_body *body, FILE *out)
{
	for (struct claw_hoist *hoist = body->hoists; hoist;
	     hoist = hoist->next) {
		if (hoist->loop)
			continue;
		if (hoist->is_used[0])
			fprintf(out, " const int %s = ({ int __claw_ok = 1; %s__claw_ok; });",
				hoist->name[0], hoist->text[0].bytes);
		if (hoist->is_used[1])
			fprintf(out, " const int %s = __CLAW_GROUP ? ({ int __claw_ok = 1; %s__claw_ok; }) : 0;",
				hoist->name[1], hoist->text[1].bytes);
	}
}

void claw_hoist_finish(struct claw_body *body)
{
	for (struct claw_hoist *hoist = body->hoists; hoist;
	     hoist = hoist->next)
		if (hoist->loop && hoist->is_used[0])
			put_before(body, hoist);
	claw_twins_put(body);
	if (body->function->is_kernel)
		return;
	struct claw_words words;

	claw_words_init(&words);
	claw_hoist_write_entry(body, words.stream);
	claw_edits_insert(&body->sanitizer->rewrite->edits,
			  body->function->body + 1, "%s",
			  claw_words_text(&words));
	claw_words_release(&words);
}

void claw_hoist_release(struct claw_body *body)
{
	free(body->checks);
	while (body->hoists) {
		struct claw_hoist *hoist = body->hoists;

		body->hoists = hoist->next;
		for (int i = 0; i < 2; i++) {
			release_text(&hoist->text[i]);
			free(hoist->known[i]);
		}
		free(hoist);
	}
}

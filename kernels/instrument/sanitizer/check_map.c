/* SPDX-License-Identifier: Apache-2.0 */
/* What the map says of a check: see sanitizer_private.h. */
#include "config.h"

#include "sanitizer_private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const kind_names[] = {
	"read", "write", "update", "atomic", "divide", "shift",
	"barrier", "condition",
};

/* The source on one line, as a map's last word. */
static void write_source(FILE *out, const char *text, size_t bytes)
{
	bool blank = false;

	for (size_t i = 0; i < bytes && i < 200; i++) {
		if (isspace((unsigned char)text[i])) {
			blank = true;
			continue;
		}
		if (blank)
			fputc(' ', out);
		blank = false;
		if (text[i] == '%')
			fputs("%25", out);
		else
			fputc(text[i], out);
	}
	fputc('\n', out);
}

unsigned int claw_check_number(struct claw_body *body,
			       const struct claw_node *node,
			       enum claw_access_kind kind, const char *space,
			       unsigned long long bytes, const char *object)
{
	struct claw_rewrite *rewrite = body->sanitizer->rewrite;
	struct claw_place place;

	claw_unit_place(rewrite->unit, node->start, &place);
	unsigned int file = claw_rewrite_file(rewrite, place.file);

	fprintf(rewrite->map.stream, "access %u %u %u %u %s %s %llu %s %s ",
		rewrite->accesses, file, place.line, place.column,
		kind_names[kind], space, bytes, body->function->name, object);
	write_source(rewrite->map.stream, rewrite->unit->text + node->start,
		     node->end - node->start);
	body->numbered++;
	return rewrite->accesses++;
}

/* "KEY NAME FILE LINE TEXT" */
static void write_place(struct claw_rewrite *rewrite, const char *key,
			const char *name, const struct claw_node *node,
			const char *text)
{
	struct claw_place place;

	claw_unit_place(rewrite->unit, node->start, &place);
	unsigned int file = claw_rewrite_file(rewrite, place.file);

	fprintf(rewrite->map.stream, "%s %s %u %u %s", key, name, file,
		place.line, text);
	write_source(rewrite->map.stream, rewrite->unit->text + node->start,
		     node->end - node->start);
}

void claw_check_unchecked(struct claw_body *body, const struct claw_node *node)
{
	if (body->sanitizer->is_survey)
		return;
	body->sanitizer->unchecked++;
	if (node->end <= node->start)
		return;
	if (!body->unchecked++)
		body->first_unchecked = node;
	write_place(body->sanitizer->rewrite, "plain", body->function->name,
		    node, "unchecked: ");
}

void claw_check_blind(struct claw_body *kernel, const struct claw_node *node,
		      const char *why)
{
	write_place(kernel->sanitizer->rewrite, "blind", kernel->function->name,
		    node, why);
}

void claw_check_partly(struct claw_body *kernel, const struct claw_node *node,
		       unsigned int count)
{
	char why[80];

	snprintf(why, sizeof(why), "%u access%s, such as ", count,
		 count == 1 ? "" : "es");
	write_place(kernel->sanitizer->rewrite, "partly", kernel->function->name,
		    node, why);
}

void claw_check_name(struct claw_check *check)
{
	char *object = claw_check_object(&check->roots);

	check->number = claw_check_number(check->body, check->node, check->kind,
		claw_space_names[check->space], check->bytes, object);
	free(object);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Changes to a text that nest: see edits.h. */
#include "config.h"

#include "edits.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

enum { WRAP, INSERT, REPLACE, TWIN };

/* What is written at an offset. */
struct piece {
	size_t at;
	int rank;		/* closings, insertions, openings */
	size_t other;		/* the other end of its range */
	unsigned int order;
	const char *words;
	size_t skip;		/* bytes of the text that it stands for */
};

static struct claw_edit *add(struct claw_edits *edits)
{
	edits->list = claw_one_more(edits->list, edits->count,
				    sizeof(*edits->list));
	struct claw_edit *edit = &edits->list[edits->count];

	memset(edit, 0, sizeof(*edit));
	edit->order = (unsigned int)edits->count++;
	edit->tag = edits->tag;
	return edit;
}

void claw_edits_wrap(struct claw_edits *edits, size_t start, size_t end,
		     const char *before, const char *after)
{
	struct claw_edit *edit = add(edits);

	edit->kind = WRAP;
	edit->start = start;
	edit->end = end;
	edit->before = claw_strdup(before);
	edit->after = claw_strdup(after);
}

void claw_edits_insert(struct claw_edits *edits, size_t offset,
		       const char *format, ...)
{
	struct claw_edit *edit = add(edits);
	va_list arguments;

	edit->kind = INSERT;
	edit->start = edit->end = offset;
	va_start(arguments, format);
	edit->before = claw_vformat(format, arguments);
	va_end(arguments);
}

void claw_edits_replace(struct claw_edits *edits, size_t start, size_t end,
			const char *format, ...)
{
	struct claw_edit *edit = add(edits);
	va_list arguments;

	edit->kind = REPLACE;
	edit->start = start;
	edit->end = end;
	va_start(arguments, format);
	edit->before = claw_vformat(format, arguments);
	va_end(arguments);
}

void claw_edits_twin(struct claw_edits *edits, size_t start, size_t end,
		     const char *before, const char *middle, const char *after)
{
	struct claw_edit *edit = add(edits);

	edit->kind = TWIN;
	edit->start = start;
	edit->end = end;
	edit->before = claw_strdup(before);
	edit->middle = claw_strdup(middle);
	edit->after = claw_strdup(after);
}

/* Closings: what began last closes first. Openings: what ends last opens first. */
static int compare(const void *one, const void *two)
{
	const struct piece *a = one, *b = two;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank - b->rank;
	if (a->other != b->other)
		return a->other > b->other ? -1 : 1;
	bool later = a->order > b->order;

	if (a->rank == 0)
		later = !later;
	return a->order == b->order ? 0 : later ? 1 : -1;
}

/* What is inside of a twin and not left out of its first half; twin NULL: all. */
static bool belongs(const struct claw_edit *edit, const struct claw_edit *twin)
{
	if (!twin)
		return true;
	if (edit->tag == twin->tag || edit->start < twin->start ||
	    edit->end > twin->end)
		return false;
	if (edit->kind == INSERT)
		return edit->start > twin->start && edit->start < twin->end;
	return edit->start > twin->start || edit->end < twin->end ||
		edit->order > twin->order;
}

static size_t make_pieces(const struct claw_edits *edits,
			  const struct claw_edit *twin, struct piece *pieces)
{
	size_t count = 0;

	for (size_t i = 0; i < edits->count; i++) {
		const struct claw_edit *edit = &edits->list[i];
		struct piece piece = {
			.at = edit->start, .other = edit->end,
			.order = edit->order, .words = edit->before,
			.rank = edit->kind == INSERT ? 1 : 2,
			.skip = edit->kind == REPLACE ? edit->end - edit->start : 0,
		};
		if (!belongs(edit, twin))
			continue;
		pieces[count++] = piece;
		if (edit->kind != WRAP && edit->kind != TWIN)
			continue;
		piece.at = edit->end;
		piece.other = edit->start;
		piece.words = edit->after;
		piece.rank = 0;
		pieces[count++] = piece;
	}
	return count;
}

static void write_text(FILE *out, const char *text, size_t bytes, bool one_line)
{
	if (!one_line) {
		fwrite(text, 1, bytes, out);
		return;
	}
	for (size_t i = 0; i < bytes; i++)
		fputc(text[i] == '\n' ? ' ' : text[i], out);
}

/* [start, end) with the edits that belong to it; NULL: two overlap. */
static char *render(const struct claw_edits *edits, const char *text,
		    size_t start, size_t end, const struct claw_edit *twin)
{
	struct piece *pieces = claw_calloc(2 * edits->count + 1,
					   sizeof(*pieces));
	char *made;
	size_t size, at = start;
	FILE *out = claw_text_begin(&made, &size);

	size_t count = make_pieces(edits, twin, pieces);

	qsort(pieces, count, sizeof(*pieces), compare);
	bool fits = true;
	for (size_t i = 0; i < count && fits; i++) {
		const struct piece *piece = &pieces[i];

		fits = piece->at >= at && piece->at + piece->skip <= end;
		if (!fits)
			break;
		write_text(out, text + at, piece->at - at, twin != NULL);
		fputs(piece->words, out);
		at = piece->at + piece->skip;
	}
	if (fits)
		write_text(out, text + at, end - at, twin != NULL);
	free(pieces);
	claw_text_end(out);
	if (!fits) {
		free(made);
		return NULL;
	}
	return made;
}

/* The first half of a twin becomes what stands before the second. */
static bool render_twin(const struct claw_edits *edits, const char *text,
			struct claw_edit *edit)
{
	char *half = render(edits, text, edit->start, edit->end, edit);
	char *words;

	if (!half)
		return false;
	words = claw_format("%s%s%s", edit->before, half, edit->middle);
	free(half);
	free(edit->before);
	edit->before = words;
	return true;
}

char *claw_edits_apply(struct claw_edits *edits, const char *text, size_t bytes)
{
	for (size_t i = 0; i < edits->count; i++)
		if (edits->list[i].kind == TWIN &&
		    !render_twin(edits, text, &edits->list[i]))
			return NULL;
	return render(edits, text, 0, bytes, NULL);
}

static void release(struct claw_edit *edit)
{
	free(edit->before);
	free(edit->middle);
	free(edit->after);
}

void claw_edits_forget(struct claw_edits *edits, size_t count)
{
	while (edits->count > count)
		release(&edits->list[--edits->count]);
}

void claw_edits_cut(struct claw_edits *edits, size_t start, size_t end,
		    const char *words)
{
	size_t kept = 0;

	for (size_t i = 0; i < edits->count; i++) {
		struct claw_edit *edit = &edits->list[i];

		if (edit->start >= start && edit->end <= end)
			release(edit);
		else
			edits->list[kept++] = *edit;
	}
	edits->count = kept;
	claw_edits_replace(edits, start, end, "%s", words);
}

void claw_edits_release(struct claw_edits *edits)
{
	claw_edits_forget(edits, 0);
	free(edits->list);
	memset(edits, 0, sizeof(*edits));
}

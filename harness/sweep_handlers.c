/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What belongs to a call is told by its stack: the line of each frame is in a
 * function, and what stands after it there may have to do with its failure.
 */
#include "config.h"

#include "sweep_handlers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "gcov.h"
#include "reports/report.h"
#include "text.h"

enum { NEVER_SHOWN = 5 };	/* functions, where not all are wanted */

/* ---- what no run without faults has executed --------------------------- */

/* "tile.c" and 88 of "    #1  load (tile.c:88)"; false: no file and line. */
static bool parse_frame(const char *line, size_t length, const char **ret_file,
			size_t *ret_file_length, unsigned int *ret_number)
{
	const char *open = memrchr(line, '(', length);
	const char *colon = open ?
		memrchr(open, ':', length - (size_t)(open - line)) : NULL;

	if (!colon || colon == open + 1 || line[length - 1] != ')')
		return false;
	*ret_file = open + 1;
	*ret_file_length = (size_t)(colon - open - 1);
	*ret_number = (unsigned int)strtoul(colon + 1, NULL, 10);
	return *ret_number > 0;
}

/* The frame's function has what may be a handler, from that line on. */
static void mark_function(struct claw_code_lines *lines, const char *file,
			  size_t file_length, unsigned int number)
{
	size_t end;

	for (size_t i = 0; i < lines->count; i = end) {
		const char *base = claw_base_name(lines->items[i].file);
		size_t at = i;

		end = claw_code_lines_function_end(lines, i);
		if (strncmp(base, file, file_length) != 0 || base[file_length])
			continue;
		while (at < end && lines->items[at].number != number)
			at++;
		for (; at < end; at++)
			lines->items[at].mark = true;
	}
}

static void mark_stack(struct claw_code_lines *lines, const char *stack)
{
	while (*stack) {
		size_t length = strcspn(stack, "\n"), file_length;
		unsigned int number;
		const char *file;

		if (length > 0 && parse_frame(stack, length, &file,
					      &file_length, &number))
			mark_function(lines, file, file_length, number);
		stack += length;
		stack += *stack == '\n';
	}
}

static bool is_unrun(const struct claw_code_line *line)
{
	return line->runs == 0 && line->mark;
}

static bool is_unrun_elsewhere(const struct claw_code_line *line)
{
	return line->runs == 0 && !line->mark;
}

/* The same lines, but only of files that have a marked one. */
static int take_files(const struct claw_code_lines *all,
		      struct claw_code_lines *ret_lines)
{
	size_t end;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < all->count; i = end) {
		bool marked = false;

		for (end = i; end < all->count &&
		     strcmp(all->items[end].file, all->items[i].file) == 0;
		     end++)
			marked |= all->items[end].mark;
		for (size_t j = i; ret == 0 && marked && j < end; j++) {
			const struct claw_code_line *line = &all->items[j];

			ret = claw_code_lines_add(ret_lines, line->file,
						  line->function, line->number,
						  line->runs, line->mark);
		}
	}
	return ret;
}

static int copy_lines(const struct claw_code_lines *lines,
		      struct claw_code_lines *ret_copy)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < lines->count; i++)
		ret = claw_code_lines_add(ret_copy, lines->items[i].file,
					  lines->items[i].function,
					  lines->items[i].number,
					  lines->items[i].runs, false);
	return ret;
}

int claw_sweep_handlers_unrun(const struct claw_code_lines *lines,
			      const struct claw_sweep_points *points,
			      char **ret_unrun, char **ret_elsewhere)
{
	struct claw_code_lines all = { .items = NULL }, files = all;
	int ret = copy_lines(lines, &all);

	for (size_t i = 0; ret == 0 && i < points->first_sites; i++)
		mark_stack(&all, points->sites[i].stack);
	if (ret == 0)
		ret = take_files(&all, &files);
	*ret_unrun = claw_code_lines_text(&files, is_unrun);
	*ret_elsewhere = claw_code_lines_text(&files, is_unrun_elsewhere);
	claw_code_lines_release(&all);
	claw_code_lines_release(&files);
	if (ret == 0 && *ret_unrun && *ret_elsewhere)
		return 0;
	free(*ret_unrun);
	free(*ret_elsewhere);
	*ret_unrun = *ret_elsewhere = NULL;
	return -CLAW_E_NO_MEMORY;
}

/* ---- adding up ---------------------------------------------------------- */

int claw_sweep_handlers_begin(struct claw_sweep_handlers *handlers,
			      const char *key, const char *value)
{
	bool unrun = key && strcmp(key, CLAW_SWEEP_UNRUN) == 0, whole;

	if (!value || (!unrun && (!key || strcmp(key,
			CLAW_SWEEP_UNRUN_ELSEWHERE) != 0)))
		return 0;
	handlers->is_known = true;
	handlers->is_sorted = false;
	return claw_code_lines_parse(&handlers->lines, value, 0, unrun, &whole);
}

int claw_sweep_handlers_add(struct claw_sweep_handlers *handlers,
			    const char *first_run)
{
	bool whole;
	int ret;

	if (!first_run)
		return 0;
	handlers->is_sorted = false;
	ret = claw_code_lines_parse(&handlers->lines, first_run, 1, false,
				    &whole);
	handlers->unknown += !whole;
	return ret;
}

void claw_sweep_handlers_release(struct claw_sweep_handlers *handlers)
{
	claw_code_lines_release(&handlers->lines);
	*handlers = (struct claw_sweep_handlers) { .is_known = false };
}

/* Has only a fault led to this function? */
static bool is_new(const struct claw_code_lines *lines, size_t first,
		   size_t end)
{
	bool has_run = false;

	for (; first < end; first++) {
		if (lines->items[first].mark)
			return false;
		has_run |= lines->items[first].runs > 0;
	}
	return has_run;
}

const struct claw_code_lines *
claw_sweep_handlers_lines(struct claw_sweep_handlers *handlers)
{
	struct claw_code_lines *lines = &handlers->lines;
	size_t end;

	if (handlers->is_sorted)
		return lines;
	claw_code_lines_sort(lines);
	for (size_t i = 0; i < lines->count; i = end) {
		bool new;

		end = claw_code_lines_function_end(lines, i);
		new = is_new(lines, i, end);
		for (size_t j = i; j < end; j++)
			lines->items[j].mark |= new || lines->items[j].runs > 0;
	}
	handlers->is_sorted = true;
	return lines;
}

static bool is_first(const struct claw_code_line *line)
{
	return line->runs > 0;
}

struct claw_sweep_handlers_counts
claw_sweep_handlers_count(struct claw_sweep_handlers *handlers)
{
	const struct claw_code_lines *lines =
		claw_sweep_handlers_lines(handlers);
	struct claw_sweep_handlers_counts counts = { 0 };
	size_t end;

	for (size_t i = 0; i < lines->count; i = end) {
		size_t first = 0, never = 0;

		end = claw_code_lines_function_end(lines, i);
		for (size_t j = i; j < end; j++) {
			first += is_first(&lines->items[j]);
			never += is_unrun(&lines->items[j]);
		}
		counts.first_lines += first;
		counts.first_functions += first > 0;
		counts.never_lines += never;
		counts.never_functions += never > 0;
	}
	return counts;
}

char *claw_sweep_handlers_first(struct claw_sweep_handlers *handlers)
{
	return claw_code_lines_text(claw_sweep_handlers_lines(handlers),
				    is_first);
}

char *claw_sweep_handlers_never(struct claw_sweep_handlers *handlers)
{
	return claw_code_lines_text(claw_sweep_handlers_lines(handlers),
				    is_unrun);
}

/* ---- for people --------------------------------------------------------- */

static void put_count(FILE *out, size_t lines, size_t functions)
{
	fprintf(out, "%zu line%s", lines, lines == 1 ? "" : "s");
	if (lines > 0)
		fprintf(out, " in %zu function%s", functions,
			functions == 1 ? "" : "s");
}

void claw_sweep_handlers_put_counts(FILE *out,
				    struct claw_sweep_handlers *handlers,
				    bool whole)
{
	struct claw_sweep_handlers_counts counts =
		claw_sweep_handlers_count(handlers);

	fputs("handlers first run because of a fault: ", out);
	put_count(out, counts.first_lines, counts.first_functions);
	if (whole) {
		fputs("; never run: ", out);
		put_count(out, counts.never_lines, counts.never_functions);
	}
	if (handlers->unknown > 0)
		fprintf(out, "; not known for %" PRIu64 " point%s",
			handlers->unknown, handlers->unknown == 1 ? "" : "s");
}

void claw_sweep_handlers_print_lines(FILE *out, const char *title,
				     const char *text, size_t most,
				     const char *root)
{
	const struct claw_report_head head = { .source_root = root };
	char *copy = text && strcmp(text, CLAW_GCOV_NOT_KNOWN) != 0 ?
		strdup(text) : NULL;
	size_t count = 0;

	for (char *line = copy; line && *line; count++) {
		char *end = line + strcspn(line, "\n");
		char *next = end + (*end != '\0');

		*end = '\0';
		if (count < most) {
			fprintf(out, "%s: ", title);
			claw_report_put(out, claw_report_path(&head, line));
			fputc('\n', out);
		}
		line = next;
	}
	if (count > most)
		fprintf(out, "%s: in %zu more functions\n", title,
			count - most);
	free(copy);
}

void claw_sweep_handlers_print(FILE *out, struct claw_sweep_handlers *handlers,
			       bool all, bool whole, const char *root)
{
	char *first, *never;

	if (!handlers->is_known)
		return;
	claw_sweep_handlers_put_counts(out, handlers, whole);
	fputc('\n', out);
	first = all ? claw_sweep_handlers_first(handlers) : NULL;
	never = whole ? claw_sweep_handlers_never(handlers) : NULL;
	claw_sweep_handlers_print_lines(out, "  first run", first, SIZE_MAX,
					root);
	claw_sweep_handlers_print_lines(out, "  never run", never, all ?
					SIZE_MAX : NEVER_SHOWN, root);
	free(first);
	free(never);
}

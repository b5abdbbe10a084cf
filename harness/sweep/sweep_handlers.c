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

#include "harness/base/errors.h"
#include "harness/cover/gcov.h"
#include "reports/report.h"
#include "harness/base/text.h"

/* The last line of what is elsewhere. */
#define LEFT_OUT "files left out: "

enum { NEVER_SHOWN = 5 };	/* functions, where not all are wanted */

/* ---- what no run without faults has executed --------------------------- */

/* A line of a stack: "    #1  load (tile.c:88)". */
struct frame {
	const char *function, *file;	/* file: without folders */
	size_t function_length, file_length;
	unsigned int number;
	const char *path;		/* of the file, or NULL */
};

/* false: no file and line. */
static bool parse_frame(const char *line, size_t length,
			struct frame *ret_frame)
{
	const char *open = memrchr(line, '(', length);
	const char *colon = open ?
		memrchr(open, ':', length - (size_t)(open - line)) : NULL;
	size_t skip = strspn(line, " #0123456789");

	if (!colon || colon == open + 1 || line[length - 1] != ')' ||
	    open <= line + skip)
		return false;
	*ret_frame = (struct frame) {
		.function = line + skip,
		.function_length = (size_t)(open - line) - skip - 1,
		.file = open + 1, .file_length = (size_t)(colon - open - 1),
		.number = (unsigned int)strtoul(colon + 1, NULL, 10),
	};
	return ret_frame->number > 0;
}

static bool is_text(const char *text, const char *start, size_t length)
{
	return strncmp(text, start, length) == 0 && !text[length];
}

/* Does one of the paths, which may not be whole, end with the other? */
static bool is_path(const char *whole, const char *path)
{
	size_t length, whole_length = strlen(whole);

	while (claw_begins(path, "../") || claw_begins(path, "./"))
		path = strchr(path, '/') + 1;
	length = strlen(path);
	return length <= whole_length &&
		strcmp(whole + whole_length - length, path) == 0 &&
		(length == whole_length ||
		 whole[whole_length - length - 1] == '/');
}

/* How sure is it that the frame is that line? 0: it is not. Files of one name
 * in two folders are told apart as far as the frame does. */
static int match(const struct claw_code_line *line, const struct frame *frame)
{
	if (line->number != frame->number ||
	    !is_text(claw_base_name(line->file), frame->file,
		     frame->file_length))
		return 0;
	return 1 + is_text(line->function, frame->function,
			   frame->function_length) +
		2 * (frame->path && is_path(line->file, frame->path));
}

/* The frame's function has what may be a handler, from that line on. */
static void mark_function(struct claw_code_lines *lines,
			  const struct frame *frame)
{
	int best = 1;

	for (size_t i = 0; i < lines->count; i++) {
		int one = match(&lines->items[i], frame);

		best = one > best ? one : best;
	}
	for (size_t i = 0; i < lines->count; i++) {
		size_t end;

		if (match(&lines->items[i], frame) < best)
			continue;
		end = claw_code_lines_function_end(lines, i);
		for (; i < end; i++)
			lines->items[i].mark = true;
		i--;
	}
}

static void mark_stack(struct claw_code_lines *lines,
		       const struct claw_sweep_site *site)
{
	const char *stack = site->stack;

	while (*stack) {
		size_t length = strcspn(stack, "\n");
		struct frame frame;

		if (length > 0 && parse_frame(stack, length, &frame)) {
			if (site->file && frame.number == site->line &&
			    is_text(claw_base_name(site->file), frame.file,
				    frame.file_length))
				frame.path = site->file;
			mark_function(lines, &frame);
		}
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

/* In place of the text, which is malloced or NULL. */
static char *add_left_out(char *text, size_t left_out)
{
	char *all = NULL;

	if (!text || left_out == 0)
		return text;
	if (asprintf(&all, "%s" LEFT_OUT "%zu\n", text, left_out) < 0)
		all = NULL;
	free(text);
	return all;
}

int claw_sweep_handlers_unrun(const struct claw_code_lines *lines,
			      const struct claw_sweep_points *points,
			      char **ret_unrun, char **ret_elsewhere)
{
	struct claw_code_lines all = { .items = NULL }, files = all;
	int ret = copy_lines(lines, &all);

	for (size_t i = 0; ret == 0 && i < points->first_sites; i++)
		mark_stack(&all, &points->sites[i]);
	if (ret == 0)
		ret = take_files(&all, &files);
	*ret_unrun = claw_code_lines_text(&files, is_unrun);
	*ret_elsewhere = add_left_out(claw_code_lines_text(&files,
					is_unrun_elsewhere), lines->left_out);
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
	const char *left_out;
	uint64_t count;

	if (!value || (!unrun && (!key || strcmp(key,
			CLAW_SWEEP_UNRUN_ELSEWHERE) != 0)))
		return 0;
	handlers->is_known = true;
	handlers->is_sorted = false;
	left_out = unrun ? NULL : strstr(value, LEFT_OUT);
	count = left_out ? strtoull(left_out + strlen(LEFT_OUT), NULL, 10) : 0;
	if (count > handlers->left_out)
		handlers->left_out = count;
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

const char *
claw_sweep_handlers_never_word(const struct claw_sweep_handlers *handlers)
{
	return handlers->unknown > 0 ? "not seen to run" : "never run";
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
		fprintf(out, "; %s: ",
			claw_sweep_handlers_never_word(handlers));
		put_count(out, counts.never_lines, counts.never_functions);
	}
	if (handlers->unknown > 0)
		fprintf(out, "; not known for %" PRIu64 " point%s",
			handlers->unknown, handlers->unknown == 1 ? "" : "s");
	if (handlers->left_out > 0)
		fprintf(out, "; not known for %" PRIu64 " file%s that could "
			"not be read", handlers->left_out,
			handlers->left_out == 1 ? "" : "s");
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
	char *first, *never, title[32];

	if (!handlers->is_known)
		return;
	snprintf(title, sizeof(title), "  %s",
		 claw_sweep_handlers_never_word(handlers));
	claw_sweep_handlers_put_counts(out, handlers, whole);
	fputc('\n', out);
	first = all ? claw_sweep_handlers_first(handlers) : NULL;
	never = whole ? claw_sweep_handlers_never(handlers) : NULL;
	claw_sweep_handlers_print_lines(out, "  first run", first, SIZE_MAX,
					root);
	claw_sweep_handlers_print_lines(out, title, never, all ?
					SIZE_MAX : NEVER_SHOWN, root);
	free(first);
	free(never);
}

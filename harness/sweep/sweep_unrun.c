/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What belongs to a call is told by its stack: the line of each frame is in a
 * function, and what stands after it there may have to do with its failure.
 */
#include "config.h"

#include "sweep_unrun.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "reports/sweep_handlers.h"

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
static void take_files(const struct claw_code_lines *all,
		       struct claw_code_lines *ret_lines)
{
	size_t end;

	for (size_t i = 0; i < all->count; i = end) {
		bool marked = false;

		for (end = i; end < all->count &&
		     strcmp(all->items[end].file, all->items[i].file) == 0;
		     end++)
			marked |= all->items[end].mark;
		for (size_t j = i; marked && j < end; j++) {
			const struct claw_code_line *line = &all->items[j];

			claw_code_lines_add(ret_lines, line->file,
					    line->function, line->number,
					    line->runs, line->mark);
		}
	}
}

static void copy_lines(const struct claw_code_lines *lines,
		       struct claw_code_lines *ret_copy)
{
	for (size_t i = 0; i < lines->count; i++)
		claw_code_lines_add(ret_copy, lines->items[i].file,
				    lines->items[i].function,
				    lines->items[i].number,
				    lines->items[i].runs, false);
}

/* In place of the text, which is malloced. */
static char *add_left_out(char *text, size_t left_out)
{
	char *all;

	if (left_out == 0)
		return text;
	all = claw_format("%s" CLAW_SWEEP_LEFT_OUT "%zu\n", text, left_out);
	free(text);
	return all;
}

void claw_sweep_unrun(const struct claw_code_lines *lines,
		      const struct claw_sweep_points *points,
		      char **ret_unrun, char **ret_elsewhere)
{
	struct claw_code_lines all = { .items = NULL }, files = all;

	copy_lines(lines, &all);
	for (size_t i = 0; i < points->first_sites; i++)
		mark_stack(&all, &points->sites[i]);
	take_files(&all, &files);
	*ret_unrun = claw_code_lines_text(&files, is_unrun);
	*ret_elsewhere = add_left_out(claw_code_lines_text(&files,
					is_unrun_elsewhere), lines->left_out);
	claw_code_lines_release(&all);
	claw_code_lines_release(&files);
}

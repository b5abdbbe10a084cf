/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of error paths are added up, and printed. */
#include "config.h"

#include "sweep_handlers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cover/gcov.h"
#include "report.h"
#include "harness/base/memory.h"

enum { NEVER_SHOWN = 5 };	/* functions, where not all are wanted */

/* ---- adding up ---------------------------------------------------------- */

void claw_sweep_handlers_begin(struct claw_sweep_handlers *handlers,
			       const char *key, const char *value)
{
	bool unrun = key && strcmp(key, CLAW_SWEEP_UNRUN) == 0;
	const char *left_out;
	uint64_t count;

	if (!value || (!unrun && (!key || strcmp(key,
			CLAW_SWEEP_UNRUN_ELSEWHERE) != 0)))
		return;
	handlers->is_known = true;
	handlers->is_sorted = false;
	left_out = unrun ? NULL : strstr(value, CLAW_SWEEP_LEFT_OUT);
	count = left_out ? strtoull(left_out + strlen(CLAW_SWEEP_LEFT_OUT),
				    NULL, 10) : 0;
	if (count > handlers->left_out)
		handlers->left_out = count;
	claw_code_lines_parse(&handlers->lines, value, 0, unrun);
}

void claw_sweep_handlers_add(struct claw_sweep_handlers *handlers,
			     const char *first_run)
{
	if (!first_run)
		return;
	handlers->is_sorted = false;
	handlers->unknown += !claw_code_lines_parse(&handlers->lines,
						    first_run, 1, false);
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

static bool is_unrun(const struct claw_code_line *line)
{
	return line->runs == 0 && line->mark;
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

/* What is to be said of those that no fault has led to: "never run", or of
 * points that did not tell all "not seen to run". */
static const char *never_word(const struct claw_sweep_handlers *handlers)
{
	return handlers->unknown > 0 ? "never reached" : "never run";
}

void claw_sweep_handlers_put_counts(FILE *out,
				    struct claw_sweep_handlers *handlers,
				    bool whole)
{
	struct claw_sweep_handlers_counts counts =
		claw_sweep_handlers_count(handlers);

	fputs("error handling reached only with a fault: ", out);
	put_count(out, counts.first_lines, counts.first_functions);
	if (whole) {
		fprintf(out, "; %s: ",
			never_word(handlers));
		put_count(out, counts.never_lines, counts.never_functions);
	}
	if (handlers->unknown > 0)
		fprintf(out, "; unknown for %" PRIu64 " point%s",
			handlers->unknown, handlers->unknown == 1 ? "" : "s");
	if (handlers->left_out > 0)
		fprintf(out, "; unknown for %" PRIu64 " unreadable file%s",
			handlers->left_out,
			handlers->left_out == 1 ? "" : "s");
}

void claw_sweep_handlers_print_lines(FILE *out, const char *title,
				     const char *text, size_t most,
				     const char *root)
{
	const struct claw_report_head head = { .source_root = root };
	char *copy = text && strcmp(text, CLAW_GCOV_NOT_KNOWN) != 0 ?
		claw_strdup(text) : NULL;
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
		 never_word(handlers));
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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of cases and tools: what each tool made of each case, side by
 * side.
 */
#include "config.h"

#include "cases.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

/* Of columns; longer names lose their middle, longer cells their end. */
enum { NAME_WIDTH = 44, CELL_WIDTH = 26 };

/* ---- the table ------------------------------------------------------- */

/* The tool's column. */
static int find_tool(struct claw_report_cases *cases, const char *tool)
{
	char **grown;

	for (size_t i = 0; i < cases->tool_count; i++)
		if (strcmp(cases->tools[i], tool) == 0)
			return (int)i;
	grown = claw_grow(cases->tools, cases->tool_count + 1, sizeof(*grown));
	cases->tools = grown;
	grown[cases->tool_count] = claw_strdup(tool);
	return (int)cases->tool_count++;
}

/* A row more, which the index knows by the key. */
static struct claw_report_row *add_row(struct claw_report_cases *cases,
				       const char *key,
				       const struct claw_result *result)
{
	struct claw_report_row *row = claw_grow(cases->rows,
						cases->row_count + 1,
						sizeof(*row));

	cases->rows = row;
	row += cases->row_count;
	memset(row, 0, sizeof(*row));
	row->suite = claw_strdup(result->suite ? result->suite : "");
	row->name = claw_strdup(result->name ? result->name : "");
	if (json_object_set_new_nocheck(cases->index, key, json_integer(
			(json_int_t)cases->row_count++)) < 0)
		claw_made(NULL);
	return row;
}

static struct claw_report_row *find_row(struct claw_report_cases *cases,
					const struct claw_result *result)
{
	struct claw_report_row *row;
	json_t *number;
	char *key;

	key = claw_format("%s\n%s", result->suite ? result->suite : "",
			  result->name ? result->name : "");
	if (!cases->index)
		cases->index = claw_made(json_object());
	number = json_object_get(cases->index, key);
	if (number)
		row = &cases->rows[json_integer_value(number)];
	else
		row = add_row(cases, key, result);
	free(key);
	return row;
}

void claw_report_cases_add(struct claw_report_cases *cases,
			   const struct claw_result *result)
{
	const char *tool = result->configuration ? result->configuration :
			   "native";
	char *title = claw_format("%s%s%s", tool, result->device ? " on " : "",
				  result->device ? result->device : "");
	int column = find_tool(cases, title);
	struct claw_report_row *row = find_row(cases, result);
	struct claw_result *results, named;
	size_t room;

	free(title);
	room = (size_t)column + 1;
	if (room > row->room) {
		results = claw_grow(row->results, room, sizeof(*results));
		memset(results + row->room, 0,
		       (room - row->room) * sizeof(*results));
		row->results = results;
		row->room = room;
	}
	if (row->results[column].name)
		claw_result_release(&row->results[column]);
	/* That it is there is seen by its name. */
	named = *result;
	named.name = row->name;
	claw_result_copy(&named, &row->results[column]);
}

void claw_report_cases_release(struct claw_report_cases *cases)
{
	for (size_t i = 0; i < cases->row_count; i++) {
		struct claw_report_row *row = &cases->rows[i];

		for (size_t j = 0; j < row->room; j++)
			claw_result_release(&row->results[j]);
		free(row->results);
		free(row->suite);
		free(row->name);
	}
	for (size_t i = 0; i < cases->tool_count; i++)
		free(cases->tools[i]);
	free(cases->rows);
	free(cases->tools);
	json_decref(cases->index);
	memset(cases, 0, sizeof(*cases));
}

const struct claw_result *
claw_report_cases_find(const struct claw_report_row *row, size_t tool)
{
	return tool < row->room && row->results[tool].name ?
	       &row->results[tool] : NULL;
}

/* ---- for a terminal --------------------------------------------------- */

/* Its bytes are characters enough for columns: names are ASCII. */
static void name_text(const struct claw_report_row *row, char *text,
		      size_t size)
{
	char whole[1024];
	size_t length, tail = size / 2 - 2;

	snprintf(whole, sizeof(whole), "%s%s%s", row->suite,
		 *row->suite ? "/" : "", row->name);
	length = strlen(whole);
	if (length < size)
		snprintf(text, size, "%s", whole);
	else
		snprintf(text, size, "%.*s...%s", (int)(size - tail - 4),
			 whole, whole + length - tail);
}

static void cell_text(const struct claw_result *result, char *text,
		      size_t size)
{
	const char *seen = result && result->seen ? result->seen : "";
	int length;

	if (!result) {
		snprintf(text, size, "-");
		return;
	}
	length = snprintf(text, size, "%s%s%s",
			  claw_verdict_name(result->verdict),
			  *seen ? " " : "", seen);
	if (length >= (int)size)
		memcpy(text + size - 4, "...", 4);
}

static void put_padded(FILE *out, const char *text, size_t width)
{
	size_t length = strlen(text);

	claw_report_put(out, text);
	fprintf(out, "%*s", length < width ? (int)(width - length) : 0, "");
}

static size_t column_width(const struct claw_report_cases *cases, size_t tool)
{
	size_t width = strlen(cases->tools[tool]);
	char text[CELL_WIDTH + 1];

	for (size_t i = 0; i < cases->row_count; i++) {
		cell_text(claw_report_cases_find(&cases->rows[i], tool), text,
			  sizeof(text));
		if (strlen(text) > width)
			width = strlen(text);
	}
	return width;
}

/* A line: the name, then a cell a tool; no blanks at its end. */
static void put_line(FILE *out, const struct claw_report_cases *cases,
		     const struct claw_report_row *row, size_t name_width,
		     const size_t *widths)
{
	char text[NAME_WIDTH + 1] = "";

	if (row)
		name_text(row, text, sizeof(text));
	put_padded(out, text, name_width);
	for (size_t i = 0; i < cases->tool_count; i++) {
		char cell[CELL_WIDTH + 1];

		if (row)
			cell_text(claw_report_cases_find(row, i), cell,
				  sizeof(cell));
		fputs("  ", out);
		put_padded(out, row ? cell : cases->tools[i],
			   i + 1 < cases->tool_count ? widths[i] : 0);
	}
	fputc('\n', out);
}

void claw_report_cases_print(FILE *out, const struct claw_report_cases *cases)
{
	size_t *widths = claw_calloc(cases->tool_count + 1, sizeof(*widths));
	size_t name_width = 0;
	char text[NAME_WIDTH + 1];

	for (size_t i = 0; i < cases->tool_count; i++)
		widths[i] = column_width(cases, i);
	for (size_t i = 0; i < cases->row_count; i++) {
		name_text(&cases->rows[i], text, sizeof(text));
		if (strlen(text) > name_width)
			name_width = strlen(text);
	}
	put_line(out, cases, NULL, name_width, widths);
	for (size_t i = 0; i < cases->row_count; i++)
		put_line(out, cases, &cases->rows[i], name_width, widths);
	free(widths);
}

/* ---- the format ------------------------------------------------------- */

struct state {
	const struct claw_report_head *head;
	struct claw_report_cases cases;
	uint64_t results;
};

static int matrix_begin(FILE *out, const struct claw_report_head *head,
			void **ret_state)
{
	struct state *state = claw_calloc(1, sizeof(*state));

	(void)out;
	state->head = head;
	*ret_state = state;
	return 0;
}

static void matrix_result(FILE *out, void *user,
			  const struct claw_result *result)
{
	struct state *state = user;

	(void)out;
	state->results++;
	claw_report_cases_add(&state->cases, result);
}

static int matrix_end(FILE *out, void *user)
{
	struct state *state = user;
	char text[CLAW_REPORT_MISSING];

	claw_report_cases_print(out, &state->cases);
	if (claw_report_missing(state->head, state->results, text,
				sizeof(text)))
		fprintf(out, "%s\n", text);
	claw_report_cases_release(&state->cases);
	free(state);
	return 0;
}

const struct claw_report_format claw_report_matrix = {
	.summary = "a table of cases and tools",
	.begin = matrix_begin, .result = matrix_result, .end = matrix_end,
};

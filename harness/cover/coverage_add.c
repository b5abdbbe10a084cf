/* SPDX-License-Identifier: Apache-2.0 */
/* Append to a file's arrays; sort them, and add up what is the same. */
#include "config.h"

#include "coverage_add.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

/* ---- append -------------------------------------------------------------- */

/* The one that was used last is asked first. */
static struct claw_coverage_file *find_file(struct claw_coverage *coverage,
					    const char *path)
{
	if (coverage->last < coverage->count &&
	    strcmp(coverage->files[coverage->last].path, path) == 0)
		return &coverage->files[coverage->last];
	for (size_t i = 0; i < coverage->count; i++)
		if (strcmp(coverage->files[i].path, path) == 0) {
			coverage->last = i;
			return &coverage->files[i];
		}
	coverage->files = claw_one_more(coverage->files, coverage->count,
					sizeof(*coverage->files));
	coverage->last = coverage->count++;
	coverage->files[coverage->last] = (struct claw_coverage_file) {
		.path = claw_strdup(path),
	};
	return &coverage->files[coverage->last];
}

void claw_coverage_add_line(struct claw_coverage *coverage, const char *path,
			    const struct claw_coverage_line *line)
{
	struct claw_coverage_file *file;

	if (!path || line->number == 0)
		return;
	file = find_file(coverage, path);
	file->lines = claw_one_more(file->lines, file->line_count,
				    sizeof(*file->lines));
	file->lines[file->line_count++] = *line;
}

void claw_coverage_add_function(struct claw_coverage *coverage,
				const char *path,
				const struct claw_coverage_function *function)
{
	struct claw_coverage_file *file;

	if (!path || function->line == 0)
		return;
	file = find_file(coverage, path);
	file->functions = claw_one_more(file->functions, file->function_count,
					sizeof(*file->functions));
	file->functions[file->function_count] = *function;
	file->functions[file->function_count++].name =
		claw_strdup(function->name);
}

void claw_coverage_add_branch(struct claw_coverage *coverage, const char *path,
			      const struct claw_coverage_branch *branch)
{
	struct claw_coverage_file *file;

	if (!path || branch->line == 0)
		return;
	file = find_file(coverage, path);
	file->branches = claw_one_more(file->branches, file->branch_count,
				       sizeof(*file->branches));
	file->branches[file->branch_count++] = *branch;
}

/* ---- put together -------------------------------------------------------- */

static int order_of(unsigned int one, unsigned int other)
{
	return (one > other) - (one < other);
}

static int by_line(const void *a, const void *b)
{
	const struct claw_coverage_line *one = a, *other = b;

	return order_of(one->number, other->number);
}

static int by_name(const void *a, const void *b)
{
	const struct claw_coverage_function *one = a, *other = b;
	int order = order_of(one->line, other->line);

	return order ? order : strcmp(one->name, other->name);
}

static int by_arm(const void *a, const void *b)
{
	const struct claw_coverage_branch *one = a, *other = b;
	int order = order_of(one->line, other->line);

	if (order == 0)
		order = order_of(one->block, other->block);
	return order ? order : order_of(one->arm, other->arm);
}

static void put_lines(struct claw_coverage_file *file)
{
	size_t kept = 0;

	if (file->line_count == 0)
		return;
	qsort(file->lines, file->line_count, sizeof(*file->lines), by_line);
	for (size_t i = 1; i < file->line_count; i++)
		if (by_line(&file->lines[kept], &file->lines[i]) == 0)
			file->lines[kept].runs += file->lines[i].runs;
		else
			file->lines[++kept] = file->lines[i];
	file->line_count = kept + 1;
}

static void put_functions(struct claw_coverage_file *file)
{
	size_t kept = 0;

	if (file->function_count == 0)
		return;
	qsort(file->functions, file->function_count, sizeof(*file->functions),
	      by_name);
	for (size_t i = 1; i < file->function_count; i++) {
		struct claw_coverage_function *one = &file->functions[i];

		if (by_name(&file->functions[kept], one) == 0) {
			file->functions[kept].runs += one->runs;
			free(one->name);
		} else {
			file->functions[++kept] = *one;
		}
	}
	file->function_count = kept + 1;
}

static void put_branches(struct claw_coverage_file *file)
{
	size_t kept = 0, first = 0;

	if (file->branch_count == 0)
		return;
	qsort(file->branches, file->branch_count, sizeof(*file->branches),
	      by_arm);
	for (size_t i = 1; i < file->branch_count; i++)
		if (by_arm(&file->branches[kept], &file->branches[i]) == 0)
			file->branches[kept].taken += file->branches[i].taken;
		else
			file->branches[++kept] = file->branches[i];
	file->branch_count = kept + 1;
	for (size_t i = 0; i < file->branch_count; i++) {
		const struct claw_coverage_branch *one = &file->branches[i];

		if (one->line != file->branches[first].line ||
		    one->block != file->branches[first].block)
			first = i;
		for (size_t j = first; one->taken > 0 && j <
		     file->branch_count && file->branches[j].line == one->line
		     && file->branches[j].block == one->block; j++)
			file->branches[j].is_reached = true;
	}
}

static int by_path(const void *a, const void *b)
{
	const struct claw_coverage_file *one = a, *other = b;

	return strcmp(one->path, other->path);
}

void claw_coverage_put_together(struct claw_coverage *coverage)
{
	for (size_t i = 0; i < coverage->count; i++) {
		put_lines(&coverage->files[i]);
		put_functions(&coverage->files[i]);
		put_branches(&coverage->files[i]);
	}
	if (coverage->count > 0)
		qsort(coverage->files, coverage->count,
		      sizeof(*coverage->files), by_path);
}

void claw_coverage_release_files(struct claw_coverage *coverage)
{
	for (size_t i = 0; i < coverage->count; i++) {
		struct claw_coverage_file *file = &coverage->files[i];

		for (size_t j = 0; j < file->function_count; j++)
			free(file->functions[j].name);
		free(file->functions);
		free(file->lines);
		free(file->branches);
		free(file->path);
	}
	free(coverage->files);
	coverage->files = NULL;
	coverage->count = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage as a tracefile of lcov: a section a file, in it functions, branches
 * and lines, as geninfo writes them. A function's name is a key there, so that
 * of two of one name in a file the later has its line in it.
 */
#include "config.h"

#include "coverage_files.h"

#include <inttypes.h>
#include <string.h>

#include "harness/base/errors.h"

/* One line, without what ends a field. */
static void put_name(FILE *out, const struct claw_coverage_file *file,
		     size_t index)
{
	const struct claw_coverage_function *function = &file->functions[index];

	for (const char *c = function->name; *c; c++)
		fputc((unsigned char)*c < ' ' || *c == ',' ? '_' : *c, out);
	for (size_t i = 0; i < index; i++)
		if (strcmp(file->functions[i].name, function->name) == 0) {
			fprintf(out, ":%u", function->line);
			break;
		}
}

static void put_functions(FILE *out, const struct claw_coverage_file *file,
			  const struct claw_coverage_sum *sum)
{
	for (size_t i = 0; i < file->function_count; i++) {
		fprintf(out, "FN:%u,", file->functions[i].line);
		put_name(out, file, i);
		fputc('\n', out);
	}
	for (size_t i = 0; i < file->function_count; i++) {
		fprintf(out, "FNDA:%" PRIu64 ",", file->functions[i].runs);
		put_name(out, file, i);
		fputc('\n', out);
	}
	fprintf(out, "FNF:%" PRIu64 "\nFNH:%" PRIu64 "\n", sum->functions,
		sum->functions_hit);
}

/* lcov wants a branch's line among the lines. */
static bool has_line(const struct claw_coverage_file *file, unsigned int line)
{
	size_t low = 0, high = file->line_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->lines[middle].number == line)
			return true;
		if (file->lines[middle].number < line)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

static void put_branches(FILE *out, const struct claw_coverage_file *file)
{
	uint64_t all = 0, hit = 0;

	for (size_t i = 0; i < file->branch_count; i++) {
		const struct claw_coverage_branch *one = &file->branches[i];

		if (!has_line(file, one->line))
			continue;
		all++;
		hit += one->taken > 0;
		fprintf(out, "BRDA:%u,%u,%u,", one->line, one->block, one->arm);
		if (one->is_reached)
			fprintf(out, "%" PRIu64 "\n", one->taken);
		else
			fputs("-\n", out);
	}
	if (all > 0)
		fprintf(out, "BRF:%" PRIu64 "\nBRH:%" PRIu64 "\n", all, hit);
}

static void put_file(FILE *out, const struct claw_coverage_file *file,
		     const char *test_name)
{
	struct claw_coverage_sum sum = claw_coverage_sum_of(file);

	fprintf(out, "TN:%s\nSF:%s\n", test_name, file->path);
	put_functions(out, file, &sum);
	put_branches(out, file);
	for (size_t i = 0; i < file->line_count; i++)
		fprintf(out, "DA:%u,%" PRIu64 "\n", file->lines[i].number,
			file->lines[i].runs);
	fprintf(out, "LF:%" PRIu64 "\nLH:%" PRIu64 "\nend_of_record\n",
		sum.lines, sum.lines_hit);
}

int claw_coverage_write_lcov(FILE *out, const struct claw_coverage *coverage,
			     const char *test_name)
{
	for (size_t i = 0; i < coverage->count; i++)
		put_file(out, &coverage->files[i], test_name);
	return ferror(out) ? -CLAW_E_IO : 0;
}

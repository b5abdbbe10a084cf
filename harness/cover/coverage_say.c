/* SPDX-License-Identifier: Apache-2.0 */
/* Words for coverage. */
#include "config.h"

#include "coverage_say.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/words.h"

enum { PATH_COLUMNS = 40, PLAIN_MAX = 20 };

/* "1 line", "2 lines" */
static void put_count(FILE *out, uint64_t count, const char *noun,
		      const char *plural)
{
	claw_print_count(out, count);
	fprintf(out, " %s%s", noun, count == 1 ? "" : plural);
}

static void put_part(FILE *out, uint64_t hit, uint64_t all, const char *noun,
		     const char *plural)
{
	if (all == 0) {
		fprintf(out, "no %s%s", noun, plural);
		return;
	}
	fprintf(out, "%.1f %% of ", claw_coverage_percent(hit, all));
	put_count(out, all, noun, plural);
}

char *claw_coverage_headline(const struct claw_coverage *coverage)
{
	struct claw_coverage_sum total = claw_coverage_total(coverage);
	char *text;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fputs("kernel coverage: ", out);
	put_part(out, total.lines_hit, total.lines, "line", "s");
	fputs(", ", out);
	put_part(out, total.functions_hit, total.functions, "function", "s");
	fputs(", ", out);
	put_part(out, total.branches_hit, total.branches, "branch", "es");
	claw_text_end(out);
	return text;
}

/* "   10/12     83.3 %" */
static void put_cell(FILE *out, uint64_t hit, uint64_t all)
{
	char counts[48];

	if (all == 0) {
		fprintf(out, "  %11s  %7s", "-", "");
		return;
	}
	snprintf(counts, sizeof(counts), "%" PRIu64 "/%" PRIu64, hit, all);
	fprintf(out, "  %11s  %5.1f %%", counts,
		claw_coverage_percent(hit, all));
}

static void put_row(FILE *out, const char *name,
		    const struct claw_coverage_sum *sum)
{
	size_t length = strlen(name);

	/* A long one has a line of its own. */
	fprintf(out, "  %s%s%*s", name, length > PATH_COLUMNS ? "\n  " : "",
		length > PATH_COLUMNS ? PATH_COLUMNS :
		(int)(PATH_COLUMNS - length), "");
	put_cell(out, sum->lines_hit, sum->lines);
	put_cell(out, sum->functions_hit, sum->functions);
	put_cell(out, sum->branches_hit, sum->branches);
	fputc('\n', out);
}

static const char *below(const char *root, const char *path)
{
	size_t length = root ? strlen(root) : 0;

	return length > 0 && strncmp(path, root, length) == 0 &&
		path[length] == '/' ? path + length + 1 : path;
}

static void put_files(FILE *out, const struct claw_coverage *coverage,
		      const char *root)
{
	struct claw_coverage_sum total = claw_coverage_total(coverage);

	fprintf(out, "  %-*s  %20s  %20s  %20s\n", PATH_COLUMNS, "", "lines ",
		"functions ", "branches ");
	for (size_t i = 0; i < coverage->count; i++) {
		struct claw_coverage_sum sum =
			claw_coverage_sum_of(&coverage->files[i]);

		put_row(out, below(root, coverage->files[i].path), &sum);
	}
	put_row(out, "total", &total);
}

/* "  3 launches with probes (1 of them as it is, after all had run), 2 without:
 * 1 whose kernel has none, ..." */
static void put_launches(FILE *out, const struct claw_coverage *coverage)
{
	const struct {
		uint64_t count;
		const char *why;
	} reasons[] = {
		{ coverage->plain_kernel, "whose kernel has none" },
		{ coverage->plain_refused, "refused for resources with them" },
		{ coverage->plain_other, "excluded by --kernel-name, "
		  "--launch-skip or --launch-count, or in a command buffer" },
		{ coverage->plain_changed, "whose results differ with probes" },
	};
	uint64_t plain = coverage->plain_kernel + coverage->plain_refused +
		coverage->plain_other + coverage->plain_changed;
	const char *comma = ": ";

	fputs("  ", out);
	put_count(out, coverage->launches, "launch", "es");
	fputs(" with probes", out);
	if (coverage->complete > 0) {
		fputs(" (", out);
		claw_print_count(out, coverage->complete);
		fprintf(out, " of them as %s, after all had run)",
			coverage->complete == 1 ? "it is" : "they are");
	}
	fputs(", ", out);
	claw_print_count(out, plain);
	fputs(" without", out);
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		if (reasons[i].count == 0)
			continue;
		fputs(comma, out);
		claw_print_count(out, reasons[i].count);
		fprintf(out, " %s", reasons[i].why);
		comma = ", ";
	}
	fputc('\n', out);
}

static void put_compared(FILE *out, const struct claw_coverage *coverage)
{
	char *text = claw_probe_compared_text(&coverage->compared);

	if (*text)
		fprintf(out, "  %s\n", text);
	free(text);
}

static void put_plain(FILE *out, const struct claw_coverage *coverage)
{
	for (size_t i = 0; i < coverage->plain_count; i++) {
		const struct claw_coverage_plain *plain = &coverage->plain[i];

		if (i == PLAIN_MAX) {
			fprintf(out, "  and %zu more without probes\n",
				coverage->plain_count - i);
			break;
		}
		fprintf(out, "  without probes: %s", plain->text);
		if (plain->times > 1) {
			fputs(" (", out);
			put_count(out, plain->times, "time", "s");
			fputc(')', out);
		}
		fputc('\n', out);
	}
}

char *claw_coverage_table(const struct claw_coverage *coverage,
			  const char *root)
{
	char *text;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	if (coverage->count > 0)
		put_files(out, coverage, root);
	put_launches(out, coverage);
	put_compared(out, coverage);
	put_plain(out, coverage);
	claw_text_end(out);
	return text;
}

char *claw_coverage_metrics(const struct claw_coverage_sum *sum)
{
	return claw_format("lines=%" PRIu64 " lines_hit=%" PRIu64
			   " functions=%" PRIu64 " functions_hit=%" PRIu64
			   " branches=%" PRIu64 " branches_hit=%" PRIu64,
			   sum->lines, sum->lines_hit, sum->functions,
			   sum->functions_hit, sum->branches,
			   sum->branches_hit);
}

/* ---- --fail-under ---------------------------------------------------------- */

double claw_coverage_least_parse(const char *text)
{
	double percent;
	char *rest;

	if (!text)
		return -1;
	percent = strtod(text, &rest);
	if (rest != text && strcmp(rest, "%") == 0)
		rest++;
	if (rest == text || *rest || !(percent >= 0 && percent <= 100))
		claw_die(CLAW_EXIT_USAGE, "--fail-under: expected a percentage "
			 "from 0 to 100, found \"%s\"", text);
	return percent;
}

char *claw_coverage_too_little(const struct claw_coverage *coverage,
			       double least)
{
	struct claw_coverage_sum total = claw_coverage_total(coverage);
	double percent = claw_coverage_percent(total.lines_hit, total.lines);

	if (least < 0 || total.lines == 0 || percent >= least)
		return NULL;
	return claw_format("%.1f %% of the lines have run, less than "
			   "--fail-under %g", percent, least);
}

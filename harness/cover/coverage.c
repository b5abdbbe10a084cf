/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Add up coverage. Lines, functions and branches are appended to their file,
 * and put together when all of a session is there.
 */
#include "config.h"

#include "coverage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coverage_add.h"
#include "harness/evidence/gap.h"
#include "harness/base/memory.h"
#include "harness/readers/probe_reader.h"
#include "probed_text.h"
#include "harness/base/text_list.h"

/* ---- what has no probes -------------------------------------------------- */

/* text: malloced, taken over. */
static void add_plain(struct claw_coverage *coverage, char *text)
{
	for (size_t i = 0; i < coverage->plain_count; i++)
		if (strcmp(coverage->plain[i].text, text) == 0) {
			coverage->plain[i].times++;
			free(text);
			return;
		}
	coverage->plain = claw_one_more(coverage->plain, coverage->plain_count,
					sizeof(*coverage->plain));
	coverage->plain[coverage->plain_count++] =
		(struct claw_coverage_plain) { text, 1 };
}

static void add_plain_program(struct claw_coverage *coverage,
			      const struct claw_probe_header *header)
{
	const char *more = claw_probe_more(header);

	if (header->state != CLAW_PROBE_NOT_ASKED)
		add_plain(coverage, claw_format("a program: %s%s%s",
			  claw_probe_state_text(header->state),
			  *more ? ": " : "", more));
}

static void add_plain_kernels(struct claw_coverage *coverage,
			      const struct claw_probed_text *text)
{
	for (size_t i = 0; i < text->map.plain_count; i++) {
		const struct claw_map_plain *plain = &text->map.plain[i];
		unsigned int line;
		const char *place = claw_probed_text_place(text, plain->file,
							   plain->line, &line);

		add_plain(coverage, claw_format("%s (%s:%u): %s", plain->name,
						place ? place : "?", line,
						plain->reason));
	}
}

/* ---- counters ------------------------------------------------------------ */

/* Where the counters of one part of one file of probes are. */
struct counting {
	const struct claw_probe_file *file;
	const char *path;		/* of that file */
	const struct claw_probed_text *text;
	size_t part;
	bool is_short;			/* a counter was not there */
};

static uint32_t get_counter(struct counting *counting, uint32_t counter)
{
	uint32_t count = 0;

	if (!claw_probe_counter(counting->file, counting->part, counter,
				&count))
		counting->is_short = true;
	return count;
}

/* A counter that is full makes the sum at least 1, whatever is taken off. */
static uint64_t get_sum(struct counting *counting, struct claw_map_sum sum)
{
	const struct claw_map_term *terms = counting->text->map.terms;
	bool is_full = false;
	int64_t total = 0;

	for (size_t i = sum.first; i < sum.first + sum.count; i++) {
		uint32_t count = get_counter(counting, terms[i].counter);

		is_full |= count == UINT32_MAX;
		total += terms[i].is_minus ? -(int64_t)count : count;
	}
	if (total < 1)
		return is_full;
	/* Some of the ways there are one: 1 is all that is known. */
	return counting->file->header.modes & CLAW_PROBE_COUNT ?
		(uint64_t)total : 1;
}

static void add_lines(struct claw_coverage *coverage,
		      struct counting *counting)
{
	const struct claw_probe_map *map = &counting->text->map;

	for (size_t i = 0; i < map->line_count; i++) {
		const struct claw_map_line *line = &map->lines[i];
		struct claw_coverage_line item = {
			.runs = get_sum(counting, line->runs),
		};
		const char *path = claw_probed_text_place(counting->text,
			line->file, line->line, &item.number);

		claw_coverage_add_line(coverage, path, &item);
	}
}

static void add_functions(struct claw_coverage *coverage,
			  struct counting *counting)
{
	const struct claw_probe_map *map = &counting->text->map;

	for (size_t i = 0; i < map->function_count; i++) {
		const struct claw_map_function *function = &map->functions[i];
		struct claw_coverage_function item = {
			.runs = get_counter(counting, function->counter),
			.name = function->name,
		};
		const char *path = claw_probed_text_place(counting->text,
			function->file, function->first_line, &item.line);

		item.last_line = item.line + function->last_line -
			function->first_line;
		claw_coverage_add_function(coverage, path, &item);
	}
}

/* Blocks are numbers in a map; in a line they are counted from 0, so that a
 * text that was preprocessed in another way has the same. */
static void add_branches(struct claw_coverage *coverage,
			 struct counting *counting)
{
	const struct claw_probe_map *map = &counting->text->map;
	const struct claw_map_branch *before = NULL;
	unsigned int block = 0;

	for (size_t i = 0; i < map->branch_count; i++) {
		const struct claw_map_branch *branch = &map->branches[i];
		struct claw_coverage_branch item = {
			.arm = branch->arm,
			.taken = get_sum(counting, branch->taken),
		};
		const char *path = claw_probed_text_place(counting->text,
			branch->file, branch->line, &item.line);

		if (!before || before->file != branch->file ||
		    before->line != branch->line)
			block = 0;
		else if (before->block != branch->block)
			block++;
		before = branch;
		item.block = block;
		snprintf(item.kind, sizeof(item.kind), "%s", branch->kind);
		claw_coverage_add_branch(coverage, path, &item);
	}
}

static int add_part(struct claw_coverage *coverage,
		    const struct claw_session *session,
		    struct claw_probed_texts *texts,
		    struct counting *counting)
{
	int ret = claw_probed_texts_get(texts, session, counting->path,
					&counting->file->parts[counting->part],
					&counting->text);

	if (ret < 0)
		return ret;
	if (counting->text->why) {
		claw_gap_add(&coverage->gap, "%s", counting->text->why);
		return 0;
	}
	add_lines(coverage, counting);
	add_functions(coverage, counting);
	add_branches(coverage, counting);
	add_plain_kernels(coverage, counting->text);
	return 0;
}

/* ---- a file of probes ---------------------------------------------------- */

static void add_launches(struct claw_coverage *coverage,
			 const struct claw_probe_header *header)
{
	coverage->launches += header->launches;
	coverage->plain_kernel += header->plain_kernel;
	coverage->plain_refused += header->plain_refused;
	coverage->plain_other += header->plain_other;
	coverage->plain_changed += header->plain_changed;
	claw_probe_compared_add(&coverage->compared, header);
	coverage->complete += header->complete;
}

/* A process's files come one after the other. */
static void add_pending(struct claw_coverage *coverage,
			const struct claw_probe_header *header)
{
	if (header->pending == 0)
		return;
	if (coverage->pending == 0 || coverage->pending_pid != header->pid)
		coverage->pending_processes++;
	coverage->pending_pid = header->pid;
	coverage->pending += header->pending;
}

static int add_file(struct claw_coverage *coverage,
		    const struct claw_session *session, const char *path,
		    const struct claw_probe_file *file)
{
	struct counting counting = { .file = file, .path = path };
	int ret = 0;

	add_launches(coverage, &file->header);
	if (file->header.state != CLAW_PROBE_INSTRUMENTED) {
		add_plain_program(coverage, &file->header);
		return 0;
	}
	if (!(file->header.modes & (CLAW_PROBE_HIT | CLAW_PROBE_COUNT)))
		return 0;
	coverage->programs++;
	add_pending(coverage, &file->header);
	if (*file->header.why) {
		add_plain(coverage, claw_strdup(file->header.why));
		if (file->header.changed > 0)
			claw_gap_add(&coverage->gap, "%s", file->header.why);
	}
	for (size_t i = 0; ret == 0 && i < file->header.parts; i++) {
		counting.part = i;
		ret = add_part(coverage, session, &coverage->texts, &counting);
	}
	if (file->damaged > 0 || counting.is_short)
		claw_gap_add(&coverage->gap, "%s is damaged: counters are "
			     "missing", path);
	return ret;
}

int claw_coverage_add(struct claw_coverage *coverage,
		      const struct claw_session *session)
{
	char **paths = NULL, **journals = NULL;
	size_t count = 0, journal_count = 0;
	int ret = claw_session_journals(session, &journals, &journal_count);

	if (ret == 0)
		ret = claw_session_probes(session, &paths, &count);
	coverage->processes += journal_count;
	for (size_t i = 0; ret == 0 && i < count; i++) {
		struct claw_probe_file file;
		int error = claw_probe_file_read(paths[i], &file);

		if (error < 0) {
			claw_gap_add_unread(&coverage->gap, paths[i], error);
			continue;
		}
		ret = add_file(coverage, session, paths[i], &file);
		claw_probe_file_release(&file);
	}
	claw_coverage_put_together(coverage);
	claw_list_free(paths);
	claw_list_free(journals);
	return ret;
}

/* ---- sums ---------------------------------------------------------------- */

struct claw_coverage_sum
claw_coverage_sum_of(const struct claw_coverage_file *file)
{
	struct claw_coverage_sum sum = {
		.lines = file->line_count, .functions = file->function_count,
		.branches = file->branch_count,
	};

	for (size_t i = 0; i < file->line_count; i++)
		sum.lines_hit += file->lines[i].runs > 0;
	for (size_t i = 0; i < file->function_count; i++)
		sum.functions_hit += file->functions[i].runs > 0;
	for (size_t i = 0; i < file->branch_count; i++)
		sum.branches_hit += file->branches[i].taken > 0;
	return sum;
}

struct claw_coverage_sum
claw_coverage_total(const struct claw_coverage *coverage)
{
	struct claw_coverage_sum total = { .lines = 0 };

	for (size_t i = 0; i < coverage->count; i++) {
		struct claw_coverage_sum sum =
			claw_coverage_sum_of(&coverage->files[i]);

		total.lines += sum.lines;
		total.lines_hit += sum.lines_hit;
		total.functions += sum.functions;
		total.functions_hit += sum.functions_hit;
		total.branches += sum.branches;
		total.branches_hit += sum.branches_hit;
	}
	return total;
}

double claw_coverage_percent(uint64_t hit, uint64_t all)
{
	return all == 0 ? 100 : (double)hit * 100 / (double)all;
}

char *claw_coverage_why_nothing(const struct claw_coverage *coverage)
{
	uint64_t plain = coverage->plain_kernel + coverage->plain_refused +
		coverage->plain_other + coverage->plain_changed;

	if (coverage->launches > 0 && coverage->programs > 0)
		return NULL;
	if (coverage->plain_count > 0)
		return claw_format("no kernel with probes was launched: %s",
				   coverage->plain[0].text);
	if (plain == 0)
		return claw_strdup("no kernel was launched");
	return claw_format("no kernel with probes was launched, %" PRIu64
			   " without%s", plain, coverage->plain_other == plain ?
			   ": excluded by --kernel-name, --launch-skip or "
			   "--launch-count, or in a command buffer" : "");
}

static char *pending_text(const struct claw_coverage *coverage)
{
	bool is_one = coverage->pending == 1;
	char who[32];

	if (coverage->pending_processes == 1)
		snprintf(who, sizeof(who), "process %u", coverage->pending_pid);
	else
		snprintf(who, sizeof(who), "%zu processes",
			 coverage->pending_processes);
	return claw_format("%s ended before %" PRIu64 " launch%s had "
			   "written what %s counted", who, coverage->pending,
			   is_one ? "" : "es", is_one ? "it" : "they");
}

/* Fewer launches with probes than without, those aside that were left out on
 * purpose: of a program that is next to nothing. */
static bool is_little(const struct claw_coverage *coverage)
{
	return coverage->launches > 0 && coverage->launches <
		coverage->plain_kernel + coverage->plain_refused;
}

static char *little_text(const struct claw_coverage *coverage)
{
	uint64_t all = coverage->launches + coverage->plain_kernel +
		coverage->plain_refused;

	return claw_format(
		"only %" PRIu64 " of %" PRIu64 " launches had "
		"probes%s%s",
		coverage->launches, all, coverage->plain_count > 0 ? ": " : "",
		coverage->plain_count > 0 ? coverage->plain[0].text : "");
}

char *claw_coverage_why_not_all(const struct claw_coverage *coverage)
{
	char *pending = is_little(coverage) ? little_text(coverage) :
		coverage->pending > 0 ? pending_text(coverage) : NULL;
	char *both;

	if (!coverage->gap)
		return pending;
	both = claw_format("%s%s%s", pending ? pending : "",
			   pending ? "; " : "", coverage->gap);
	free(pending);
	return both;
}

void claw_coverage_init(struct claw_coverage *coverage, const char *directory)
{
	*coverage = (struct claw_coverage) { .files = NULL };
	coverage->finder = claw_source_finder_new(directory);
	coverage->texts.finder = coverage->finder;
}

void claw_coverage_release(struct claw_coverage *coverage)
{
	claw_coverage_release_files(coverage);
	for (size_t i = 0; i < coverage->plain_count; i++)
		free(coverage->plain[i].text);
	free(coverage->plain);
	free(coverage->gap);
	claw_probed_texts_release(&coverage->texts);
	claw_source_finder_free(coverage->finder);
	*coverage = (struct claw_coverage) { .files = NULL };
}

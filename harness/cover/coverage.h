/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of kernels: what instrumented programs counted (probe_reader.h) and
 * what their counters stand for (probe_map.h), added up over programs,
 * devices and processes, by source file.
 */
#ifndef CLAW_COVERAGE_H
#define CLAW_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/evidence/probe_sum.h"
#include "probed_text.h"
#include "harness/session/session.h"

struct claw_coverage_line {
	unsigned int number;
	uint64_t runs;		/* in mode hit: of how many programs */
};

struct claw_coverage_function {
	unsigned int line, last_line;
	uint64_t runs;
	char *name;
};

/* One way on from a place. Ways of one evaluation have the same block. */
struct claw_coverage_branch {
	unsigned int line, block, arm;	/* block: from 0 in each line */
	uint64_t taken;
	bool is_reached;	/* any way of the block was taken */
	char kind[12];		/* "if", "case", ... */
};

struct claw_coverage_file {
	char *path;
	struct claw_coverage_line *lines;	/* by number */
	size_t line_count;
	struct claw_coverage_function *functions;	/* by line, then name */
	size_t function_count;
	struct claw_coverage_branch *branches;	/* by line, block, arm */
	size_t branch_count;
};

/* A text or kernel without probes, with its count. */
struct claw_coverage_plain {
	char *text;		/* "kernel blur (blur.cl:12): it takes a pipe" */
	uint64_t times;
};

struct claw_coverage {
	struct claw_coverage_file *files;	/* by path */
	size_t count;
	size_t last;			/* that was added to */
	struct claw_source_finder *finder;
	struct claw_probed_texts texts;
	size_t processes, programs;	/* with probes: a program and device each */
	/* Launches, as in probe_format.h. */
	uint64_t launches, complete, plain_kernel, plain_refused, plain_other,
		 plain_changed;
	struct claw_probe_compared compared;
	uint64_t pending;		/* launches whose counts are not here, */
	size_t pending_processes;	/* and of how many processes; */
	uint32_t pending_pid;		/* the last of them */
	struct claw_coverage_plain *plain;
	size_t plain_count;
	char *gap;		/* what cannot be read, one line, the first; or NULL */
};

struct claw_coverage_sum {
	uint64_t lines, lines_hit, functions, functions_hit, branches,
		 branches_hit;
};

/* directory: where texts of no file go. */
void claw_coverage_init(struct claw_coverage *coverage, const char *directory);
void claw_coverage_release(struct claw_coverage *coverage);

/*
 * Add what a session's processes left. What cannot be read is in
 * coverage->gap and plain.
 *
 * Returns 0 or -CLAW_E_IO (errno set).
 */
int claw_coverage_add(struct claw_coverage *coverage,
		      const struct claw_session *session);

struct claw_coverage_sum claw_coverage_sum_of(const struct claw_coverage_file *file);
struct claw_coverage_sum claw_coverage_total(const struct claw_coverage *coverage);
/* 100 of nothing. */
double claw_coverage_percent(uint64_t hit, uint64_t all);

/* Why coverage is inconclusive, one line, malloced: no instrumented kernel was
 * launched. NULL: it is not. */
char *claw_coverage_why_nothing(const struct claw_coverage *coverage);
/* Why more may have run than is known, one line, malloced; NULL: it is all. */
char *claw_coverage_why_not_all(const struct claw_coverage *coverage);

#endif

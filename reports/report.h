/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report format: three functions and a row in report_formats.def, fed by the
 * records of one command. A format only formats.
 */
#ifndef CLAW_REPORT_H
#define CLAW_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/records/records_soak.h"

struct claw_environment_entry {
	const char *configuration, *key, *value;
};

struct claw_report_rule {
	const char *rule;
	uint64_t matched, fired;
};

/* Known before the first result is given. A command that prints a report
 * while it runs fills in what it knows and sets complete. */
struct claw_report_head {
	const char *verb, *command_line, *started;
	uint64_t planned, seed;
	bool is_open;		/* planned is the least: a case may have several results */
	bool is_part;		/* other shards have cases of the plan, too */
	bool complete, cancelled;
	int exit_status;
	uint64_t damaged_lines;
	uint64_t counts[CLAW_VERDICT_COUNT];
	const struct claw_environment_entry *environment;
	size_t environment_count;
	const struct claw_report_rule *rules;
	size_t rule_count;
	const char *const *notes;
	size_t note_count;
	uint64_t result_count;
	/* Of a soak (segment_count is 0: it is none): how much there is, and how
	 * long it ran by its own time. */
	uint64_t segment_count, sample_count, event_count, soak_ms;
	/* The earlier run that this one was compared with, or NULL. */
	const char *compared_with, *compared_started, *compared_text;
	const struct claw_change *changes;	/* sorted by kind */
	size_t change_count;
	const char *source_root;	/* paths are shown relative to it */
	/* Where the records are; and the way there from the report's own
	 * place, "" when they are beside it. For links; or NULL. */
	const char *directory, *link_base;
	bool durations, verbose, color;	/* for people */
};

struct claw_report_format {
	const char *summary;
	/* begin and end return 0 or -CLAW_E_*. The head outlives end(). */
	int (*begin)(FILE *out, const struct claw_report_head *head, void **state);
	void (*result)(FILE *out, void *state, const struct claw_result *result);
	int (*end)(FILE *out, void *state);	/* frees state */
	/* NULL, or: more results will come, but not of the same block. */
	void (*pause)(FILE *out, void *state);
	/* NULL, or: of a soak, in order of the records, before the results. */
	void (*segment)(FILE *out, void *state,
			const struct claw_soak_segment *segment);
	void (*sample)(FILE *out, void *state, const struct claw_sample *sample,
		       const struct claw_sample_site *sites, size_t site_count);
	void (*event)(FILE *out, void *state,
		      const struct claw_soak_event *event);
};

#define REPORT(id_, ...) extern const struct claw_report_format claw_report_##id_;
#define REPORT_FILE REPORT
#define REPORT_OPTION REPORT
#include "harness/records/report_formats.def"
#undef REPORT_OPTION
#undef REPORT_FILE
#undef REPORT

/* path below root shows without it; "../" that leads out of a build tree is
 * left out, too. Points into path. */
const char *claw_report_path(const struct claw_report_head *head,
			     const char *path);

/* The name of the program that was swept, checked or judged; NULL: there is none. */
const char *claw_report_program(const struct claw_report_head *head);

/* "kernel_memory" or "kernel_memory [oclgrind]", with " on DEVICE" where it has one;
 * malloced. */
char *claw_report_block(const struct claw_result *result);

/* Do both belong to one block? Texts may be NULL. */
bool claw_report_same(const char *a, const char *b);

/* The command's name. "run --coverage" has records of tests; never NULL. */
const char *claw_report_title(const struct claw_report_head *head);

/*
 * A text of many lines, each after indent, ended by a newline. Of more than
 * max_lines the first and last halves, and how many were left out.
 */
void claw_report_lines(FILE *out, const char *indent, const char *text,
		       size_t max_lines);

/* A text on one line and without effect on a terminal: control characters
 * but the tab are shown as #x1B. */
void claw_report_put(FILE *out, const char *text);

/* The same in Markdown, where nothing in it may begin or end anything. */
void claw_report_put_markdown(FILE *out, const char *text);

/* A time of a soak: "24:00:00". */
void claw_report_span(char *text, size_t size, uint64_t ms);

/* Room for claw_report_missing()'s text, of a directory whose name is not long. */
enum { CLAW_REPORT_MISSING = 512 };

/* Results that did not come: "Incomplete: 1 of 2 results, and ...", without a
 * newline, for a head of which count results were seen. false: there is
 * nothing to say. */
bool claw_report_missing(const struct claw_report_head *head, uint64_t count,
			 char *text, size_t size);

/*
 * Findings, each as a sentence, and the source line with a caret at the
 * column where the file is still there. Lines begin with indent.
 */
void claw_report_findings(FILE *out, const char *indent,
			  const struct claw_report_head *head,
			  const struct claw_result *result);

/* A source that a tool or a result names, found as such files are, or NULL. */
FILE *claw_report_open_source(const struct claw_report_head *head,
			      const struct claw_result *result, const char *file);
/* Line number of the file that a result names, without its end, malloced; NULL:
 * it may not be shown, or is not there. */
char *claw_report_source_line(const struct claw_report_head *head,
			      const struct claw_result *result,
			      const char *file, unsigned int line);
/* Its real path, malloced, or NULL. */
char *claw_report_source_path(const struct claw_report_head *head,
			      const struct claw_result *result,
			      const char *file);

/* "1 newly failing, 2 fixed"; "no change". */
void claw_report_change_counts(FILE *out, const struct claw_report_head *head);
/* "Compared with DIR: ..." and a line a change; nothing when the run was not
 * compared. */
void claw_report_changes(FILE *out, const struct claw_report_head *head);

/* GitHub's "::error" line for a result, where its runner runs us. */
void claw_report_annotate(FILE *out, const struct claw_report_head *head,
			  const struct claw_result *result);

#endif

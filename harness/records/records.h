/* SPDX-License-Identifier: Apache-2.0 */
/*
 * records.jsonl: the truth of one command (doc/records.md). One JSON object a
 * line: v (version), n (sequence from 0), t (type), the type's own members,
 * crc (CRC-32 of the line without it). Types: plan first, then planned,
 * environment, result, rule, note, comparison, change, of a soak segment,
 * sample, event (records_soak.h); end last.
 */
#ifndef CLAW_RECORDS_H
#define CLAW_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "finding.h"
#include "harness/base/shard.h"

struct claw_sample;		/* series.h */
struct claw_sample_site;
struct claw_soak_event;
struct claw_soak_segment;	/* records_soak.h */

enum claw_verdict {
	/* of a test case */
	CLAW_PASSED, CLAW_FAILED, CLAW_SKIPPED, CLAW_XFAIL, CLAW_XPASS,
	/* of both */
	CLAW_HANG, CLAW_CRASH,
	/* of a judged program (judge/verdict.h) */
	CLAW_HANDLED, CLAW_DEGRADED, CLAW_SWALLOWED, CLAW_LEAK, CLAW_MISUSE,
	CLAW_SANITIZER, CLAW_NOT_REACHED, CLAW_NOT_INJECTED, CLAW_INCONCLUSIVE,
	CLAW_INFRA,
	/* of a soak: with PASSED, FAILED, CRASH, HANG, leak */
	CLAW_SLOWDOWN, CLAW_UNKNOWN, CLAW_ALSO_GROWS,
	CLAW_VERDICT_COUNT,
};

/* "PASSED", "handled", ...; class: 'p' pass, 'f' finding, 's' skip, 'u' unknown, 'n' note. */
const char *claw_verdict_name(enum claw_verdict verdict);
char claw_verdict_class(enum claw_verdict verdict);
int claw_verdict_find(const char *name);	/* or -1 */

/* Message of a test that ended, of which nobody said what must be in its results,
 * where no tool looked at more. */
#define CLAW_NOTHING_COMPARED \
	"nothing was compared: no arg_out says what a result must be; " \
	"--under asan or oclgrind checks accesses"

/* One finished case: what every report format is given. Strings may be NULL. */
struct claw_result {
	const char *suite;		/* "kernel_memory", or the command's verb */
	const char *name;		/* "test_alignment", or the program's name */
	const char *configuration;	/* "native", "oclgrind", ...; NULL: nobody asked for one */
	const char *device;		/* of a run on several ones, merged; or NULL */
	enum claw_verdict verdict;
	uint64_t duration_us;
	uint64_t spent_ms;	/* by the whole command when it ended; 0: not known */
	const char *fault;		/* the rule(s), or NULL */
	const char *message;		/* one line: what happened */
	const char *detail;		/* many lines: log, stacks, tool report */
	const char *file;		/* source of the failure */
	unsigned int line;		/* 0: not known */
	const char *code;		/* "clw-out-of-memory", ... */
	const char *reproduce;		/* the line to paste */
	unsigned int attempt;		/* from 1 */
	bool flaky;			/* passed and failed, of several runs */
	/* Name of the planned case that it is a result of, where that has
	 * several (a libcheck program); NULL: name. */
	const char *item;
	/* For tables of cases and tools: what the case says that must be seen
	 * ("invalid-write global 12"; NULL: nothing may be), and what was seen,
	 * in few words ("invalid-write", "SIGSEGV", "wrong result", "no check";
	 * NULL: nothing). */
	const char *expects, *seen;
	const struct claw_findings *findings;	/* or NULL */
	const char *metrics;		/* "gb_per_s=1.5 kernel_ms=0.3", or NULL */
	const char *first_run;		/* lines that ran because of the fault
					 * (sweep_handlers.h); NULL: nobody asked */
};

/* "slope" of "slope=1.5 low=1" or NULL: NAN when it is not there. */
double claw_result_metric(const char *metrics, const char *name);

/* One case of the plan; strings may be NULL but name. */
struct claw_planned {
	const char *suite, *name, *configuration;
	const char *operand;	/* word of the command line it came from; NULL: its suite's name */
	bool elsewhere;		/* another shard's */
	bool many;		/* may have more results than one */
};

/* Changes of a case since an earlier run. */
enum claw_change_kind {
	CLAW_CHANGE_NEWLY_FAILING, CLAW_CHANGE_STILL_FAILING,
	CLAW_CHANGE_FLAKY, CLAW_CHANGE_SLOWER, CLAW_CHANGE_NOT_RUN,
	CLAW_CHANGE_GONE, CLAW_CHANGE_FIXED, CLAW_CHANGE_NEW,
	CLAW_CHANGE_KIND_COUNT,
};

/* "newly failing"; find: -1 when there is no such kind. */
const char *claw_change_kind_name(enum claw_change_kind kind);
int claw_change_kind_find(const char *name);

struct claw_change {
	enum claw_change_kind kind;
	const char *suite, *name, *configuration;
	const char *text;	/* "PASSED before, now FAILED", or NULL */
};

/* A copy whose strings are its own; release takes them away again. */
void claw_result_copy(const struct claw_result *result,
		      struct claw_result *ret_copy);
void claw_result_release(struct claw_result *copy);

struct claw_records;	/* writer */

/* Create DIRECTORY/records.jsonl, locked until it is closed. command: argv
 * as the user gave it. The first failure to write is remembered: every later
 * call, claw_records_end() too, returns it.
 * Returns 0 or -CLAW_E_IO (errno set). */
int claw_records_new(const char *directory, const char *verb,
		     int argc, char *const *argv, uint64_t planned,
		     uint64_t seed, struct claw_records **ret_records);
/* Now: "2024-01-01T00:00:00Z". */
void claw_records_time(char *text, size_t size);
/* The same of a run that began at another such time; NULL: now. */
int claw_records_new_at(const char *directory, const char *verb,
			int argc, char *const *argv, uint64_t planned,
			uint64_t seed, const char *started,
			struct claw_records **ret_records);
/* Go on with DIRECTORY/records.jsonl of a run that did not come to its end, or
 * was cut short: what was torn, and an end record, are taken away.
 * Returns 0, -CLAW_E_IO (errno set; EWOULDBLOCK: in use), -CLAW_E_DAMAGED. */
int claw_records_continue(const char *directory,
			  struct claw_records **ret_records);
/* key: "platform", "device", "driver", "loader" ... */
int claw_records_planned(struct claw_records *, const struct claw_planned *);
/* The fact "shard". Of a shard with ":own": of the cases planned in between, those of other shards
 * are not written, but by the first shard; how many cases there are, and their
 * sum, by which merging sees that all shards had the same plan, is the fact
 * "plan". Another shard: nothing. */
#define CLAW_FACT_PLAN "plan"
#define CLAW_FACT_SHARD "shard"
void claw_records_plan_begin(struct claw_records *,
			     const struct claw_shard *shard);
int claw_records_plan_end(struct claw_records *);
int claw_records_environment(struct claw_records *, const char *configuration,
			     const char *key, const char *value);
int claw_records_result(struct claw_records *, const struct claw_result *);
/* One rule's counts after a run. */
int claw_records_rule(struct claw_records *, const char *rule,
		      uint64_t matched, uint64_t fired);
int claw_records_note(struct claw_records *, const char *text);
/* The run was compared with the one in directory; its changes follow. text:
 * what the comparison could not say, or NULL. */
int claw_records_comparison(struct claw_records *, const char *directory,
			    const char *started, const char *text);
int claw_records_change(struct claw_records *, const struct claw_change *);
/* The end record; exit_status as the command will return. */
int claw_records_end(struct claw_records *, int exit_status, bool cancelled);
/* The absolute directory of the records that this process ended last; NULL: it
 * ended none. */
const char *claw_records_ended(void);
/* Close; without claw_records_end() the file stays "incomplete". */
void claw_records_free(struct claw_records *);

/* Callbacks of claw_records_read(), called in order of the file; each may be
 * NULL. */
struct claw_records_visitor {
	void (*plan)(void *user, const char *verb, const char *command_line,
		     uint64_t planned, uint64_t seed, const char *started);
	void (*planned)(void *user, const struct claw_planned *planned);
	void (*environment)(void *user, const char *configuration,
			    const char *key, const char *value);
	void (*result)(void *user, const struct claw_result *result);
	void (*rule)(void *user, const char *rule, uint64_t matched, uint64_t fired);
	void (*note)(void *user, const char *text);
	void (*comparison)(void *user, const char *directory,
			   const char *started, const char *text);
	void (*change)(void *user, const struct claw_change *change);
	/* Of a soak (records_soak.h). sites: those that changed since the
	 * sample before. A series that was not measured is NAN. */
	void (*segment)(void *user, const struct claw_soak_segment *segment);
	void (*sample)(void *user, const struct claw_sample *sample,
		       const struct claw_sample_site *sites, size_t site_count);
	void (*event)(void *user, const struct claw_soak_event *event);
	void (*end)(void *user, int exit_status, bool cancelled);
};

/* ret_complete: an end record was there; ret_damaged: lines left out (a CRC
 * that does not fit, a number that is missing in the sequence). A torn last
 * line is ignored. 0, -CLAW_E_IO (errno set), -CLAW_E_DAMAGED (no plan
 * record), -CLAW_E_VERSION. */
int claw_records_read(const char *path, const struct claw_records_visitor *visitor,
		      void *user, bool *ret_complete, uint64_t *ret_damaged);

/* What a path of an output directory holds. */
enum claw_output_state {
	CLAW_OUTPUT_ABSENT, CLAW_OUTPUT_EMPTY,
	CLAW_OUTPUT_FINISHED, CLAW_OUTPUT_SOAKED,	/* a run that ended */
	CLAW_OUTPUT_UNFINISHED,		/* ... that was interrupted */
	CLAW_OUTPUT_IN_USE,		/* ... that a process writes */
	CLAW_OUTPUT_FOREIGN, CLAW_OUTPUT_NO_DIRECTORY, CLAW_OUTPUT_UNREADABLE,
};
enum claw_output_state claw_output_look(const char *path);

/*
 * Output directory of a judging command: make it, or
 * reuse a finished one of ours, or say why not in error. requested NULL:
 * openclaw-out/<verb>-<time>, and openclaw-out/latest points at it
 * (output_parent.h).
 *
 * Reused means that the files and folders openclaw makes (the list is in
 * output.c) are removed; what somebody else put there stays. force: an
 * unfinished one is reused, too, and one of a soak, which took hours.
 *
 * Returns 0, -CLAW_E_USAGE (the directory is somebody else's, unfinished, a
 * soak's or in use: exit 64) or -CLAW_E_IO (cannot be made or written: exit
 * 99).
 */
int claw_output_open(const char *requested, const char *verb, bool force,
		     char **ret_directory, char *error, size_t error_size);

/* The names that openclaw gives to what is there; NULL after the last. */
const char *claw_output_name(size_t i);

#endif

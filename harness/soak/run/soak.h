/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A soak: a workload is run for long and watched. soak.c decides what happens
 * when; the other soak_*.c do it. All of them say what went wrong by a return
 * value; words for a person are soak_say.c's and cmd_soak.c's.
 */
#ifndef CLAW_SOAK_H
#define CLAW_SOAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/errand.h"
#include "harness/session/fault_plan.h"
#include "harness/records/records.h"
#include "harness/records/records_soak.h"
#include "harness/process/runner.h"
#include "harness/soak/monitor/sampler.h"
#include "harness/session/session.h"
#include "harness/soak/monitor/soak_clock.h"
#include "soak_disk.h"
#include "soak_leaks.h"
#include "soak_verdict.h"
#include "soak_workload.h"
#include "harness/soak/monitor/xid_watch.h"

/* --stop-on */
enum claw_soak_stop {
	CLAW_SOAK_STOP_CRASH = 1 << 0, CLAW_SOAK_STOP_HANG = 1 << 1,
	CLAW_SOAK_STOP_ERROR = 1 << 2, CLAW_SOAK_STOP_WRONG = 1 << 3,
	CLAW_SOAK_STOP_LEAK = 1 << 4, CLAW_SOAK_STOP_SLOWDOWN = 1 << 5,
	CLAW_SOAK_STOP_ANY = (1 << 6) - 1,
};

struct claw_soak_config {
	uint64_t duration_ms, iterations;	/* 0: no end */
	uint64_t interval_ms;
	uint64_t retries;		/* failures in a row, without progress */
	uint64_t gpu_timeout_ms;	/* 0: none */
	uint64_t timeout_ms;		/* of one run of the program, 0: none */
	uint32_t stop_on;
	uint64_t max_disk_bytes;
	const char *notify;		/* command, or NULL */
	const char *metrics;		/* file, or NULL */
	const char *report;		/* file: stability.json */
	const char *models;		/* for the session, or NULL */
	const char *device;		/* number, or NULL */
};

/* Why a soak is over. */
enum claw_soak_end {
	CLAW_SOAK_GOES_ON,
	CLAW_SOAK_REACHED,	/* the duration or the iterations */
	CLAW_SOAK_STOPPED,	/* --stop-on */
	CLAW_SOAK_GAVE_UP,	/* too many failures in a row */
	CLAW_SOAK_CANCELLED,	/* SIGINT, SIGTERM */
	CLAW_SOAK_NO_START,	/* the program cannot be started, or refused */
	CLAW_SOAK_SKIPPED,	/* it said that it cannot run here */
	CLAW_SOAK_BROKEN,	/* the harness failed */
};

/* All that happened with one signature. */
struct claw_soak_signature {
	char *key;		/* what is known at once: "SIGSEGV tile < main" */
	char *signature;	/* a dump's, else the key */
	char *kind;		/* of the event: "crash", "hang", "exit" */
	char *code;		/* diagnosis, or NULL */
	char *text;		/* the first one's */
	char *path;		/* of the newest dump, relative to the directory, or NULL */
	uint64_t count, told, injected;
	uint64_t kept;		/* count when a file was kept last */
	uint64_t first_ms, last_ms;
};

/* Of events: how many of a kind. */
struct claw_soak_tally {
	char kind[24], code[40];
	bool injected;
	uint64_t count;
};

enum {
	CLAW_SOAK_SIGNATURES = 256, CLAW_SOAK_TEXT = 512,
	CLAW_SOAK_TALLIES = 64,
};

/* The run under way. */
struct claw_soak_current {
	const struct claw_session *session;	/* or NULL */
	char *stacks;			/* of a hang, or NULL */
	int pid;			/* 0: none */
	uint64_t t_ms, iterations, faults, calls;	/* as it began */
	bool is_captured;
	bool works;			/* it does what it was started for */
	const char *code;		/* diagnosis of a call of it, or NULL */
	/* for --gpu-timeout */
	uint64_t still_calls, still_iterations, still_since_ms;
	char hang_text[CLAW_SOAK_TEXT];	/* "" : it does not hang */
	bool hangs;
};

/* Judging of the series so far: --stop-on leak, slowdown. */
struct claw_soak_judging {
	struct claw_errand errand;
	int doubted_series;		/* that it was about last; -1: none */
	uint64_t next_samples;
	uint64_t samples, run, run_ms;	/* that the judge has */
};

struct claw_soak {
	const struct claw_soak_config *config;
	struct claw_soak_workload *workload;
	struct claw_fault_plan *plan;
	const struct claw_program *program;	/* of a PROGRAM */
	const char *directory, *shown_directory;
	const char *again;		/* command line to paste */
	const char *case_id;		/* of the runs' processes */
	struct claw_records *records;
	struct claw_soak_disk *disk;
	struct claw_soak_judge *judge;
	struct claw_telemetry *telemetry;	/* or NULL */
	const char *pci;		/* of the device, or NULL: not known */
	struct {
		struct claw_xid_watch watch;
		bool is_watched;
		uint64_t ms;		/* when it was looked at last */
	} log;				/* the kernel's */
	struct claw_runner *runner;
	struct claw_sampler *sampler;
	struct claw_soak_clock clock;
	struct claw_soak_current run;
	struct claw_soak_judging judging;
	/* where it is */
	uint64_t t_ms;
	int64_t wall_ms;
	uint64_t segment, runs, clean_runs, samples;
	uint64_t past_iterations;	/* of segments before */
	struct claw_sample sample;	/* the last one; t_ms 0: none yet */
	uint64_t next_sample_ms;
	uint64_t segment_t_ms, sampled_iterations;
	uint64_t throttle_reasons;
	/* what happened */
	struct claw_soak_signature signatures[CLAW_SOAK_SIGNATURES];
	size_t signature_count;
	uint64_t other_signatures;
	struct claw_soak_leaks leaks;	/* at the ends of runs */
	struct claw_soak_tally tallies[CLAW_SOAK_TALLIES];
	size_t tally_count;
	uint64_t events;
	uint64_t failures_in_row;
	struct {
		uint64_t wrong;
		uint64_t errors[CLAW_METER_CODES], faults[CLAW_METER_CODES];
	} told;				/* of it the records know */
	uint64_t *rule_matched, *rule_fired;
	bool handshake;			/* a call of the program was ever seen */
	bool has_room;			/* all records were written */
	char *why_not;			/* there is no handshake, or NULL */
	char *last_words;		/* of the last failure, or NULL */
	char why[CLAW_SOAK_TEXT];	/* of end, one line */
	enum claw_soak_end end;
	uint64_t end_ms;		/* when that was */
	uint64_t peak_device_bytes;
	enum claw_soak_finding worst;	/* of its series, at the end */
	bool notified;			/* of the first finding */
	bool metrics_failed, report_failed;
	uint64_t report_ms;		/* when it is due */
	struct {
		bool is_shown;
		uint64_t ms;
	} progress;
};

/* ---- soak.c ------------------------------------------------------------ */

/* Run until it is over: end and why are set. 0 or -CLAW_E_*. */
int claw_soak_run(struct claw_soak *soak);
/* It is over, unless it was before. */
void claw_soak_finish(struct claw_soak *soak, enum claw_soak_end end,
		      const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The time, and an event where the machine slept or its clock was set. */
void claw_soak_tick(struct claw_soak *soak);
/* All iterations so far. */
uint64_t claw_soak_iterations(const struct claw_soak *soak);
/* The most device memory of the program so far, in bytes; NAN: not known. */
double claw_soak_peak(const struct claw_soak *soak);

/* ---- soak_watch.c ------------------------------------------------------ */

/* Read new events, while the program runs or just after; take a sample when it
 * is due; detect a hang. */
void claw_soak_watch(struct claw_soak *soak);
/* Record results of calls, by code: new codes, or all not yet recorded. */
void claw_soak_tell_codes(struct claw_soak *soak, bool all);
/* A sample now. */
void claw_soak_sample(struct claw_soak *soak);
/* A sample is given to the judge, unless the program only begins: until its first
 * launch, transfer or iteration (30 s at most) it grows. 0 or -CLAW_E_*. */
void claw_soak_judge_sample(struct claw_soak *soak,
			    const struct claw_sample *sample,
			    const struct claw_sample_site *sites, size_t count);
/* Record new lines of the kernel log about devices as events. */
void claw_soak_look_at_log(struct claw_soak *soak);
/* Stacks of the program that runs, malloced; NULL: it does not. */
char *claw_soak_stacks(const struct claw_soak *soak);
void claw_soak_watch_release(struct claw_soak *soak);

/* ---- soak_ended.c ------------------------------------------------------- */

/* A run is over: what it was, and its events. */
void claw_soak_ended(struct claw_soak *soak, const struct claw_session *session,
		     const struct claw_run_result *result);

/* ---- soak_ends.c -------------------------------------------------------- */

/* Is a run that ended so judged by what it holds? */
bool claw_soak_wants_leaks(const struct claw_soak *soak,
			   const struct claw_run_result *result);
/* It was wanted: left is what was found. Events of what is new. */
void claw_soak_judge_end(struct claw_soak *soak,
			 const struct claw_soak_left *left);
/* Of leaks, what events have not told yet. */
void claw_soak_tell_leaks(struct claw_soak *soak, bool all);
/* Are the runs of the program over before there are samples enough for what it
 * holds to be judged by them? */
bool claw_soak_is_cut_short(const struct claw_soak *soak,
			    enum claw_series_group group);
/* The verdict of the ends of its runs, with one line: CLAW_PASSED, CLAW_LEAK or
 * CLAW_UNKNOWN; CLAW_SKIPPED: none of them is judged. */
enum claw_verdict claw_soak_ends_verdict(const struct claw_soak *soak,
					 char *text, size_t size);

/* ---- soak_events.c ------------------------------------------------------ */

/* Fill in the rest of the event (time, run, count 1 where it is 0), write it,
 * and see whether --stop-on is about it. */
void claw_soak_event(struct claw_soak *soak, struct claw_soak_event *event);
__attribute__((format(printf, 4, 5)))
void claw_soak_note(struct claw_soak *soak, const char *kind, const char *code,
		    const char *format, ...);
/* That key's, made when there is room; NULL: there is none. */
struct claw_soak_signature *claw_soak_signature_get(struct claw_soak *soak,
						    const char *kind,
						    const char *key);
/* One more of it; words as of an event, its signature NULL where only the key is
 * known. */
void claw_soak_signature_add(struct claw_soak *soak,
			     struct claw_soak_signature *signature,
			     const struct claw_soak_event *event);
/* Of a soak that goes on: an event of before. */
void claw_soak_remember(struct claw_soak *soak,
			const struct claw_soak_event *event);
/* Is that path a dump's? NULL: no. */
bool claw_soak_is_dump(const char *path);
/* Of the plan's rules, what fired in a run; stands: diagnosis of the failure
 * whose line is that of one of them, too, or NULL. */
void claw_soak_tell_faults(struct claw_soak *soak,
			   const struct claw_soak_left *left,
			   const char *stands);
/* Once, twice, 4 times ... since it was told last? */
bool claw_soak_is_news(uint64_t count, uint64_t told);
/* --stop-on WORD as a bit; 0: there is no such word. */
uint32_t claw_soak_stop_find(const char *word);
/* The words, from place 0; NULL behind the last. */
const char *claw_soak_stop_word(size_t place);
void claw_soak_events_release(struct claw_soak *soak);

/* ---- soak_notify.c ------------------------------------------------------ */

/* --notify: while the soak goes on, and at its end. */
void claw_soak_notify(struct claw_soak *soak, const char *verdict,
		      const char *text);
void claw_soak_notify_end(struct claw_soak *soak, const char *verdict,
			  const char *text);
void claw_soak_metrics(struct claw_soak *soak, const char *verdict);
/* The report for scripts, of what there is so far: when the soak begins and
 * with samples, as often as costs a hundredth of the time. */
void claw_soak_report(struct claw_soak *soak);

/* ---- soak_results.c ----------------------------------------------------- */

/* Summary of the soak. */
struct claw_soak_summary {
	int exit_status;
	const char *word;	/* "clean", "findings", "incomplete", ... */
	char text[2 * CLAW_SOAK_TEXT];	/* one line: why */
	size_t findings;
};

/* Does it say something: was it measured, often enough, if that could be? */
bool claw_soak_is_judged(const struct claw_soak *soak,
			 const struct claw_soak_series_verdict *one);
/* Is it a site that samples have shown to grow? It is said once. */
bool claw_soak_is_growing(const struct claw_soak_verdict *verdict,
			  const char *site);
/* Judge, write the results. 0 or -CLAW_E_*. */
void claw_soak_results(struct claw_soak *soak,
		       struct claw_soak_verdict *verdict,
		       struct claw_soak_summary *ret_summary);
/* The DIR's words of how to go on, malloced. */
char *claw_soak_resume_line(const struct claw_soak *soak);

/* ---- soak_say.c --------------------------------------------------------- */

/* The line that lives (a terminal), or one now and then (a log), on stderr. */
void claw_soak_progress(struct claw_soak *soak);
void claw_soak_progress_clear(struct claw_soak *soak);
/* All that is said at the end, on stdout. */
void claw_soak_say(const struct claw_soak *soak,
		   const struct claw_soak_verdict *verdict,
		   const struct claw_soak_summary *summary);

/* ---- soak_resume.c ------------------------------------------------------ */

/* Saved for --resume: the words of the command, its directory, and the chosen
 * seed. Returns 0 or -CLAW_E_IO (errno set). */
struct claw_soak_saved {
	char **argv;		/* from the verb on; NULL-terminated */
	char *working_directory, *case_id;
	uint64_t seed;
};
int claw_soak_save(const char *directory, const struct claw_soak_saved *saved);
/* error: one line. 0, -CLAW_E_IO or -CLAW_E_DAMAGED. */
int claw_soak_read_saved(const char *directory,
			 struct claw_soak_saved *ret_saved, char *error,
			 size_t error_size);
/* The saved words with those of a "--resume" among their options, so that the
 * next one knows them, too; malloced. */
char **claw_soak_join_words(char *const *saved, char *const *given);
void claw_soak_saved_release(struct claw_soak_saved *saved);
/* Processes that a harness left which was killed are ended. Returns how many. */
unsigned int claw_soak_end_left(const struct claw_soak_saved *saved);
/* The samples and events of before go to the judge and the table of
 * signatures. 0 or -CLAW_E_*. */
int claw_soak_recall(struct claw_soak *soak, const struct claw_soak_past *past);

#endif

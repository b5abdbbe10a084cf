/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start processes, watch them, end them with everything they started, and
 * say how they ended. libuv is the event loop; the status comes from our own
 * waitid() on a pidfd.
 */
#ifndef CLAW_RUNNER_H
#define CLAW_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost.h"

enum claw_stdin { CLAW_STDIN_EMPTY, CLAW_STDIN_INHERIT, CLAW_STDIN_FILE };

/* How one process is started. All pointers are borrowed until it has ended. */
struct claw_run_spec {
	char *const *argv;		/* argv[0] is looked up on PATH */
	char *const *set_env;		/* "NAME=VALUE" over ours; "NAME" unsets; NULL-terminated or NULL */
	const char *directory;		/* working directory, or NULL */
	enum claw_stdin stdin_mode;
	const char *stdin_path;
	bool foreground;		/* our terminal, our group, output not captured */
	bool tee;			/* captured and passed on as it comes */
	const char *stdout_path, *stderr_path;	/* also kept whole in these files, or NULL */
	/* 0: none. What its threads wait for a processor is none of it: up to
	 * ten times as long in all, unless it is exact. */
	uint64_t timeout_ms;
	bool exact_timeout;
	uint64_t grace_ms;		/* between TERM and KILL, 0: 2000 */
	uint64_t drain_ms;		/* wait for pipes after exit, 0: 500 */
	size_t head_bytes, tail_bytes;	/* of captured output, 0: 64 KiB each */
	bool save_stacks;		/* on a timeout, before it is killed */
	const char *case_id;		/* exported as OPENCLAW_CASE; marks its descendants */
	uint64_t file_max_bytes;	/* most written to stdout_path and stderr_path, 0: 1 GiB */
	bool no_core;			/* a crash leaves no core file */
	bool merge_stderr;		/* stderr goes where stdout goes */
	bool account;			/* the result has its cost */
	/* Asked when the time is over: how much more it gets, 0 none. */
	uint64_t (*more_time_ms)(void *user);
	void *more_time_user;
	/* Told when it has started. */
	void (*started)(int pid, void *user);
	void *started_user;
};

/* Captured output: head, then tail, with cut_bytes between them left out.
 * NUL bytes are kept; lengths count. */
struct claw_capture {
	char *head, *tail;
	size_t head_bytes, tail_bytes;
	uint64_t cut_bytes, total_bytes;
};

enum claw_end {
	CLAW_END_EXIT,		/* code: exit status */
	CLAW_END_SIGNAL,	/* code: signal number */
	CLAW_END_TIMEOUT,	/* killed by us after timeout_ms */
	CLAW_END_NOT_FOUND,	/* no such program */
	CLAW_END_NOT_EXECUTABLE,/* errno in code */
	CLAW_END_CANCELLED,	/* SIGINT or SIGTERM reached us */
	CLAW_END_INFRA,		/* the harness failed; errno in code */
};

struct claw_run_result {
	enum claw_end end;
	int code;
	bool core_dumped;
	uint64_t duration_us;
	uint64_t start_mono_ns, end_mono_ns;
	int pid;
	unsigned int stragglers_killed;	/* descendants alive after it ended */
	bool drain_expired;		/* somebody else kept a pipe open */
	struct claw_capture out, err;
	struct claw_run_cost cost;
	char *stacks;			/* text, or NULL */
	int file_error;			/* errno when stdout_path or stderr_path could not be written whole, or 0 */
};

struct claw_runner;
typedef void claw_run_done(struct claw_run_result *result, void *user);

/* jobs: processes at a time, at least 1. NULL when the loop cannot be made.
 * The runner becomes a child subreaper and takes SIGINT and SIGTERM until
 * it is freed. */
struct claw_runner *claw_runner_new(unsigned int jobs);
void claw_runner_free(struct claw_runner *runner);

/* Queue a run. done is called once, in claw_runner_run(), and may queue
 * further runs; the result is released after it returns. */
void claw_runner_add(struct claw_runner *runner,
		     const struct claw_run_spec *spec, claw_run_done *done,
		     void *user);

/* A function called about every interval_ms while runs are going on. */
void claw_runner_set_tick(struct claw_runner *runner, uint64_t interval_ms,
			  void (*tick)(void *user), void *user);

/* A function called when this signal reaches us; it ends nothing. Before the
 * runner runs, and for one signal. 0 or -CLAW_E_IO. */
int claw_runner_on_signal(struct claw_runner *runner, int number,
			  void (*heard)(void *user), void *user);

/* Run everything queued. Returns 0, or the signal that cancelled it. Once
 * cancelled, whatever is added is done at once with CLAW_END_CANCELLED. A
 * foreground run is not cancelled: the signal is passed on to the program. */
int claw_runner_run(struct claw_runner *runner);

/* add + run for one run on a runner that is kept; the caller releases the
 * result. Returns as claw_runner_run(), or a negative error. */
int claw_runner_run_one(struct claw_runner *runner,
			const struct claw_run_spec *spec,
			struct claw_run_result *ret_result);

/* The program that execvp() would find: a malloced path, or NULL with
 * *reterr the errno (ENOENT, EACCES). */
char *claw_program_find(const char *name, int *reterr);

/* One run, alone: new + add + run + free. The caller releases the result. */
int claw_run_once(const struct claw_run_spec *spec, struct claw_run_result *ret_result);
void claw_run_result_release(struct claw_run_result *result);

/* Has the program left processes, which are the caller's now? Those that have
 * ended are waited for. */
bool claw_runner_left_processes(void);

/* Capture as one NUL-terminated text ("... N bytes cut ..." between head and
 * tail); the caller frees it. */
char *claw_capture_text(const struct claw_capture *capture);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replay a captured program's calls in a process of its own (openclaw-replay,
 * a helper program that links the loader): in the order of the capture, with
 * handles, contents and events put in place, and with the captured failures
 * injected at the captured calls.
 */
#ifndef CLAW_REPLAY_H
#define CLAW_REPLAY_H

#include "harness/crash/facts/crash.h"
#include "harness/tools/tools.h"

enum claw_replay_end {
	CLAW_REPLAY_SAME,	/* the same signature */
	CLAW_REPLAY_OTHER,	/* something else went wrong */
	CLAW_REPLAY_NOTHING,	/* it ended well */
	CLAW_REPLAY_INFRA,	/* could not be tried: why */
};

struct claw_replay_spec {
	const struct claw_dump *dump;	/* meta, journal and faults of the original */
	const struct claw_trace *trace;	/* dump's, or a smaller one of it */
	const char *dump_path;		/* a file with that trace, or NULL: one is written */
	const char *under;		/* "native", "oclgrind", "device", or NULL: native */
	const char *model;		/* claw_models_compile() of --model, "" for none;
					 * NULL: what the capture had */
	uint64_t timeout_ms;		/* 0: 60 s */
	bool no_faults;			/* do not inject what was captured */
	/* Memory that nothing was written to is 0 where the C library gives it:
	 * what happens by what was left there does not. */
	bool is_clean;
	/* Of a program whose own code crashed: what its calls had come to by
	 * then (claw_replay_wanted()), which is SAME, too. Or NULL. */
	const char *wanted_calls;
	/* The kernel that had faulted: a bad access of it that a tool finds is
	 * SAME, too. Or NULL. */
	const char *wanted_kernel;
	const char *directory;		/* its session stays there, or NULL */
	/* A directory for what reads that wait give, each in a file that is
	 * called as the call's number; or NULL. */
	const char *reads;
	bool has_device;		/* --device */
	uint64_t device;
};

/* The last reads of a replay: what they gave. */
struct claw_replay_read {
	uint32_t number;		/* of the call */
	uint64_t bytes;
	char hash[33];			/* claw_trace_hash() of them, in hex */
};

struct claw_replay_result {
	enum claw_replay_end end;
	char *signature;	/* what the replay showed, "" for nothing */
	char *why;		/* INFRA, or what was synthesised or left out */
	uint32_t skipped;	/* calls that could not be replayed */
	uint32_t synthesised;	/* contents that were made up */
	uint32_t differing;	/* calls that returned something else */
	uint32_t injected;	/* failures that were to be injected */
	bool is_complete;	/* it came to the end of the calls */
	bool has_no_device;	/* INFRA: there is nothing to run on */
	char *device;		/* that it ran on, or NULL */
	struct claw_replay_read *reads;
	size_t read_count;
	uint64_t wall_ns;
	/* Findings of the tool under it (oclgrind), as finding.h has them. */
	struct claw_findings *found;	/* or NULL */
};

/*
 * One replay. wanted: the signature that is SAME; "": it ended well, and all
 * calls returned what they had returned. 0 or -CLAW_E_IO; release the result in
 * any case.
 */
int claw_replay_run(const struct claw_replay_spec *spec, const char *wanted,
		    struct claw_replay_result *ret_result);
void claw_replay_result_release(struct claw_replay_result *result);

/*
 * The faults that give a run of these calls, in this order and in one thread,
 * the failures that were captured: rules as faults/shared/plan.h has them, malloced
 * and NULL-terminated.
 */
char **claw_replay_rules(const struct claw_trace *trace,
			 const struct claw_dump *dump);
/* The same with other call numbers: for each call its number among the calls of
 * its function, 0 if it is not made. */
char **claw_replay_rules_numbered(const struct claw_trace *trace,
				  const struct claw_dump *dump,
				  const uint64_t *numbers);
/* The same for another run of the program itself: counted as the captured
 * process counted its calls, those that the ring forgot included. */
char **claw_replay_schedule(const struct claw_trace *trace,
			    const struct claw_dump *dump);

/* One failure, and the call (index) that it is for. */
struct claw_replay_rule {
	uint32_t call;
	char *text;		/* "clCreateBuffer:oom", without when= */
};
struct claw_replay_faults {
	struct claw_replay_rule *items;
	size_t count;
};
/* By call, in the order of the trace. Release it in any case. */
void claw_replay_faults_find(const struct claw_trace *trace,
			     const struct claw_dump *dump,
			     struct claw_replay_faults *ret_faults);
void claw_replay_faults_release(struct claw_replay_faults *faults);

#endif

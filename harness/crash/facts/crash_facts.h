/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a dump says of the end of its process, gathered once: how it ended,
 * which call it was in, which calls failed, which launches had not ended. The
 * rules of crash_rules.def ask it. For crash*.c alone.
 */
#ifndef CLAW_CRASH_FACTS_H
#define CLAW_CRASH_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faults/shared/plan.h"
#include "crash.h"
#include "harness/check/found_groups.h"

/* Whose code a fatal signal was met in. */
enum claw_crash_top {
	CLAW_TOP_UNKNOWN, CLAW_TOP_PROGRAM, CLAW_TOP_DRIVER, CLAW_TOP_KERNEL,
};

struct claw_crash_facts {
	const struct claw_dump *dump;
	const struct claw_trace *trace;	/* never NULL */
	struct claw_symbolizer *symbolizer;
	struct claw_found_groups found;

	/* How it ended. */
	const char *trigger;	/* of META, or "" */
	int signal;		/* or 0 */
	int status;		/* of exit(); -1: not by exit(), or not known */
	bool ended;		/* META says how */
	bool has_address;
	uint64_t address;
	const struct claw_journal_record *crash;	/* or NULL */
	enum claw_crash_top top;

	/* Calls by index + 1; 0: none. */
	uint32_t pending;	/* that had not returned */
	uint32_t told;		/* the first that told of the device */
	const char *told_code;	/* and its diagnosis, or NULL */
	uint32_t no_memory;	/* the last that had no memory */
	uint32_t build;		/* the last build that failed */
	uint32_t failed;	/* the last that failed and matters */
	uint32_t launch;	/* most likely culprit */
	uint32_t open_launches;	/* that had not ended, by all that is known */
	uint32_t alike;		/* of those, as suspicious as the culprit, it included */
	uint32_t first_context, first_launch;
	/* By call: the call (index + 1) that showed that this command had ended
	 * well, or 0. */
	uint32_t *done_by;
};

/* Release in any case. */
void claw_crash_facts_gather(const struct claw_dump *dump,
			     struct claw_crash_facts *ret_facts);
void claw_crash_facts_release(struct claw_crash_facts *facts);

/* By index + 1; NULL for 0. */
static inline const struct claw_trace_call *
claw_crash_call(const struct claw_crash_facts *facts, uint32_t number)
{
	return number && number <= facts->trace->call_count ?
		&facts->trace->calls[number - 1] : NULL;
}

/* Is it a call, and not the status of an event? */
static inline bool claw_crash_is_call(const struct claw_trace_call *call)
{
	return call->api < CLAW_API_COUNT;
}

static inline bool claw_crash_has_failed(const struct claw_trace_call *call)
{
	return call->returned && call->result < 0;
}

/* Is the result openclaw's, or does it follow from one that is? */
static inline bool claw_crash_is_injected(const struct claw_trace_call *call)
{
	return call->flags & (CLAW_REC_INJECTED | CLAW_REC_CONSEQUENCE |
			      CLAW_REC_SWALLOWED);
}

/* Did a thread crash that is none of the program's? A driver's works on what it
 * was given before: the call that another thread is in need not have to do with
 * it, and is another one the next time. */
static inline bool claw_crash_is_worker(const struct claw_crash_facts *facts)
{
	return facts->crash && !facts->crash->thread;
}

/* Is the fatal signal openclaw's, in the driver's place? Then its address and
 * the code that it was met in say nothing. */
static inline bool claw_crash_is_made(const struct claw_crash_facts *facts)
{
	const struct claw_trace_call *call =
		claw_crash_call(facts, facts->pending);

	return facts->signal && call && claw_crash_is_injected(call) &&
	       call->fault == CLAW_FAULT_DRIVER_CRASH;
}

/* The command whose event it is (index + 1), or 0. */
uint32_t claw_crash_command(const struct claw_trace *trace,
			    claw_object_id event);

/* Does it come back only when earlier commands of its queue have ended? */
bool claw_crash_waits(const struct claw_trace_call *call);
/* Is there a user event that nobody has completed? (crash_causes_order.c) */
bool claw_crash_has_gate(const struct claw_crash_facts *facts);

/* Is the last call that failed a build, or one that has no program because of
 * it? */
static inline bool claw_crash_is_of_build(const struct claw_crash_facts *facts)
{
	return facts->build &&
	       (facts->build == facts->failed ||
		claw_crash_call(facts, facts->failed)->result ==
		CL_INVALID_PROGRAM_EXECUTABLE);
}

/* The parameter with that name, or NULL. */
const struct claw_trace_arg *
claw_crash_arg(const struct claw_trace_call *call, const char *name);
/* The object that a call was given in that role, or 0. */
claw_object_id claw_crash_object(const struct claw_trace_call *call,
				 enum claw_role role);
/* Word number i of an argument that points at sizes; 0: not known. */
uint64_t claw_crash_size(const struct claw_trace_arg *arg, unsigned int i);
/* Work-items of a launch, 0: not known. */
uint64_t claw_crash_work_items(const struct claw_trace_call *launch);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace: what the program asks of OpenCL, whole enough to ask it again
 * (trace_format.h). Written where config has "capture", beside the journal of
 * a process; the ledger tells it which objects live.
 *
 * Any thread may call any of these at any time. Nothing is changed for the
 * program; what cannot be recorded is counted.
 */
#ifndef CLAW_TRACE_RECORDER_H
#define CLAW_TRACE_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "faults/call/guest.h"
#include "faults/shared/trace_format.h"

/* Keys of the session's config. */
struct claw_trace_config {
	enum claw_capture_buffers buffers;	/* capture */
	bool redact;				/* capture_redact */
	uint64_t ring_bytes;			/* capture_ring; 0: the default */
	uint64_t max_bytes;			/* capture_bytes; 0: the default */
	uint64_t launch;			/* capture_launch; 0: every one */
	char kernel[CLAW_RULE_WORD_MAX];	/* capture_kernel, a pattern; "": any */
};

/* In this process, or anew in a forked child; after the ledger. Says so on
 * stderr and stays off when there is no room for the file. */
CLAW_HIDDEN void claw_trace_begin(const struct claw_trace_config *config);
extern bool claw_trace_on CLAW_HIDDEN;
extern bool claw_trace_redacts CLAW_HIDDEN;
static inline bool claw_trace_is_on(void)
{
	return claw_trace_on;
}

/* Does a call of this function have to be looked at before the driver; or is
 * it enough to look at its result? */
enum claw_trace_interest {
	CLAW_TRACE_NOTHING, CLAW_TRACE_RESULTS, CLAW_TRACE_CALLS,
};
CLAW_HIDDEN enum claw_trace_interest claw_trace_interest(enum claw_api api);

/*
 * Around a call. Before: as soon as it is known to be the program's, with the
 * parameters as they were passed. After: when call->err and call->ret are what
 * the program will see. Of the call, api, args, ordinal, flags, rule, fault,
 * site, err and ret are read; trace and trace_position are set.
 */
CLAW_HIDDEN void claw_trace_before(struct claw_call *call);
/* The same, and an errcode_ret where the program gave none; for the wrappers'
 * own way, which has none of the guest's others. False: the call is one of the
 * guest's own, and of no interest. */
CLAW_HIDDEN bool claw_trace_begin_call(struct claw_call *call);
CLAW_HIDDEN void claw_trace_end_call(struct claw_call *call);
/* Shorter still: a reference more or less; an argument of four or eight bytes.
 * Begun with a mark, ended with what the driver said. */
struct claw_trace_mark {
	struct claw_trace_record *record;	/* NULL: not recorded */
	uint64_t position;
};
CLAW_HIDDEN struct claw_trace_mark
claw_trace_begin_reference(enum claw_api api, const void *handle);
CLAW_HIDDEN void claw_trace_end_reference(const struct claw_trace_mark *mark,
					  cl_int err);
static inline bool claw_trace_is_short_arg(const void *const *args)
{
	size_t size = CLAW_ARG_IN(args, clSetKernelArg, arg_size);

	return (size == 8 || size == 4) &&
	       CLAW_ARG_IN(args, clSetKernelArg, arg_value) &&
	       !claw_trace_redacts;
}
CLAW_HIDDEN struct claw_trace_mark
claw_trace_begin_arg(const void *const *args);
CLAW_HIDDEN void claw_trace_end_arg(const struct claw_trace_mark *mark,
				    const void *const *args, cl_int err);
/* A buffer that is made of no memory of the program's, by the words of its
 * parameters; ended when it was made. */
enum { CLAW_TRACE_BUFFER_WORDS = 5, CLAW_TRACE_LAUNCH_WORDS = 9 };
CLAW_HIDDEN struct claw_trace_mark
claw_trace_begin_buffer(const uint64_t *words, uint32_t *ret_site);
CLAW_HIDDEN void claw_trace_end_buffer(const struct claw_trace_mark *mark,
				       const void *buffer);
/* A launch, which goes with its arguments, by the words of its parameters; ended
 * when the driver has taken it. False: it is to go the long way. */
struct claw_trace_launch {
	struct claw_trace_mark mark;
	unsigned char *made;		/* where its event goes, if it has one */
	uint32_t site;
};
CLAW_HIDDEN bool claw_trace_begin_launch(const uint64_t *words,
					 struct claw_trace_launch *launch);
CLAW_HIDDEN void claw_trace_end_launch(const struct claw_trace_launch *launch,
				       const cl_event *event);
/* Either of them, when it failed. */
CLAW_HIDDEN void claw_trace_end_failed(enum claw_api api,
				       const struct claw_trace_mark *mark,
				       uint32_t site, const void *const *args,
				       cl_int err);
/* A query has been answered: it failed, or gave out what is looked at. */
CLAW_HIDDEN void claw_trace_answered(enum claw_api api,
				     const void *const *args, cl_int err);
CLAW_HIDDEN void claw_trace_after(struct claw_call *call);

/* The driver's own threads: an event's status arrives; a context is told. */
CLAW_HIDDEN void claw_trace_told(cl_event event, cl_int status);
CLAW_HIDDEN void claw_trace_context_told(cl_context context, const char *text);

#endif

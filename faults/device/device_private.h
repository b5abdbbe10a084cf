/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of device*.c share. Each has a table of its own under a lock of
 * its own; the questions that begin with "is any" take none.
 */
#ifndef CLAW_DEVICE_PRIVATE_H
#define CLAW_DEVICE_PRIVATE_H

#include "device.h"

/* A table is full: what is not in it is not treated as it should be. */
CLAW_HIDDEN void claw_say_full(bool *said, const char *what);
/* CLOCK_MONOTONIC that far from now; 0: for ever, UINT64_MAX. */
CLAW_HIDDEN uint64_t claw_deadline_ns(uint64_t span_ns);

/* ---- lost devices: device_loss.c */

struct claw_lost_device {
	cl_device_id device;
	unsigned int rule;
	uint64_t since_ns, until_ns;	/* CLOCK_MONOTONIC; UINT64_MAX: for ever */
	bool by_context;	/* contexts made from now on work */
};

CLAW_HIDDEN bool claw_loss_is_any(void);
/* The loss that this call meets: false if none. */
CLAW_HIDDEN bool claw_loss_find(const struct claw_call *call,
				struct claw_lost_device *ret_lost);
CLAW_HIDDEN bool claw_loss_check(struct claw_call *call);
/* A context that was made. */
CLAW_HIDDEN void claw_loss_adopt(cl_context context);
CLAW_HIDDEN void claw_loss_reset(void);

/* ---- what hangs: device_hang.c, device_events.c */

/* What a command that does not complete is about. */
struct claw_hang {
	unsigned int rule;
	uint64_t since_ns, until_ns;
	cl_int code;		/* that its event ends with */
	bool is_followed;	/* a device model says what is then */
};

enum { CLAW_HUNG_CALLBACKS = 4 };

/* A command that will not complete: the event that stands in for it. */
struct claw_hung_event {
	cl_event _Atomic event;	/* a user event, one reference is ours */
	cl_command_queue queue;
	cl_command_type type;
	struct claw_hang hang;
	bool ended;		/* its watchdog has struck */
	bool told;		/* and whoever waited for it knows */
	struct {
		void (CL_CALLBACK *notify)(cl_event, cl_int, void *);
		void *user;
		cl_int status;		/* that it was to wait for */
	} callbacks[CLAW_HUNG_CALLBACKS];
	unsigned int callback_count;
};

CLAW_HIDDEN bool claw_hung_events_are_any(void);
/* NULL: it is none. */
CLAW_HIDDEN struct claw_hung_event *claw_hung_event_find(cl_event event);
/* Give the program the event of a command that never completes. */
CLAW_HIDDEN cl_int claw_hung_event_make(struct claw_call *call,
					cl_command_queue queue,
					const struct claw_hang *hang);
/* Returns when the next one's time is over. */
CLAW_HIDDEN uint64_t claw_hung_events_end_overdue(void);
/* clSetEventCallback; false: it is not about one of these. */
CLAW_HIDDEN bool claw_hung_event_keep_callback(struct claw_call *call);
CLAW_HIDDEN void claw_hung_events_reset(void);

CLAW_HIDDEN bool claw_hung_queues_are_any(void);
CLAW_HIDDEN bool claw_hang_check(struct claw_call *call);
CLAW_HIDDEN void claw_hung_queue_forget(cl_command_queue queue);
CLAW_HIDDEN void claw_hung_queues_reset(void);

/* ---- programs that could not be built: device_builds.c */

CLAW_HIDDEN bool claw_failed_builds_are_any(void);
CLAW_HIDDEN bool claw_failed_build_check(struct claw_call *call);
CLAW_HIDDEN void claw_failed_build_patch(struct claw_call *call);
CLAW_HIDDEN void claw_failed_build_forget(cl_program program);
CLAW_HIDDEN void claw_failed_builds_reset(void);

#endif

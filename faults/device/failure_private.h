/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of a model, as failure_lines.c read them. */
#ifndef CLAW_FAILURE_PRIVATE_H
#define CLAW_FAILURE_PRIVATE_H

#include "failure.h"
#include "faults/call/model_table.h"

enum {
	CLAW_FAIL_LIVES = 16, CLAW_FAIL_DEVICES = 16,
	CLAW_FAIL_STATES = 8, CLAW_FAIL_TRIGGERS = 16, CLAW_FAIL_ANSWERS = 128,
	CLAW_FAIL_NAME_MAX = 32, CLAW_FAIL_TEXT_MAX = 128,
	CLAW_FAIL_GENERIC = CLAW_MODELS_MAX,	/* the rules of no model */
	CLAW_FAIL_HEALTHY = -1,			/* the state of an answer */
};

enum claw_fail_reach {
	CLAW_FAIL_QUEUE, CLAW_FAIL_CONTEXT, CLAW_FAIL_DEVICE, CLAW_FAIL_PROCESS,
};

/* What a trigger is, besides a fault. */
enum { CLAW_FAIL_ON_FORK = CLAW_FAULT_COUNT, CLAW_FAIL_ON_USER_EVENT };

/* A condition of an answer. */
enum claw_fail_is { CLAW_FAIL_ANY, CLAW_FAIL_NO, CLAW_FAIL_YES };

struct claw_fail_state {
	char name[CLAW_FAIL_NAME_MAX];
	enum claw_fail_reach reach;
	bool by_context;	/* a new context works */
	bool by_notice;		/* it is over once a call has noticed it */
	uint64_t cure_ns;	/* 0: never in this process */
	cl_int event;		/* how the event of the faulting command ends */
	bool available;		/* CL_DEVICE_AVAILABLE */
	char notice[CLAW_FAIL_TEXT_MAX];	/* told when it is noticed, or "" */
};

struct claw_fail_trigger {
	unsigned int on;	/* enum claw_fault, or CLAW_FAIL_ON_... */
	int crash;		/* enum claw_crash_kind, or -1: any */
	unsigned int state;
	cl_int error;
	uint64_t after_ns;	/* hang: when the device ends it; 0: never */
};

struct claw_fail_answer {
	int state;
	uint64_t targets[(CLAW_API_COUNT + 63) / 64];
	enum claw_fail_is noticed, blocking, waits;
	enum claw_fail_is same_queue, same_context, same_device;
	bool has_says;
	cl_int says;		/* only when the driver answered that */
	bool has_shows;
	cl_int shows;		/* only when that is the event's status */
	bool null_value;	/* only when clSetKernelArg was given no value */
	bool over_local;	/* only when a kernel has more local memory */
	bool has_code, code_is_error;
	cl_int code;
	bool has_status;
	cl_int status;		/* of the event that is asked about */
	bool notices;
	char tell[CLAW_FAIL_TEXT_MAX];
};

struct claw_fail_rules {
	struct claw_fail_state states[CLAW_FAIL_STATES];
	struct claw_fail_trigger triggers[CLAW_FAIL_TRIGGERS];
	struct claw_fail_answer answers[CLAW_FAIL_ANSWERS];
	unsigned int state_count, trigger_count, answer_count;
};

/* A state that something is in. */
struct claw_fail_live {
	uint64_t serial;	/* 0: none yet */
	unsigned int model;	/* whose rules */
	unsigned int shown;	/* which device the program is told of */
	unsigned int state, rule;	/* rule: CLAW_NO_RULE without a fault */
	cl_int error;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	uint64_t since_ns, until_ns;	/* since_ns may be to come */
	bool noticed;
};

/* As they are at one moment: a place may be used again. */
struct claw_fail_lives {
	struct claw_fail_live live[CLAW_FAIL_LIVES];
	unsigned int count;
};

/* What a call is about, found out once. */
struct claw_fail_subject {
	const struct claw_call *call;
	cl_command_queue queue;
	cl_context context;
	cl_device_id devices[CLAW_FAIL_DEVICES];
	unsigned int device_count;
	uint64_t context_since_ns, now_ns;
	bool waits;		/* for a command that did not run */
};

/* ---- failure.c */
/* The model of the device that the call concerns. */
CLAW_HIDDEN unsigned int claw_fail_model_of(const struct claw_call *call);
CLAW_HIDDEN bool claw_fail_targets(const struct claw_fail_answer *answer,
				   enum claw_api api);

/* As claw_failure_begin(), for one that is known; what it is about is given. */
CLAW_HIDDEN void claw_fail_start(const struct claw_fail_live *about,
				 const struct claw_fail_trigger *trigger,
				 uint64_t start_ns);

/* ---- failure_live.c */
CLAW_HIDDEN void claw_fail_lives_reset(void);
CLAW_HIDDEN bool claw_fail_is_any_live(void);
/* Where there is no room it is left alone, which is said once. */
CLAW_HIDDEN void claw_fail_live_add(const struct claw_fail_live *live);
CLAW_HIDDEN void claw_fail_lives_copy(struct claw_fail_lives *ret_copy);
CLAW_HIDDEN const struct claw_fail_state *
claw_fail_state_of(const struct claw_fail_live *live);
/* It is noticed from now on: returns whether it was not before. */
CLAW_HIDDEN bool claw_fail_live_notice(const struct claw_fail_live *live);

/* ---- failure_subject.c */
CLAW_HIDDEN void claw_fail_subject_find(const struct claw_call *call,
					struct claw_fail_subject *ret_subject);
CLAW_HIDDEN bool claw_fail_has_device(const struct claw_fail_subject *subject,
				      cl_device_id device);
/* Of the devices that the call is about, the one that the rule names. */
CLAW_HIDDEN cl_device_id
claw_fail_device_of_rule(const struct claw_fail_subject *subject,
			 const struct claw_rule *rule);
CLAW_HIDDEN bool claw_fail_reaches(const struct claw_fail_live *live,
				   const struct claw_fail_subject *subject);
/* The first answer of the state that fits the call, before the driver. NULL:
 * none does. */
CLAW_HIDDEN const struct claw_fail_answer *
claw_fail_find_answer(const struct claw_fail_live *live,
		      const struct claw_fail_subject *subject);

/* ---- failure_said.c */
/* The answer of that state to what the driver has just said, or NULL. */
CLAW_HIDDEN const struct claw_fail_answer *
claw_fail_find_said(unsigned int model, int state,
		    const struct claw_call *call);
/* Before the driver: what a query that fails is to leave as it was. */
CLAW_HIDDEN void claw_fail_keep_value(const struct claw_call *call);
/* Give it. error: what "error" stands for. */
CLAW_HIDDEN void claw_fail_mend(struct claw_call *call,
				const struct claw_fail_answer *answer,
				cl_int error, unsigned int shown);

/* ---- failure_lines.c */
CLAW_HIDDEN const struct claw_fail_rules *claw_fail_rules_of(unsigned int model);
/* What the rules of that model, or else the generic ones, say of the fault;
 * NULL: nothing. *ret_model: whose they are. */
CLAW_HIDDEN const struct claw_fail_trigger *
claw_fail_trigger_find(unsigned int model, const struct claw_rule *rule,
		       unsigned int *ret_model);
CLAW_HIDDEN bool claw_fail_has_lines(void);
/* The same of what is no fault (CLAW_FAIL_ON_...), of that model alone. */
CLAW_HIDDEN const struct claw_fail_trigger *
claw_fail_trigger_on(unsigned int model, unsigned int on);

/* ---- failure_generic.c: the lines, NULL at the end. */
CLAW_HIDDEN extern const char *const claw_fail_generic_lines[];

/* ---- failure_gates.c: commands behind user events */
CLAW_HIDDEN bool claw_fail_gates_interest(enum claw_api api);
/* After the driver. */
CLAW_HIDDEN void claw_fail_gates_follow(const struct claw_call *call);
CLAW_HIDDEN void claw_fail_gates_reset(void);

/* ---- failure_contexts.c: contexts and their callbacks */
CLAW_HIDDEN void claw_fail_context_made(const struct claw_call *call);
/* The program has retained (1) or released (-1) it. */
CLAW_HIDDEN void claw_fail_context_counted(cl_context context, int more);
/* Has the program released the context that it had at that time, or is there
 * another at its address? */
CLAW_HIDDEN bool claw_fail_context_is_gone(cl_context context, uint64_t at_ns);
CLAW_HIDDEN void claw_fail_contexts_reset(void);
/* When it was made; 0: not known. */
CLAW_HIDDEN uint64_t claw_fail_context_since_ns(cl_context context);
/* Tell the context: {error} {command} {device} {index} of the template. */
CLAW_HIDDEN void claw_fail_tell(cl_context context, const char *format,
				cl_int error, enum claw_api api,
				unsigned int device);

#endif

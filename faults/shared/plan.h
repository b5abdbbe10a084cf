/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fault grammar: one parser for the command line, OPENCLAW_FAULTS, YAML
 * plans, the session's rules file and clawArmOPENCLAW. No dependency, no
 * allocation but the rule's own texts, which live inside it.
 */
#ifndef CLAW_PLAN_H
#define CLAW_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api.h"

enum claw_fault {
	CLAW_FAULT_NONE,
#define FAULT(id_, name_, code_, summary_, seen_) CLAW_FAULT_##id_,
#include "faults.def"
#undef FAULT
	CLAW_FAULT_COUNT,
};

struct claw_fault_info {
	const char *name;	/* "oom-host" */
	const char *code;	/* diagnosis code: "clw-out-of-memory" */
	const char *summary;	/* what the program sees */
	const char *seen;	/* where, or NULL: no driver is known to do it */
};
extern const struct claw_fault_info claw_fault_table[CLAW_FAULT_COUNT];
/* In place of `seen`. */
#define CLAW_FAULT_UNSEEN_TEXT "nowhere: no conforming driver, no measured device"

enum claw_null_kind { CLAW_NULL_HANDLE = 1, CLAW_NULL_MAP = 2, CLAW_NULL_ARG = 4 };

enum claw_crash_kind {
	CLAW_CRASH_ILLEGAL_ACCESS, CLAW_CRASH_MISALIGNED, CLAW_CRASH_TRAP,
	CLAW_CRASH_KINDS,
};

/* "illegal-access" ... */
extern const char *const claw_crash_names[CLAW_CRASH_KINDS];

enum {
	CLAW_RULE_TEXT_MAX = 4096,
	CLAW_RULE_WORD_MAX = 256,
	CLAW_RULE_PCS_MAX = 32,
};

/* A place in a module's code: what the host made of at=. */
struct claw_pc_range {
	uint8_t build_id[CLAW_JOURNAL_BUILD_ID_BYTES];
	uint32_t build_id_bytes;	/* no padding: compared as bytes */
	uint64_t low, high;	/* offsets in the module, high exclusive */
};

struct claw_rule {
	char text[CLAW_RULE_TEXT_MAX];	/* canonical: parses to the same rule */
	uint64_t targets[(CLAW_API_COUNT + 63) / 64];	/* bit set: functions it can fire at */
	enum claw_fault fault;		/* NONE when it only delays */
	cl_int error;			/* of error= */
	unsigned int null_kinds;
	bool build_log;			/* build-fail: with a log */
	uint64_t hang_ns;		/* 0: for ever */
	enum claw_crash_kind crash;	/* gpu-crash */
	double part_percent;		/* partial: of the work-items */
	bool correctable;		/* ecc */
	uint64_t stall_ns;		/* build-delay; pcie: 0 fails */
	double factor;			/* throttle */
	uint64_t recover_ns;		/* device-lost: 0 never */
	bool recover_context;		/* device-lost: a new context brings it back */
	bool has_delay;
	uint64_t delay_low_ns, delay_high_ns;

	bool has_when;
	uint64_t when_first, when_last, when_step;	/* last UINT64_MAX: open */
	double percent;			/* < 0: no p= */
	bool has_above;
	uint64_t above_bytes;		/* fires when more than that is asked for */
	bool has_after;
	uint64_t after_ns;		/* since the process's first OpenCL call */
	char kernel[CLAW_RULE_WORD_MAX];	/* glob, "" for none */
	int device;			/* -1: any */
	unsigned int thread;		/* from 1, 0: any */
	uint64_t site;			/* 0: any */
	char at[CLAW_RULE_WORD_MAX];
	struct claw_pc_range pcs[CLAW_RULE_PCS_MAX];
	unsigned int pc_count;
	char exe[CLAW_RULE_WORD_MAX];
	uint64_t times;			/* 0: no limit */
};

struct claw_plan_error {
	size_t column;			/* from 1, in the rule's text */
	char message[384];		/* "expected ...; found ..." */
};

/*
 * Parse one rule. allow_illegal: error= may name a code that the
 * specification does not allow for the call.
 *
 * Returns 0, or -1 with reterr filled.
 */
int claw_rule_parse(const char *text, bool allow_illegal,
		    struct claw_rule *ret_rule, struct claw_plan_error *reterr);

/* Does the rule's target set hold this function? */
bool claw_rule_targets(const struct claw_rule *rule, enum claw_api api);

/* The code that the rule's fault gives for this function, or 0 for none. */
cl_int claw_rule_code(const struct claw_rule *rule, enum claw_api api);

/* The random decision of p= and of a delay range: a number in [0, 1) that
 * depends on nothing but its arguments (SplitMix64, Steele et al. 2014). */
double claw_random(uint64_t seed, uint32_t rule, uint64_t ordinal, uint32_t stream);

/* fnmatch()-like: '*' and '?' only, no allocation, no locale. */
bool claw_glob_match(const char *pattern, const char *text);

#endif

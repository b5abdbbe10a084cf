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
#define FAULT(id_, ...) CLAW_FAULT_##id_,
#include "faults.def"
#undef FAULT
	CLAW_FAULT_COUNT,
};

/* Kinds of values after "=", with the member of struct claw_rule of a fault. */
enum claw_fault_value {
	CLAW_VALUE_NONE,
	CLAW_VALUE_CODE,	/* needed: error */
	CLAW_VALUE_WORD,	/* words: its place among them; without: the first */
	CLAW_VALUE_WORDS,	/* words: a bit each; without: all */
	CLAW_VALUE_TIME,	/* needed: time_ns */
	CLAW_VALUE_MAYBE_TIME,	/* time_ns; without: 0 */
	CLAW_VALUE_PART,	/* number, between 0 and 100; without: 50 */
	CLAW_VALUE_FACTOR,	/* needed: number, from 1 */
	/* Of conditions only. */
	CLAW_VALUE_RECOVER, CLAW_VALUE_TIMES, CLAW_VALUE_SIZE, CLAW_VALUE_PERCENT,
	CLAW_VALUE_COUNT, CLAW_VALUE_HASH, CLAW_VALUE_WHEN, CLAW_VALUE_AT,
	CLAW_VALUE_TEXT, CLAW_VALUE_PC,
};

/* In which functions a fault can happen: see faults.c. */
enum claw_fault_where {
	CLAW_IN_ALL, CLAW_IN_DEVICE, CLAW_IN_BUILD, CLAW_IN_CREATE,
	CLAW_IN_POINTER, CLAW_IN_LAUNCH, CLAW_IN_RANGE, CLAW_IN_READ,
	CLAW_IN_TRANSFER,
};

/* Effects of a fault on the device. */
enum claw_fault_device {
	CLAW_DEVICE_NOTHING,
	CLAW_DEVICE_FOLLOWS,	/* its model can say what follows */
	CLAW_DEVICE_BREAKS,	/* that, and it is not what it was */
};

enum { CLAW_FAULT_CODES = 3, CLAW_CODE_FIRST = 1 };

struct claw_fault_info {
	const char *name;	/* "oom-host" */
	const char *code;	/* diagnosis code: "clw-out-of-memory" */
	const char *summary;	/* what the program sees */
	const char *seen;	/* where, or NULL: no driver is known to do it */
	enum claw_fault_value value;
	const char *words;	/* of the value: "log|no-log", or what is expected */
	enum claw_fault_where where;
	cl_int codes[CLAW_FAULT_CODES];	/* the first that is allowed; 0 ends them */
	enum claw_fault_device device;
};
extern const struct claw_fault_info claw_fault_table[CLAW_FAULT_COUNT];
/* Does the call succeed, and waiting for it take a factor as long? */
static inline bool claw_fault_slows(unsigned int fault)
{
	return fault < CLAW_FAULT_COUNT &&
	       claw_fault_table[fault].value == CLAW_VALUE_FACTOR;
}
/* In place of `seen`. */
#define CLAW_FAULT_UNSEEN_TEXT "nowhere: no conforming driver, no measured device"

/* claw_rule.words of null, gpu-crash, build-fail and ecc. */
enum { CLAW_NULL_HANDLE = 1, CLAW_NULL_MAP = 2, CLAW_NULL_ARG = 4 };
enum claw_crash_kind {
	CLAW_CRASH_ILLEGAL_ACCESS, CLAW_CRASH_MISALIGNED, CLAW_CRASH_TRAP,
	CLAW_CRASH_KINDS,
};
enum { CLAW_BUILD_LOG, CLAW_BUILD_NO_LOG };
enum { CLAW_ECC_UNCORRECTABLE, CLAW_ECC_CORRECTABLE };

/* In "a|b|c" the word behind the one at words, of *length, which is 0 at
 * first; NULL: that was the last. The place of a word, from 0, or -1. */
const char *claw_fault_next_word(const char *words, size_t *length);
int claw_fault_find_word(const char *words, const char *word, size_t length);
/* Among those of the fault's value. */
int claw_fault_word(enum claw_fault fault, const char *word);

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

/* Parts that a rule has. */
enum {
	CLAW_HAS_RECOVER = 1, CLAW_HAS_DELAY = 2, CLAW_HAS_WHEN = 4,
	CLAW_HAS_PERCENT = 8, CLAW_HAS_ABOVE = 16, CLAW_HAS_AFTER = 32,
	CLAW_HAS_KERNEL = 64, CLAW_HAS_DEVICE = 128, CLAW_HAS_THREAD = 256,
	CLAW_HAS_SITE = 512, CLAW_HAS_AT = 1024, CLAW_HAS_PC = 2048,
	CLAW_HAS_EXE = 4096, CLAW_HAS_TIMES = 8192,
	/* It is asked at the call, once for all rules that ask the same. */
	CLAW_HAS_MATCHING = CLAW_HAS_ABOVE | CLAW_HAS_AFTER | CLAW_HAS_KERNEL |
		CLAW_HAS_DEVICE | CLAW_HAS_THREAD | CLAW_HAS_SITE | CLAW_HAS_AT |
		CLAW_HAS_PC,
};

struct claw_rule {
	char text[CLAW_RULE_TEXT_MAX];	/* canonical: parses to the same rule */
	uint64_t targets[(CLAW_API_COUNT + 63) / 64];	/* bit set: functions it can fire at */
	enum claw_fault fault;		/* NONE when it only delays */
	cl_int error;			/* of error= */
	unsigned int words;		/* enum claw_fault_value */
	uint64_t time_ns;		/* hang: 0: for ever; pcie: 0 fails */
	double number;			/* partial: of the work-items; throttle */

	uint32_t has;			/* CLAW_HAS_... */
	uint64_t recover_ns;		/* device-lost: 0 never */
	bool recover_context;		/* device-lost: a new context brings it back */
	uint64_t delay_low_ns, delay_high_ns;
	uint64_t when_first, when_last, when_step;	/* last UINT64_MAX: open */
	double percent;			/* < 0: no p= */
	uint64_t above_bytes;		/* fires when more than that is asked for */
	uint64_t after_ns;		/* since the process's first OpenCL call */
	char kernel[CLAW_RULE_WORD_MAX];	/* glob, "" for none */
	int64_t device;			/* -1: any */
	uint64_t thread;		/* from 1, 0: any */
	uint64_t site;			/* 0: any */
	char at[CLAW_RULE_WORD_MAX];
	struct claw_pc_range pcs[CLAW_RULE_PCS_MAX];
	unsigned int pc_count;
	char exe[CLAW_RULE_WORD_MAX];
	uint64_t times;			/* 0: no limit */
};

struct claw_plan_error {
	size_t column;			/* from 1, in the rule's text */
	char message[384];		/* "expected ..., found ..." */
};

/*
 * Parse one rule. allow_illegal: error= may name a code that the
 * specification does not allow for the call.
 *
 * Returns 0, or -1 with reterr filled.
 */
int claw_rule_parse(const char *text, bool allow_illegal,
		    struct claw_rule *ret_rule, struct claw_plan_error *reterr);

/* The conditions in the order of the grammar: a name and what its value is, or
 * NULL behind the last. */
const char *claw_rule_condition(size_t place, enum claw_fault_value *ret_value,
				const char **ret_expected);

/* Does the rule's target set hold this function? */
bool claw_rule_targets(const struct claw_rule *rule, enum claw_api api);

/* Can the rule's fault happen there? broad: the function was not named but came
 * in through a group. */
bool claw_fault_applies(const struct claw_rule *rule, enum claw_api api,
			bool broad, bool allow_illegal);

/* The code that the rule's fault gives for this function, or 0 for none. */
cl_int claw_rule_code(const struct claw_rule *rule, enum claw_api api);

/* The random decision of p= and of a delay range: a number in [0, 1) that
 * depends on nothing but its arguments (SplitMix64, Steele et al. 2014). */
double claw_random(uint64_t seed, uint32_t rule, uint64_t ordinal, uint32_t stream);

/* fnmatch()-like: '*' and '?' only, no allocation, no locale. */
bool claw_glob_match(const char *pattern, const char *text);

#endif

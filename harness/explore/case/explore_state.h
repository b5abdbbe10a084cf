/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all engines of one exploration know together: a file that each of them
 * and openclaw itself has mapped. A kernel may end an engine at any time; what
 * it found is here, and the case that it ran.
 */
#ifndef CLAW_EXPLORE_STATE_H
#define CLAW_EXPLORE_STATE_H

/* Kernel files of --against: all of them; what one of them may become. */
#define CLAW_COMPARED_FOLDER "compared"
#define CLAW_SMALLER_FOLDER "smaller"

#include <jansson.h>

#include "explore_case.h"
#include "faults/shared/probe_ask.h"
#include "faults/shared/probe_format.h"

enum {
	CLAW_EXPLORE_FOUND = 64,
	CLAW_EXPLORE_ENGINES = 16,
	CLAW_EXPLORE_COUNTER_WORDS = 512,
	CLAW_EXPLORE_STEPS = 256,
	CLAW_EXPLORE_READING_WORDS = CLAW_EXPLORE_READINGS / 64,
	CLAW_EXPLORE_ENOUGH = 40,	/* cases, before a reading is an excuse */
	CLAW_EXPLORE_NEVER = 1 << 30,	/* ... more: no case can be made of it */
	CLAW_EXPLORE_TRIED = 4,		/* the same of a length */
	/* Behind enum claw_probe_why. */
	CLAW_EXPLORE_CRASH = CLAW_WHY_COUNT, CLAW_EXPLORE_HANG,
};

struct claw_explore_set {
	uint64_t words[CLAW_EXPLORE_READING_WORDS];
};

/* One place in the kernel where something is wrong. */
struct claw_explore_found {
	uint32_t is_whole;		/* written last */
	struct claw_probe_found what;	/* as it was seen first */
	uint64_t times, first_ms;
	/* Cases that are not wild: under which readings it was seen; of an
	 * access outside of an argument: under which length, too. */
	struct claw_explore_set seen;
	struct claw_explore_set dead[CLAW_EXPLORE_LENGTHS];
	uint32_t has_case, has_wild, has_distinct;
	uint64_t cost, wild_cost;
	uint64_t needed;		/* elements, where no number explains the
					 * index of some case; 0: there is none */
	int64_t offset;			/* what.offset in tame */
	struct claw_explore_case tame, wild;
};

struct claw_explore_state {
	uint32_t version, spare;
	uint32_t lock;
	uint32_t found_count, found_lost;
	uint64_t launches, refused;
	uint64_t milliseconds;		/* of budget spent before, with --resume */
	uint32_t reach[CLAW_EXPLORE_COUNTER_WORDS];
	uint32_t covered[CLAW_EXPLORE_COUNTER_WORDS];
	uint32_t reach_count, has_reach;
	/* When there were how many: as they came, from each engine. */
	uint32_t step_count;
	struct claw_explore_step {
		uint32_t counters, ms;
	} steps[CLAW_EXPLORE_STEPS];
	uint32_t runs[CLAW_EXPLORE_READINGS];
	/* Cases of each length; one that was never tried is no excuse. */
	uint32_t tried[CLAW_EXPLORE_ARGS][CLAW_EXPLORE_LENGTHS];
	struct claw_explore_slot {
		uint32_t is_running;
		uint32_t spare;
		struct claw_explore_case what;
	} engines[CLAW_EXPLORE_ENGINES];
	struct claw_explore_found found[CLAW_EXPLORE_FOUND];
};

/* Map DIRECTORY/state, new where there is none. 0 or -CLAW_E_IO (errno set). */
int claw_explore_state_open(const char *directory,
			    struct claw_explore_state **ret_state);
void claw_explore_state_close(struct claw_explore_state *state);

/* A JSON file, which the caller frees; NULL: it cannot be read, or is none. */
json_t *claw_explore_json(const char *path);

/* Counters of one launch, which ended then. */
void claw_explore_state_cover(struct claw_explore_state *state,
			      const uint32_t *counters, uint32_t words,
			      uint64_t now_ms);
unsigned int claw_explore_state_covered(const struct claw_explore_state *state);

/* One finding of one case. True: it is the first of its kind and place. */
bool claw_explore_state_add(struct claw_explore_state *state,
			    const struct claw_explore_plan *plan,
			    const struct claw_explore_case *what,
			    const struct claw_probe_found *found,
			    uint64_t now_ms);
/* The same place? */
bool claw_explore_found_is(const struct claw_probe_found *a,
			   const struct claw_probe_found *b);
/* Is it about the length of an argument? Its index, or -1. */
int claw_explore_found_arg(const struct claw_explore_plan *plan,
			   const struct claw_probe_found *found);

/* A length that may fit, and that too few cases were tried of. */
struct claw_explore_verdict;
bool claw_explore_length_is_open(const struct claw_explore_state *state,
				 const struct claw_explore_verdict *verdict,
				 unsigned int arg, unsigned int length);

/* Elements of the argument that would be enough for an index which is more than
 * times larger than all numbers of the launch together; 0: it is not. An index
 * that no number explains is made of constants: they say how long the buffer is. */
uint64_t claw_explore_needed(const struct claw_explore_plan *plan,
			     const struct claw_explore_case *what,
			     unsigned int arg, int64_t offset, uint64_t times);

/* Why a finding that the best reading has does not count. */
enum claw_explore_excuse {
	CLAW_EXCUSE_NONE,
	CLAW_EXCUSE_CONSTANTS,		/* they say how long the buffer is */
	CLAW_EXCUSE_BEFORE,		/* a buffer: right with a global offset */
	CLAW_EXCUSE_EQUAL,		/* a race: only if a buffer tells two
					 * work-items the same place */
};

/* What is known of readings and lengths by now. */
struct claw_explore_verdict {
	unsigned int problems[CLAW_EXPLORE_READINGS];
	unsigned int best;		/* the weakest of the fewest problems */
	unsigned int least;		/* problems of those that may be chosen */
	/* Of each argument and length: readings under which it is too short. */
	struct claw_explore_set dead[CLAW_EXPLORE_ARGS][CLAW_EXPLORE_LENGTHS];
	/* Too few cases were tried of a reading that has fewer problems than
	 * the best: nothing counts yet. */
	bool is_open;
	unsigned int open;
	/* Arguments, as bits, of which too few cases were tried with a length that
	 * may fit: their findings do not count yet. */
	uint32_t open_args;
	bool counts[CLAW_EXPLORE_FOUND];	/* wrong under the best, too */
	enum claw_explore_excuse excuses[CLAW_EXPLORE_FOUND];
	int32_t rules[CLAW_EXPLORE_ARGS];	/* the first that fits; -1: none */
	/* Elements by constants of the text alone; 0: none is that far. */
	uint64_t needed[CLAW_EXPLORE_ARGS];
};

void claw_explore_judge(const struct claw_explore_state *state,
			const struct claw_explore_plan *plan,
			struct claw_explore_verdict *ret_verdict);

static inline bool claw_explore_set_has(const struct claw_explore_set *set,
					unsigned int i)
{
	return set->words[i / 64] >> i % 64 & 1;
}

#endif

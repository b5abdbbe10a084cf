/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop, which is libFuzzer's: it keeps the cases that came to new counters
 * and makes new ones of them. The kernel's counters are given to it as its extra
 * counters.
 */
#include "config.h"

#include "engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/clock.h"
#include "harness/base/memory.h"

enum {
	COUNTERS = CLAW_EXPLORE_COUNTER_WORDS * 32, JUDGED = 512,
	UNGUIDED_STEPS = 24,	/* from the first case to one like any other */
};

int LLVMFuzzerRunDriver(int *argc, char ***argv,
			int (*test)(const uint8_t *data, size_t size));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size,
				 const uint8_t *other, size_t other_size,
				 uint8_t *out, size_t room, unsigned int seed);

static uint8_t counters[COUNTERS]
	__attribute__((section("__libfuzzer_extra_counters"), used));
static struct claw_engine *engine;	/* libFuzzer's functions are given none */

void claw_engine_count(const struct claw_engine *from)
{
	const struct claw_probe_answer *answer = &from->answer;

	for (uint32_t i = 0; i < answer->counter_words &&
	     i < CLAW_EXPLORE_COUNTER_WORDS; i++)
		for (uint32_t bits = answer->counters[i]; bits; bits &= bits - 1)
			counters[i * 32 + (uint32_t)__builtin_ctz(bits)] = 1;
}

/* ---- who steers ------------------------------------------------------------- */

static bool may_try(const void *user, unsigned int arg, unsigned int rule,
		    unsigned int reading)
{
	const struct claw_engine *from = user;

	return !claw_explore_set_has(&from->verdict.dead[arg][rule], reading);
}

/* Of the readings with the fewest problems, one that few cases were tried of. */
static unsigned int choose_reading(const void *user, uint64_t *random)
{
	const struct claw_engine *from = user;
	unsigned int count = from->plan.reading_count, chosen = 0;
	uint32_t least = UINT32_MAX;

	if (claw_explore_random(random) % 4 == 0)
		return (unsigned int)(claw_explore_random(random) % count);
	for (unsigned int tries = 0; tries < 64; tries++) {
		unsigned int i = (unsigned int)(claw_explore_random(random) %
						count);

		if (from->verdict.problems[i] <= from->verdict.least &&
		    from->state->runs[i] < least) {
			least = from->state->runs[i];
			chosen = i;
		}
	}
	return chosen;
}

/* ---- one case ----------------------------------------------------------------- */

uint64_t claw_engine_now(const struct claw_engine *from)
{
	return claw_clock_mono_ns() / 1000000 - from->start_ms +
		from->offset_ms;
}

static void count_case(struct claw_engine *to,
			  const struct claw_explore_case *what)
{
	int64_t terms[CLAW_TERM_COUNT];

	if (what->wild)
		return;
	for (unsigned int i = 0; i < to->plan.kernel.arg_count; i++)
		if (to->plan.length_counts[i])
			__atomic_add_fetch(
				&to->state->tried[i][what->values[i].rule], 1,
				__ATOMIC_RELAXED);
	claw_explore_case_terms(&to->plan, what, terms);
	if (claw_explore_reading_holds(&to->plan.kernel,
				       &to->plan.readings[what->reading], terms,
				       what->local))
		__atomic_add_fetch(&to->state->runs[what->reading], 1,
				   __ATOMIC_RELAXED);
}

/* Past an argument's end nothing is read or written: what else is found there
 * may follow from that. */
static void add_found(struct claw_engine *to,
		      const struct claw_explore_case *what)
{
	const struct claw_probe_answer *answer = &to->answer;
	bool is_short = false;

	for (uint32_t i = 0; i < answer->found_count; i++)
		is_short |= claw_explore_found_arg(&to->plan,
						   &answer->found[i]) >= 0;
	for (uint32_t i = 0; i < answer->found_count; i++)
		if (!is_short || claw_explore_found_arg(&to->plan,
							&answer->found[i]) >= 0)
			claw_explore_state_add(to->state, &to->plan, what,
					       &answer->found[i], claw_engine_now(to));
}

bool claw_engine_run(struct claw_engine *to,
		     const struct claw_explore_case *what)
{
	struct claw_explore_slot *slot =
		&to->state->engines[to->number % CLAW_EXPLORE_ENGINES];
	cl_int err;

	slot->what = *what;
	__atomic_store_n(&slot->is_running, 1, __ATOMIC_RELEASE);
	err = claw_engine_launch(to, what);
	__atomic_store_n(&slot->is_running, 0, __ATOMIC_RELEASE);
	if (err) {
		__atomic_add_fetch(&to->state->refused, 1, __ATOMIC_RELAXED);
		return false;
	}
	__atomic_add_fetch(&to->state->launches, 1, __ATOMIC_RELAXED);
	claw_explore_state_cover(to->state, to->answer.counters,
				 to->answer.counter_words, claw_engine_now(to));
	add_found(to, what);
	count_case(to, what);
	return true;
}

static int test(const uint8_t *data, size_t size)
{
	static unsigned int since = JUDGED;
	struct claw_explore_case what;

	if (size != sizeof(what))
		return 0;
	memcpy(&what, data, sizeof(what));
	if (!claw_explore_case_settle(&engine->plan, &what) ||
	    !claw_engine_run(engine, &what))
		return 0;
	if (engine->is_unguided)
		counters[0] = 1;	/* libFuzzer wants one input to begin with */
	else
		claw_engine_count(engine);
	if (since++ >= JUDGED) {
		since = 0;
		claw_explore_judge(engine->state, &engine->plan,
				   &engine->verdict);
	}
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned int seed)
{
	struct claw_explore_case what;
	uint64_t random = seed;

	if (max_size < sizeof(what))
		return size;
	if (size == sizeof(what) && !engine->is_unguided)
		memcpy(&what, data, sizeof(what));
	else
		claw_explore_case_begin(&engine->plan, &what);
	for (int i = 0; i < (engine->is_unguided ? UNGUIDED_STEPS : 1); i++)
		claw_explore_case_mutate(&engine->plan, &random, &what);
	memcpy(data, &what, sizeof(what));
	return sizeof(what);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size,
				 const uint8_t *other, size_t other_size,
				 uint8_t *out, size_t room, unsigned int seed)
{
	struct claw_explore_case what, second;
	uint64_t random = seed;

	if (one_size != sizeof(what) || other_size != sizeof(what) ||
	    room < sizeof(what))
		return 0;
	memcpy(&what, one, sizeof(what));
	memcpy(&second, other, sizeof(second));
	claw_explore_case_cross(&engine->plan, &random, &second, &what);
	memcpy(out, &what, sizeof(what));
	return sizeof(what);
}

/* ---- the driver ----------------------------------------------------------------- */

/* The first case is the corpus's first. */
static void begin(struct claw_engine *from, const char *corpus)
{
	struct claw_explore_case what;
	char *path = claw_format("%s/begin-%u", corpus, from->number);
	FILE *out = fopen(path, "we");

	claw_explore_case_begin(&from->plan, &what);
	if (out) {
		fwrite(&what, sizeof(what), 1, out);
		fclose(out);
	}
	free(path);
}

int claw_engine_fuzz(struct claw_engine *from, char *program)
{
	char *corpus = claw_format("%s/corpus", from->directory);
	char *words[] = {
		program,
		claw_format("-max_total_time=%" PRIu64, from->seconds),
		claw_format("-seed=%" PRIu64, from->seed % INT32_MAX + 1),
		claw_format("-max_len=%zu", sizeof(struct claw_explore_case)),
		claw_format("-artifact_prefix=%s/", from->directory),
		claw_strdup("-len_control=0"), claw_strdup("-timeout=20"),
		claw_strdup("-reload=1"), claw_strdup("-verbosity=0"),
		claw_strdup("-error_exitcode=76"),
		claw_strdup("-detect_leaks=0"), claw_strdup("-rss_limit_mb=4096"),
		corpus, NULL,
	};
	int count = sizeof(words) / sizeof(*words) - 1;
	char **list = words;

	engine = from;
	from->plan.may_try = may_try;
	from->plan.choose_reading = choose_reading;
	from->plan.user = from;
	begin(from, corpus);
	return LLVMFuzzerRunDriver(&count, &list, test);
}

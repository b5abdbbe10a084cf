/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an exploration, and the findings in it. */
#include "config.h"

#include "explore_state.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/files/outside_file.h"

enum { STATE_VERSION = 5, TRIES = 1 << 20 };

enum { FAR_FROM_ALL = 256 };		/* times: what is surely made of constants */

/* What is counted and ends with a NUL, whoever wrote the file. */
static bool is_sound(struct claw_explore_state *state)
{
	for (unsigned int i = 0; i < CLAW_EXPLORE_FOUND; i++) {
		struct claw_probe_found *what = &state->found[i].what;

		what->kind[sizeof(what->kind) - 1] = '\0';
		what->space[sizeof(what->space) - 1] = '\0';
		what->object[sizeof(what->object) - 1] = '\0';
		what->function[sizeof(what->function) - 1] = '\0';
	}
	return state->version == STATE_VERSION &&
	       state->found_count <= CLAW_EXPLORE_FOUND;
}

int claw_explore_state_open(const char *directory,
			    struct claw_explore_state **ret_state)
{
	char *path = claw_path_in(directory, "state");
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct claw_explore_state *state = MAP_FAILED;
	struct stat is;

	free(path);
	if (fd < 0)
		return -CLAW_E_IO;
	if (fstat(fd, &is) == 0 && (is.st_size == (off_t)sizeof(*state) ||
	    (is.st_size == 0 && ftruncate(fd, sizeof(*state)) == 0)))
		state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE,
			     MAP_SHARED, fd, 0);
	else
		errno = EINVAL;
	close(fd);
	if (state == MAP_FAILED)
		return -CLAW_E_IO;
	if (!state->version)
		state->version = STATE_VERSION;
	if (!is_sound(state)) {
		munmap(state, sizeof(*state));
		errno = EINVAL;
		return -CLAW_E_IO;
	}
	*ret_state = state;
	return 0;
}

json_t *claw_explore_json(const char *path)
{
	FILE *in = claw_outside_input(path);
	json_t *is = in ? json_loadf(in, 0, NULL) : NULL;

	if (in)
		fclose(in);
	return is;
}

void claw_explore_state_close(struct claw_explore_state *state)
{
	if (state)
		munmap(state, sizeof(*state));
}

/* ---- coverage ------------------------------------------------------------- */

static void add_step(struct claw_explore_state *state, uint64_t now_ms)
{
	uint32_t at = __atomic_load_n(&state->step_count, __ATOMIC_RELAXED);

	if (at < CLAW_EXPLORE_STEPS)
		at = __atomic_fetch_add(&state->step_count, 1,
					__ATOMIC_RELAXED);
	if (at < CLAW_EXPLORE_STEPS)
		state->steps[at] = (struct claw_explore_step) {
			claw_explore_state_covered(state), (uint32_t)now_ms,
		};
}

void claw_explore_state_cover(struct claw_explore_state *state,
			      const uint32_t *counters, uint32_t words,
			      uint64_t now_ms)
{
	bool is_more = false;

	for (uint32_t i = 0; i < words && i < CLAW_EXPLORE_COUNTER_WORDS; i++) {
		uint32_t now = counters[i] & state->reach[i];

		if (now & ~state->covered[i])
			is_more |= now & ~__atomic_fetch_or(&state->covered[i],
							    now,
							    __ATOMIC_RELAXED);
	}
	if (is_more)
		add_step(state, now_ms);
}

unsigned int claw_explore_state_covered(const struct claw_explore_state *state)
{
	unsigned int count = 0;

	for (uint32_t i = 0; i < CLAW_EXPLORE_COUNTER_WORDS; i++)
		count += (unsigned int)__builtin_popcount(state->covered[i]);
	return count;
}

/* ---- findings --------------------------------------------------------------- */

bool claw_explore_found_is(const struct claw_probe_found *a,
			   const struct claw_probe_found *b)
{
	return a->why == b->why && a->line == b->line &&
	       a->column == b->column && a->argument == b->argument;
}

int claw_explore_found_arg(const struct claw_explore_plan *plan,
			   const struct claw_probe_found *found)
{
	uint32_t arg = found->argument - 1;

	return found->why == CLAW_WHY_BOUNDS && found->argument &&
	       arg < plan->kernel.arg_count && plan->length_counts[arg] ?
		(int)arg : -1;
}

/* An engine that ends within it leaves it locked: nobody waits for ever. */
static void lock(struct claw_explore_state *state)
{
	for (unsigned int i = 0; i < TRIES &&
	     __atomic_exchange_n(&state->lock, 1, __ATOMIC_ACQUIRE); i++)
		sched_yield();
}

static void unlock(struct claw_explore_state *state)
{
	__atomic_store_n(&state->lock, 0, __ATOMIC_RELEASE);
}

static struct claw_explore_found *find(struct claw_explore_state *state,
				       const struct claw_probe_found *what)
{
	for (uint32_t i = 0; i < state->found_count; i++)
		if (claw_explore_found_is(&state->found[i].what, what))
			return &state->found[i];
	if (state->found_count == CLAW_EXPLORE_FOUND) {
		state->found_lost++;
		return NULL;
	}
	return &state->found[state->found_count];
}

static void set(struct claw_explore_set *to, const struct claw_explore_set *from)
{
	for (unsigned int i = 0; i < CLAW_EXPLORE_READING_WORDS; i++)
		to->words[i] |= from->words[i];
}

static bool is_guarded(const struct claw_explore_kernel *kernel)
{
	return kernel->is_guarded[0] || kernel->is_guarded[1] ||
	       kernel->is_guarded[2];
}

/* The readings that this launch keeps to. A guard says that callers round the
 * work size up: with "if (gid < n)" round a barrier, sizes that are multiples
 * are nobody's excuse. */
static struct claw_explore_set readings_of(const struct claw_explore_plan *plan,
					   const struct claw_explore_case *what,
					   const struct claw_probe_found *seen,
					   const int64_t *terms)
{
	struct claw_explore_set held = { { 0 } };
	bool rounds_up = seen->why == CLAW_WHY_DIVERGENCE &&
		is_guarded(&plan->kernel);

	for (unsigned int i = 0; i < plan->reading_count; i++) {
		struct claw_explore_reading reading = plan->readings[i];

		if (rounds_up)
			reading.is_multiple = false;
		if (claw_explore_reading_holds(&plan->kernel, &reading, terms,
					       what->local))
			held.words[i / 64] |= UINT64_C(1) << i % 64;
	}
	return held;
}

/* Lengths that are too short for what was accessed. */
static void kill_lengths(const struct claw_explore_plan *plan, unsigned int arg,
			 const int64_t *terms, const struct claw_explore_set *held,
			 struct claw_explore_found *found,
			 const struct claw_probe_found *seen)
{
	uint64_t element = claw_explore_element(&plan->kernel.args[arg]);
	uint64_t enough = seen->offset < 0 ? UINT64_MAX :
		(uint64_t)seen->offset > seen->bytes ?
		(uint64_t)seen->offset : seen->bytes;

	for (unsigned int i = 0; i < plan->length_counts[arg]; i++) {
		uint64_t length = claw_explore_length_value(
			&plan->lengths[arg][i], terms);

		if (length <= enough / element)
			set(&found->dead[i], held);
	}
}

static void keep_case(const struct claw_explore_plan *plan,
		      const struct claw_explore_case *what,
		      const struct claw_probe_found *seen,
		      struct claw_explore_found *found)
{
	uint64_t cost = claw_explore_case_cost(plan, what);

	if (what->wild && (!found->has_wild || cost < found->wild_cost)) {
		found->wild = *what;
		found->wild_cost = cost;
		found->has_wild = 1;
	} else if (!what->wild && (!found->has_case || cost < found->cost)) {
		found->tame = *what;
		found->offset = seen->offset;
		found->cost = cost;
		found->has_case = 1;
	}
}

static void keep_needed(const struct claw_explore_plan *plan,
			const struct claw_explore_case *what, unsigned int arg,
			const struct claw_probe_found *seen,
			struct claw_explore_found *found)
{
	uint64_t needed = claw_explore_needed(plan, what, arg, seen->offset,
					      FAR_FROM_ALL);

	if (needed > found->needed)
		found->needed = needed;
}

bool claw_explore_state_add(struct claw_explore_state *state,
			    const struct claw_explore_plan *plan,
			    const struct claw_explore_case *what,
			    const struct claw_probe_found *seen,
			    uint64_t now_ms)
{
	struct claw_explore_set held = { { 0 } };
	int64_t terms[CLAW_TERM_COUNT];
	int arg = claw_explore_found_arg(plan, seen);
	struct claw_explore_found *found;
	bool is_new;

	claw_explore_case_terms(plan, what, terms);
	if (!what->wild)
		held = readings_of(plan, what, seen, terms);
	lock(state);
	found = find(state, seen);
	is_new = found && !found->is_whole;
	if (is_new) {
		found->what = *seen;
		found->first_ms = now_ms;
	}
	if (found) {
		found->times++;
		set(&found->seen, &held);
		if (arg >= 0 && !what->wild) {
			kill_lengths(plan, (unsigned int)arg, terms, &held,
				     found, seen);
			keep_needed(plan, what, (unsigned int)arg, seen, found);
		}
		keep_case(plan, what, seen, found);
		found->has_distinct |= !what->wild &&
			claw_explore_case_is_distinct(plan, what);
		found->is_whole = 1;
		if (is_new)
			__atomic_add_fetch(&state->found_count, 1,
					   __ATOMIC_RELEASE);
	}
	unlock(state);
	return is_new;
}

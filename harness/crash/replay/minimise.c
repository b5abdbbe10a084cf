/* SPDX-License-Identifier: Apache-2.0 */
/* Make a trace smaller, one replay after the other. */
#include "config.h"

#include "minimise.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "replay_crash.h"
#include "faults/shared/api.h"

enum { FLAKY_TRIES = 2 };

/* A launch (index in the whole trace) with a smaller ND-range. */
struct range {
	uint32_t call;
	size_t sizes[3];
};

struct minimising {
	const struct claw_minimise_spec *spec;
	const struct claw_trace *whole;
	bool *keep;		/* smallest so far that shows it */
	bool *tried;
	struct range *ranges;
	size_t range_count;
	unsigned int steps, max_steps;
	bool is_clean;		/* as in struct claw_replay_spec */
	struct claw_minimised *result;
	int error;
};

/* ---- sizes ------------------------------------------------------------- */

static uint64_t items_of(const struct claw_trace_call *call)
{
	int param = claw_api_find_name(call->api, "global_work_size");
	const struct claw_trace_arg *arg;
	uint64_t items = 1;

	if (param < 0)
		return 1;
	arg = &call->args[param];
	for (size_t i = 0; arg->bytes && (i + 1) * sizeof(size_t) <= arg->size;
	     i++) {
		size_t size;

		memcpy(&size, (const char *)arg->bytes + i * sizeof(size),
		       sizeof(size));
		if (__builtin_mul_overflow(items, size, &items))
			return UINT64_MAX;
	}
	return items;
}

static void measure(const struct claw_trace *trace,
		    struct claw_minimise_size *ret_size)
{
	*ret_size = (struct claw_minimise_size) { .calls = trace->call_count };
	for (uint32_t i = 0; i < trace->call_count; i++) {
		if (trace->calls[i].api >= CLAW_API_COUNT ||
		    !claw_api_is_launch(trace->calls[i].api))
			continue;
		ret_size->launches++;
		if (__builtin_add_overflow(ret_size->work_items,
					   items_of(&trace->calls[i]),
					   &ret_size->work_items))
			ret_size->work_items = UINT64_MAX;
	}
	for (uint32_t i = 0; i < trace->content_count; i++)
		if (trace->contents[i].bytes)
			ret_size->bytes += trace->contents[i].length;
}

/* ---- a replay ---------------------------------------------------------- */

/* The new index of a call that is kept. */
static uint32_t index_in(const bool *keep, uint32_t call)
{
	uint32_t index = 0;

	for (uint32_t i = 0; i < call; i++)
		index += keep[i];
	return index;
}

static void set_ranges(struct minimising *m, const bool *keep,
		       struct claw_trace *selected)
{
	for (size_t i = 0; i < m->range_count; i++) {
		struct claw_trace_call *call;
		int param;

		if (!keep[m->ranges[i].call])
			continue;
		call = &selected->calls[index_in(keep, m->ranges[i].call)];
		param = claw_api_find_name(call->api, "global_work_size");
		call->args[param].bytes = m->ranges[i].sizes;
	}
}

static struct claw_trace *select_calls(struct minimising *m, const bool *keep)
{
	struct claw_trace *selected = claw_trace_select(m->whole, keep);
	claw_needs_mend(m->whole, keep, selected);
	set_ranges(m, keep, selected);
	return selected;
}

/* It is the smallest now. */
static void take(struct minimising *m, const bool *keep,
		 struct claw_trace *selected, uint64_t wall_ns)
{
	claw_trace_free(m->result->trace);
	m->result->trace = selected;
	measure(selected, &m->result->after);
	m->result->after.wall_ns = wall_ns;
	if (keep != m->keep)
		memcpy(m->keep, keep, m->whole->call_count);
}

/* One replay. */
static bool shows_now(struct minimising *m, const struct claw_trace *selected,
		      uint64_t *ret_wall_ns)
{
	struct claw_replay_spec replay = m->spec->replay;
	struct claw_replay_result result;
	bool is_same;

	if (m->steps == m->max_steps) {
		m->result->is_capped = true;
		return false;
	}
	m->steps++;
	replay.trace = selected;
	replay.dump_path = NULL;
	replay.is_clean = m->is_clean;
	m->error = claw_replay_run(&replay, m->spec->crash->signature, &result);
	is_same = m->error == 0 && result.end == CLAW_REPLAY_SAME;
	*ret_wall_ns = result.wall_ns;
	claw_replay_result_release(&result);
	if (m->spec->progress)
		m->spec->progress(m->steps, &m->result->after, m->spec->user);
	return is_same;
}

/* Would a dump of so much be said to have ended in the same way? */
static bool is_told_alike(struct minimising *m, struct claw_trace *selected)
{
	struct claw_dump view = *m->spec->replay.dump;
	struct claw_crash crash = { .code = "" };
	char *calls = NULL;
	bool is_same;

	view.trace = selected;
	claw_replay_wanted(&view, &crash, &calls);
	is_same = strcmp(crash.signature, m->spec->crash->signature) == 0;
	claw_crash_release(&crash);
	free(calls);
	return is_same;
}

/* Does this much show it? What is not the same every time has another try. */
static bool shows(struct minimising *m, const bool *keep)
{
	unsigned int tries = m->spec->is_flaky ? FLAKY_TRIES : 1;
	struct claw_trace *selected;
	uint64_t wall_ns;
	bool is_same = false;

	if (m->error < 0)
		return false;
	selected = select_calls(m, keep);
	if (!selected)
		return false;
	if (!is_told_alike(m, selected))
		tries = 0;
	while (!is_same && tries-- > 0 && m->error == 0 &&
	       !m->result->is_capped)
		is_same = shows_now(m, selected, &wall_ns);
	if (is_same)
		take(m, keep, selected, wall_ns);
	else
		claw_trace_free(selected);
	return is_same;
}

/* ---- which calls ------------------------------------------------------- */

/* What told, and what is most likely to blame, stay. */
static void keep_crash(const struct minimising *m, bool *keep)
{
	const struct claw_crash *crash = m->spec->crash;

	if (crash->call && crash->call <= m->whole->call_count)
		keep[crash->call - 1] = true;
	if (crash->launch && crash->launch <= m->whole->call_count)
		keep[crash->launch - 1] = true;
}

/* Where no call is known to tell: the last that failed, and what was injected. */
static void keep_failures(const struct minimising *m, bool *keep)
{
	const struct claw_crash *crash = m->spec->crash;
	uint32_t last = 0;

	for (uint32_t i = 0; i < m->whole->call_count; i++) {
		const struct claw_trace_call *call = &m->whole->calls[i];

		if (call->api >= CLAW_API_COUNT)
			continue;
		if (call->returned && call->result < 0)
			last = i + 1;
		if (call->rule && !(call->flags & CLAW_REC_CONSEQUENCE))
			keep[i] = true;
	}
	if (last && !crash->call && !crash->launch)
		keep[last - 1] = true;
}

/* Only what these need: the best guess, most often right. */
static bool try_slice(struct minimising *m, bool with_data)
{
	memset(m->tried, 0, m->whole->call_count);
	keep_crash(m, m->tried);
	keep_failures(m, m->tried);
	claw_needs_add(m->whole, with_data, m->tried);
	return shows(m, m->tried);
}

/* Without the part-th of so many parts of what is kept. */
static bool try_without(struct minimising *m, uint32_t first, uint32_t end)
{
	uint32_t at = 0;
	bool differs = false;

	memcpy(m->tried, m->keep, m->whole->call_count);
	for (uint32_t i = 0; i < m->whole->call_count; i++)
		if (m->keep[i] && at++ >= first && at <= end)
			m->tried[i] = false;
	claw_needs_drop(m->whole, m->tried);
	keep_crash(m, m->tried);
	claw_needs_add(m->whole, false, m->tried);
	for (uint32_t i = 0; i < m->whole->call_count && !differs; i++)
		differs = m->tried[i] != m->keep[i];
	return differs && shows(m, m->tried);
}

static uint32_t count_kept(const struct minimising *m)
{
	return index_in(m->keep, m->whole->call_count);
}

/* Halves, quarters ... single calls, from the end, where the least depends on
 * a call. */
static void drop_parts(struct minimising *m)
{
	uint32_t size = count_kept(m) / 2;

	while (size > 0 && m->error == 0 && !m->result->is_capped) {
		uint32_t end = count_kept(m);

		while (end > 0 && m->error == 0 && !m->result->is_capped) {
			uint32_t first = end > size ? end - size : 0;

			try_without(m, first, end);
			end = count_kept(m) < first ? count_kept(m) : first;
		}
		size /= 2;
	}
}

/* ---- work-groups ------------------------------------------------------- */

static size_t local_size(const struct claw_trace_call *call, size_t dimension)
{
	int param = claw_api_find_name(call->api, "local_work_size");
	size_t size = 1;

	if (param >= 0 && call->args[param].bytes &&
	    call->args[param].size >= (dimension + 1) * sizeof(size))
		memcpy(&size, (const char *)call->args[param].bytes +
		       dimension * sizeof(size), sizeof(size));
	return size ? size : 1;
}

/* Half as many work-groups in a dimension, as long as that shows it. */
static void halve(struct minimising *m, struct range *range, size_t dimension)
{
	size_t local = local_size(&m->whole->calls[range->call], dimension);

	while (m->error == 0 && !m->result->is_capped) {
		size_t before = range->sizes[dimension];
		size_t groups = before / local / 2;

		if (groups == 0)
			return;
		range->sizes[dimension] = groups * local;
		if (!shows(m, m->keep)) {
			range->sizes[dimension] = before;
			return;
		}
	}
}

static void shrink_launch(struct minimising *m, uint32_t index)
{
	const struct claw_trace_call *call = &m->whole->calls[index];
	int param = call->api < CLAW_API_COUNT ?
		claw_api_find_name(call->api, "global_work_size") : -1;
	const struct claw_trace_arg *arg;
	struct range *range;

	if (param < 0)
		return;
	arg = &call->args[param];
	if (!arg->bytes || arg->size > sizeof(range->sizes))
		return;
	range = &m->ranges[m->range_count++];
	range->call = index;
	memcpy(range->sizes, arg->bytes, arg->size);
	for (size_t i = 0; i < arg->size / sizeof(size_t); i++)
		halve(m, range, i);
}

static void shrink_launches(struct minimising *m)
{
	uint32_t launches = m->result->after.launches;

	m->ranges = claw_calloc(launches + 1, sizeof(*m->ranges));
	for (uint32_t i = 0; i < m->whole->call_count &&
	     m->range_count < launches; i++)
		if (m->keep[i])
			shrink_launch(m, i);
}

/* ---- all of it --------------------------------------------------------- */

static void minimise(struct minimising *m)
{
	memset(m->keep, true, m->whole->call_count);
	/* A part must not show it by chance, by what is left in memory. */
	m->is_clean = true;
	if (!shows(m, m->keep))
		m->is_clean = false;
	if (!m->is_clean && !shows(m, m->keep)) {
		if (m->error == 0)
			m->error = -CLAW_E_NOT_FOUND;
		return;
	}
	m->result->before = m->result->after;
	if (!try_slice(m, false))
		try_slice(m, true);
	drop_parts(m);
	if (m->error == 0)
		shrink_launches(m);
}

int claw_minimise(const struct claw_minimise_spec *spec,
		  struct claw_minimised *ret_minimised)
{
	struct minimising m = {
		.spec = spec,
		.whole = spec->replay.trace,
		.max_steps = spec->max_steps ? spec->max_steps :
			CLAW_MINIMISE_STEPS,
		.result = ret_minimised,
	};
	size_t count = m.whole->call_count + 1;

	memset(ret_minimised, 0, sizeof(*ret_minimised));
	m.keep = claw_calloc(count, sizeof(*m.keep));
	m.tried = claw_calloc(count, sizeof(*m.tried));
	minimise(&m);
	ret_minimised->steps = m.steps;
	ret_minimised->ranges = m.ranges;
	free(m.tried);
	free(m.keep);
	return m.error;
}

void claw_minimised_release(struct claw_minimised *minimised)
{
	claw_trace_free(minimised->trace);
	free(minimised->ranges);
	memset(minimised, 0, sizeof(*minimised));
}

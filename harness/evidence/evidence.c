/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Add up the journals of a run.
 */
#include "config.h"

#include "evidence.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/plan.h"
#include "harness/base/errors.h"
#include "evidence_private.h"

enum { CYCLE_MAX = 48 };

/* ---- reading ---------------------------------------------------------- */

static void name_firings(struct claw_evidence *e, struct claw_symbolizer *s,
			 const struct claw_journal *journal)
{
	size_t count = claw_journal_get_event_count(journal);

	for (size_t i = 0; i < count; i++) {
		const struct claw_journal_record *event =
			claw_journal_get_event(journal, i);
		struct claw_rule_count *rule;
		const struct claw_journal_site *site;

		if (!event || event->rule == 0 || event->rule > e->rule_count ||
		    (event->flags & CLAW_REC_CONSEQUENCE))
			continue;
		rule = &e->rules[event->rule - 1];
		if (rule->api)
			continue;
		rule->api = claw_strdup(claw_journal_get_api_name(journal,
							     event->api));
		site = claw_journal_find_site(journal, event->site);
		if (site) {
			rule->place = claw_site_place(s, journal, site);
			rule->name = claw_site_name(s, journal, site,
						    CLAW_EVIDENCE_FRAMES);
		}
	}
}

static void add_rules(struct claw_evidence *e,
		      const struct claw_journal *journal)
{
	size_t count = claw_journal_get_rule_count(journal);

	for (size_t i = 0; i < count && i < e->rule_count; i++) {
		const struct claw_journal_rule *rule =
			claw_journal_get_rule(journal, i);

		if (!rule)
			continue;
		e->rules[i].matched += rule->matched;
		e->rules[i].fired += rule->fired;
		e->rules[i].consequences += rule->consequences;
		e->rules[i].delayed_ns += rule->delayed_ns;
	}
}

static void add_journal(struct claw_evidence *e, struct claw_symbolizer *s,
			const struct claw_journal *journal)
{
	const struct claw_journal_header *header =
		claw_journal_get_header(journal);
	int poll = claw_journal_find_api(journal, "clGetEventInfo");

	if (header->hooked_slots > e->hooked_slots)
		e->hooked_slots = header->hooked_slots;
	e->via_icd = e->via_icd || header->door == CLAW_DOOR_ICD;
	if (header->door_left_out)
		e->door_left_out = header->door_left_out;
	e->calls += claw_journal_get_total_calls(journal);
	e->misuse += header->misuse_count;
	e->damaged += claw_journal_get_damaged(journal);
	if (claw_journal_get_damaged(journal) > header->damaged)
		e->torn += claw_journal_get_damaged(journal) - header->damaged;
	e->dropped_calls += claw_journal_get_dropped_calls(journal);
	e->dropped_events += claw_journal_get_dropped_events(journal);
	if (poll >= 0)
		e->status_polls += claw_journal_get_calls(journal,
							  (unsigned int)poll);
	for (int type = 0; type < CLAW_OBJ_COUNT; type++)
		e->live[type] += claw_journal_get_live(journal,
						       (enum claw_obj)type);
	if (header->plan_error_string && !e->plan_error)
		e->plan_error = claw_strdup(claw_journal_get_string(journal,
						header->plan_error_string));
	add_rules(e, journal);
	name_firings(e, s, journal);
}

static int compare_starts(const void *a, const void *b)
{
	const struct claw_journal *const *x = a, *const *y = b;
	uint64_t p = claw_journal_get_header(*x)->start_mono_ns;
	uint64_t q = claw_journal_get_header(*y)->start_mono_ns;

	return p < q ? -1 : p > q;
}

static void free_paths(char **paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
}

/* ---- call sequences --------------------------------------------------- */

/* The calls of one thread, in a form that repeats do not change. */
struct sequence {
	const struct claw_journal *journal;
	uint32_t thread;
	uint16_t *calls;	/* indices into claw_api_table */
	size_t count, room;
};

struct sequences {
	struct sequence *items;
	size_t count;
};

/* The journal's numbers of functions as ours; -1: unknown, or a @query. */
static void map_apis(const struct claw_journal *journal,
		     int map[CLAW_JOURNAL_MAX_APIS])
{
	for (unsigned int i = 0; i < CLAW_JOURNAL_MAX_APIS; i++) {
		map[i] = claw_api_find(claw_journal_get_api_name(journal, i));
		if (map[i] >= 0 && (claw_api_table[map[i]].groups &
				    CLAW_G_QUERY))
			map[i] = -1;
	}
}

static struct sequence *get_sequence(struct sequences *all,
				     const struct claw_journal *journal,
				     uint32_t thread)
{
	struct sequence *larger;

	for (size_t i = all->count; i > 0; i--)
		if (all->items[i - 1].journal == journal &&
		    all->items[i - 1].thread == thread)
			return &all->items[i - 1];
	larger = claw_grow(all->items, all->count + 1, sizeof(*larger));
	all->items = larger;
	larger[all->count] = (struct sequence) { .journal = journal,
						 .thread = thread };
	return &larger[all->count++];
}

/* Append a call; drop it, or the whole cycle it ends, when that only says
 * again what was there just before. */
static void append_call(struct sequence *s, uint16_t api)
{
	if (s->count == s->room) {
		size_t room = s->room ? s->room * 2 : 64;
		uint16_t *larger = claw_grow(s->calls, room, sizeof(*larger));

		s->calls = larger;
		s->room = room;
	}
	s->calls[s->count++] = api;
	for (size_t cycle = 1; cycle <= CYCLE_MAX && 2 * cycle <= s->count;
	     cycle++) {
		const uint16_t *last = s->calls + s->count - cycle;

		if (memcmp(last, last - cycle, cycle * sizeof(*last)) == 0) {
			s->count -= cycle;
			break;
		}
	}
}

static void make_sequences(const struct claw_evidence *e,
			   struct sequences *all)
{
	for (size_t j = 0; j < e->count; j++) {
		const struct claw_journal *journal = e->journals[j];
		size_t count = claw_journal_get_call_count(journal);
		int map[CLAW_JOURNAL_MAX_APIS];

		map_apis(journal, map);
		for (size_t i = 0; i < count; i++) {
			const struct claw_journal_record *call =
				claw_journal_get_call(journal, i);
			int api = call && call->api < CLAW_JOURNAL_MAX_APIS ?
				map[call->api] : -1;
			struct sequence *sequence;

			if (api < 0)
				continue;
			sequence = get_sequence(all, journal, call->thread);
			append_call(sequence, (uint16_t)api);
		}
	}
}

static void sequences_release(struct sequences *all)
{
	for (size_t i = 0; i < all->count; i++)
		free(all->items[i].calls);
	free(all->items);
}

/* Threads come in any order: compare by what they did. */
static int compare_sequences(const void *a, const void *b)
{
	const struct sequence *x = a, *y = b;
	size_t common = x->count < y->count ? x->count : y->count;

	for (size_t i = 0; i < common; i++)
		if (x->calls[i] != y->calls[i])
			return x->calls[i] < y->calls[i] ? -1 : 1;
	return x->count < y->count ? -1 : x->count > y->count;
}

static const char *call_name(const struct sequence *s, size_t index)
{
	return index < s->count ? claw_api_table[s->calls[index]].name :
		"nothing more";
}

static char *say_difference(const struct sequence *x, const struct sequence *y)
{
	size_t at = 0;

	while (at < x->count && at < y->count && x->calls[at] == y->calls[at])
		at++;
	return claw_format("after %zu equal calls (repeats not counted), a "
			   "thread calls %s in one run and %s in the other",
			   at, call_name(x, at), call_name(y, at));
}

/* Too many calls to keep: which functions were called at all? */
static char *compare_functions(const struct claw_evidence *first,
			       const struct claw_evidence *second)
{
	for (int api = 0; api < CLAW_API_COUNT; api++) {
		const struct claw_evidence *runs[2] = { first, second };
		bool called[2] = { false, false };

		if (claw_api_table[api].groups & CLAW_G_QUERY)
			continue;
		for (int r = 0; r < 2; r++)
			for (size_t j = 0; j < runs[r]->count; j++) {
				int n = claw_journal_find_api(
					runs[r]->journals[j],
					claw_api_table[api].name);

				if (n >= 0 && claw_journal_get_calls(
						runs[r]->journals[j],
						(unsigned int)n) > 0)
					called[r] = true;
			}
		if (called[0] != called[1])
			return claw_format("%s is called in only one of the "
					   "runs",
					   claw_api_table[api].name);
	}
	return NULL;
}

/* ---- texts ------------------------------------------------------------ */

struct claw_symbolizer *claw_evidence_take(const struct claw_evidence *e)
{
	return e->symbolizer ? e->symbolizer : claw_symbolizer_new();
}

void claw_evidence_leave(const struct claw_evidence *e,
			 struct claw_symbolizer *symbolizer)
{
	if (symbolizer != e->symbolizer)
		claw_symbolizer_free(symbolizer);
}

char *claw_evidence_call_text(const struct claw_evidence *e,
			      const struct claw_journal *journal,
			      const char *what, uint32_t site_number)
{
	struct claw_symbolizer *symbolizer = claw_evidence_take(e);
	const struct claw_journal_site *site =
		claw_journal_find_site(journal, site_number);
	char *place = site ? claw_site_place(symbolizer, journal, site) : NULL;
	char *text = claw_format("%s%s%s", what, place ? " at " : "",
				 place ? place : "");

	free(place);
	claw_evidence_leave(e, symbolizer);
	return text;
}

static char *describe_call(const struct claw_evidence *e,
			   const struct claw_journal *journal,
			   const struct claw_journal_record *call)
{
	return claw_evidence_call_text(e, journal,
		claw_journal_get_api_name(journal, call->api), call->site);
}

/* The last call that any process has recorded. */
static const struct claw_journal_record *
find_last(const struct claw_evidence *e, const struct claw_journal **ret_journal)
{
	const struct claw_journal_record *last = NULL;
	uint64_t latest = 0;

	for (size_t j = 0; j < e->count; j++) {
		size_t count = claw_journal_get_call_count(e->journals[j]);
		const struct claw_journal_record *call = count ?
			claw_journal_get_call(e->journals[j], count - 1) : NULL;
		uint64_t at;

		if (!call)
			continue;
		at = claw_journal_get_mono_ns(e->journals[j], call->ticks);
		if (!last || at >= latest) {
			last = call;
			latest = at;
			*ret_journal = e->journals[j];
		}
	}
	return last;
}

static const struct claw_journal_record *
find_blocked(const struct claw_journal *journal)
{
	const struct claw_journal_record *found = NULL;
	size_t count = claw_journal_get_call_count(journal);

	for (size_t i = 0; i < count; i++) {
		const struct claw_journal_record *call =
			claw_journal_get_call(journal, i);

		if (call && (call->flags & CLAW_REC_BLOCKS))
			found = call;
	}
	count = claw_journal_get_event_count(journal);
	for (size_t i = 0; !found && i < count; i++) {
		const struct claw_journal_record *event =
			claw_journal_get_event(journal, i);

		if (event && (event->flags & CLAW_REC_BLOCKS))
			found = event;
	}
	return found;
}

int claw_evidence_read_with(const struct claw_session *session,
			    size_t rule_count,
			    struct claw_symbolizer *symbolizer,
			    struct claw_evidence *ret_evidence)
{
	struct claw_evidence e = { .rule_count = rule_count,
				   .symbolizer = symbolizer };
	char **paths = NULL;
	size_t path_count = 0;
	int ret = claw_session_journals(session, &paths, &path_count);

	if (ret < 0)
		return ret;
	e.rules = claw_calloc(rule_count + 1, sizeof(*e.rules));
	e.journals = claw_calloc(path_count + 1, sizeof(struct claw_journal *));
	symbolizer = claw_evidence_take(&e);
	for (size_t i = 0; i < path_count; i++)
		if (claw_journal_read(paths[i], &e.journals[e.count]) < 0)
			e.unreadable++;
		else
			e.count++;
	qsort(e.journals, e.count, sizeof(struct claw_journal *),
	      compare_starts);
	for (size_t i = 0; i < e.count; i++)
		add_journal(&e, symbolizer, e.journals[i]);
	free_paths(paths, path_count);
	claw_evidence_leave(&e, symbolizer);
	*ret_evidence = e;
	return 0;
}

int claw_evidence_read(const struct claw_session *session, size_t rule_count,
		       struct claw_evidence *ret_evidence)
{
	return claw_evidence_read_with(session, rule_count, NULL,
				       ret_evidence);
}

void claw_evidence_release(struct claw_evidence *evidence)
{
	for (size_t i = 0; i < evidence->count; i++)
		claw_journal_free(evidence->journals[i]);
	free(evidence->journals);
	for (size_t i = 0; evidence->rules && i < evidence->rule_count; i++) {
		free(evidence->rules[i].place);
		free(evidence->rules[i].name);
		free(evidence->rules[i].api);
	}
	free(evidence->rules);
	free(evidence->plan_error);
	*evidence = (struct claw_evidence) { 0 };
}

uint64_t claw_evidence_delayed_ns(const struct claw_session *session)
{
	char **paths = NULL;
	size_t path_count = 0;
	uint64_t sum = 0;

	if (claw_session_journals(session, &paths, &path_count) < 0)
		return 0;
	for (size_t i = 0; i < path_count; i++) {
		struct claw_journal *journal;

		if (claw_journal_read(paths[i], &journal) < 0)
			continue;
		for (size_t r = 0; r < claw_journal_get_rule_count(journal);
		     r++) {
			const struct claw_journal_rule *rule =
				claw_journal_get_rule(journal, r);

			sum += rule ? rule->delayed_ns : 0;
		}
		claw_journal_free(journal);
	}
	free_paths(paths, path_count);
	return sum;
}

bool claw_evidence_has_handshake(const struct claw_evidence *evidence)
{
	return evidence->hooked_slots > 0 && evidence->calls > 0;
}

char *claw_evidence_gap(const struct claw_evidence *e)
{
	uint64_t threads = 0;
	char *text = NULL;

	/* Each thread may have been in the middle of one record. */
	for (size_t i = 0; i < e->count; i++)
		threads += claw_journal_get_thread_count(e->journals[i]);
	if (e->unreadable)
		text = claw_format("cannot read %zu journal%s",
				   e->unreadable,
				   e->unreadable == 1 ? "" : "s");
	else if (e->torn > threads)
		text = claw_format("%" PRIu64 " journal records are damaged",
				   e->torn);
	return text;
}

char *claw_evidence_blocked(const struct claw_evidence *evidence)
{
	for (size_t j = 0; j < evidence->count; j++) {
		const struct claw_journal_record *call =
			find_blocked(evidence->journals[j]);

		if (call)
			return describe_call(evidence, evidence->journals[j], call);
	}
	return NULL;
}

char *claw_evidence_last_call(const struct claw_evidence *evidence)
{
	const struct claw_journal *journal = NULL;
	const struct claw_journal_record *call = find_last(evidence, &journal);

	return call ? describe_call(evidence, journal, call) : NULL;
}

char *claw_evidence_last_name(const struct claw_evidence *evidence)
{
	const struct claw_journal *journal = NULL;
	const struct claw_journal_record *call = find_last(evidence, &journal);
	const struct claw_journal_site *site = call ?
		claw_journal_find_site(journal, call->site) : NULL;
	struct claw_symbolizer *symbolizer;
	char *name;

	if (!site)
		return NULL;
	symbolizer = claw_evidence_take(evidence);
	name = symbolizer ? claw_site_name(symbolizer, journal, site,
					   CLAW_EVIDENCE_FRAMES) : NULL;
	claw_evidence_leave(evidence, symbolizer);
	return name;
}

/* The line of an event that is asked for, malloced; NULL: it is not. */
typedef char *line_of(const struct claw_evidence *evidence,
		      const struct claw_journal *journal,
		      const struct claw_journal_record *event);

/* Lines of the first events, malloced; NULL: there are none. */
static char *list_events(const struct claw_evidence *evidence, size_t max,
			 line_of *describe)
{
	char *text = NULL;
	size_t size, printed = 0;
	FILE *out = claw_text_begin(&text, &size);

	for (size_t j = 0; j < evidence->count; j++) {
		const struct claw_journal *journal = evidence->journals[j];
		size_t count = claw_journal_get_event_count(journal);

		for (size_t i = 0; i < count && printed < max; i++) {
			const struct claw_journal_record *event =
				claw_journal_get_event(journal, i);
			char *line = event ?
				describe(evidence, journal, event) : NULL;

			if (!line)
				continue;
			fprintf(out, "%s\n", line);
			free(line);
			printed++;
		}
	}
	claw_text_end(out);
	if (printed == 0) {
		free(text);
		text = NULL;
	}
	return text;
}

static char *misuse_line(const struct claw_evidence *evidence,
			 const struct claw_journal *journal,
			 const struct claw_journal_record *event)
{
	return event->flags & CLAW_REC_MISUSE ?
		describe_call(evidence, journal, event) : NULL;
}

char *claw_evidence_misuse(const struct claw_evidence *evidence, size_t max)
{
	return list_events(evidence, max, misuse_line);
}

static char *slow_line(const struct claw_evidence *evidence,
		       const struct claw_journal *journal,
		       const struct claw_journal_record *event)
{
	(void)evidence;
	if (!(event->flags & CLAW_REC_SLOW) || event->handle > UINT32_MAX)
		return NULL;
	return claw_format("%s: %s%s", event->flags & CLAW_REC_UNSURE ?
			   "note" : "clw-memory-timeout",
			   claw_journal_get_string(journal,
						   (uint32_t)event->handle),
			   event->flags & CLAW_REC_INJECTED ? " (INJECTED)" :
			   "");
}

char *claw_evidence_slow(const struct claw_evidence *evidence, size_t max)
{
	return list_events(evidence, max, slow_line);
}

char *claw_evidence_leaks(const struct claw_evidence *evidence,
			  const struct claw_evidence *baseline)
{
	char *text = NULL;
	size_t size;
	bool any = false;
	FILE *out = claw_text_begin(&text, &size);

	for (int type = CLAW_OBJ_CONTEXT; type < CLAW_OBJ_PLATFORM; type++) {
		int64_t more = evidence->live[type] - baseline->live[type];
		const char *name = claw_obj_name((enum claw_obj)type);

		if (evidence->live[type] <= 0 || more <= 0 || !name)
			continue;
		fprintf(out, "%s%" PRId64 " %s", any ? ", " : "", more, name);
		any = true;
	}
	claw_text_end(out);
	if (!any) {
		free(text);
		text = NULL;
	}
	return text;
}

char *claw_evidence_compare(const struct claw_evidence *first,
			    const struct claw_evidence *second)
{
	struct sequences a = { NULL, 0 }, b = { NULL, 0 };
	static const struct sequence none;
	char *difference = NULL;

	if (first->dropped_calls || second->dropped_calls)
		return compare_functions(first, second);
	make_sequences(first, &a);
	make_sequences(second, &b);
	if (a.count)
		qsort(a.items, a.count, sizeof(*a.items), compare_sequences);
	if (b.count)
		qsort(b.items, b.count, sizeof(*b.items), compare_sequences);
	for (size_t i = 0; !difference && (i < a.count || i < b.count); i++) {
		const struct sequence *x = i < a.count ? &a.items[i] : &none;
		const struct sequence *y = i < b.count ? &b.items[i] : &none;

		if (compare_sequences(x, y) != 0)
			difference = say_difference(x, y);
	}
	sequences_release(&a);
	sequences_release(&b);
	return difference;
}

/* ---- rules, and the door ------------------------------------------------ */

bool claw_evidence_any_fired(const struct claw_evidence *e)
{
	for (size_t i = 0; i < e->rule_count; i++)
		if (e->rules[i].fired > 0)
			return true;
	return false;
}

size_t claw_evidence_first_unreached(const struct claw_evidence *evidence,
				     const struct claw_rule *rules)
{
	bool is_chance = claw_evidence_any_fired(evidence);

	for (size_t i = 0; i < evidence->rule_count; i++) {
		const struct claw_rule_count *count = &evidence->rules[i];

		if (count->fired == 0 &&
		    !(is_chance && rules[i].percent > 0 && count->matched > 0))
			return i;
	}
	return evidence->rule_count;
}

const char *claw_door_words(const struct claw_evidence *evidence)
{
	if (evidence->door_left_out == CLAW_DOOR_ICD)
		return "; via layer, although also loaded as an ICD";
	if (evidence->door_left_out == CLAW_DOOR_LAYER)
		return "; via icd, although also loaded as a layer";
	return evidence->via_icd ? "; via icd" : "";
}

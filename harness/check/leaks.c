/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Group what is alive in a ledger by the place that made it, and add up what
 * each group keeps alive.
 */
#include "config.h"

#include "leaks.h"

#include <stdlib.h>
#include <string.h>

#include "leak_graph.h"
#include "leak_places.h"
#include "leak_site.h"
#include "harness/base/memory.h"
#include "harness/base/text_list.h"
#include "harness/base/words.h"

enum {
	HELD_SITES_MAX = 16,	/* that are told apart */
	HELD_LINES_MAX = 3,	/* that are said */
};

/* Memory that a group keeps alive, by where it was made. */
struct held_site {
	uint16_t api;
	uint32_t site;
	uint64_t count, bytes;
};

struct held {
	uint64_t bytes;
	struct held_site sites[HELD_SITES_MAX];
	size_t count;
	/* What is held and gone: this driver did not wait for the holder. */
	struct claw_ledger_hold *gone;
	size_t gone_count;
	uint64_t gone_bytes;
};

/* One process's ledger while it is added. */
struct adding {
	const struct claw_ledger *ledger;
	const struct claw_journal *journal;
	struct claw_symbolizer *symbolizer;
	struct claw_leak_graph graph;
	struct claw_leak_places places;
	uint32_t *alive;	/* indices of what the program has references to */
	size_t count;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_places(const struct adding *adding,
			  const struct claw_ledger_entry *a,
			  const struct claw_ledger_entry *b)
{
	if (a->object != b->object)
		return compare_numbers(a->object, b->object);
	if (a->api != b->api)
		return compare_numbers(a->api, b->api);
	return compare_numbers(claw_leak_place_of(&adding->places, a),
			       claw_leak_place_of(&adding->places, b));
}

static int compare_alive(const void *a, const void *b, void *user)
{
	const struct adding *adding = user;
	uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
	int order = compare_places(adding, &adding->ledger->entries[first],
				   &adding->ledger->entries[second]);

	return order ? order : compare_numbers(first, second);
}

/* ---- what is held ----------------------------------------------------- */

/* Bytes of the device's memory that go when the object goes. */
static uint64_t own_bytes(const struct claw_ledger_entry *entry)
{
	bool is_memory = entry->object == CLAW_OBJ_MEM ||
		entry->object == CLAW_OBJ_SVM;

	return !is_memory || (entry->flags & (CLAW_LEDGER_SUB |
					      CLAW_LEDGER_HOST_PTR)) ?
		0 : entry->bytes;
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static void add_held(const struct claw_ledger_entry *entry, void *user)
{
	struct held *held = user;
	uint64_t bytes = own_bytes(entry);
	size_t i = 0;

	if (entry->references > 0 || bytes == 0)
		return;
	held->bytes = add_saturating(held->bytes, bytes);
	while (i < held->count && (held->sites[i].api != entry->api ||
				   held->sites[i].site != entry->site))
		i++;
	if (i == HELD_SITES_MAX)
		return;
	if (i == held->count)
		held->sites[held->count++] = (struct held_site) {
			.api = entry->api, .site = entry->site,
		};
	held->sites[i].count++;
	held->sites[i].bytes = add_saturating(held->sites[i].bytes, bytes);
}

/*
 * An event's arguments that are gone: the driver gave the address to another
 * object. NVIDIA's, of which the words are, would still have them.
 */
static void gather_gone(const struct adding *adding,
			const struct claw_ledger_entry *event,
			struct held *held)
{
	const struct claw_ledger *ledger = adding->ledger;

	for (uint32_t link = event->hold; link != 0;
	     link = ledger->holds[link - 1].next) {
		const struct claw_ledger_hold *hold = &ledger->holds[link - 1];

		if (hold->bytes == 0 || hold->serial == 0 ||
		    claw_ledger_find(ledger, hold->handle, hold->serial))
			continue;
		held->gone = claw_one_more(held->gone, held->gone_count,
					   sizeof(*held->gone));
		held->gone[held->gone_count++] = *hold;
	}
}

static int compare_gone(const void *a, const void *b)
{
	return compare_numbers(((const struct claw_ledger_hold *)a)->serial,
			       ((const struct claw_ledger_hold *)b)->serial);
}

/* Each of them once. */
static void count_gone(struct held *held)
{
	size_t kept = 0;

	if (held->gone_count > 0)
		qsort(held->gone, held->gone_count, sizeof(*held->gone),
		      compare_gone);
	for (size_t i = 0; i < held->gone_count; i++) {
		if (kept > 0 && held->gone[kept - 1].serial ==
		    held->gone[i].serial)
			continue;
		held->gone[kept++] = held->gone[i];
		held->gone_bytes = add_saturating(held->gone_bytes,
						  held->gone[i].bytes);
	}
	held->gone_count = kept;
	held->bytes = add_saturating(held->bytes, held->gone_bytes);
}

static int compare_held(const void *a, const void *b)
{
	const struct held_site *x = a, *y = b;

	return -compare_numbers(x->bytes, y->bytes);
}

static void print_held(FILE *out, const struct adding *adding,
		       const struct held_site *held)
{
	const char *api = claw_journal_get_api_name(adding->journal, held->api);
	char *place = claw_leak_site_place(adding->symbolizer, adding->journal,
					   held->site);

	claw_print_count(out, held->count);
	fprintf(out, " %s%s from %s%s%s, ", claw_leak_noun(CLAW_OBJ_MEM, api),
		held->count == 1 ? "" : "s", api, place ? " at " : "",
		place ? place : "");
	claw_print_bytes(out, held->bytes);
	fputc('\n', out);
	free(place);
}

/* "" when nothing is held. */
static char *held_text(const struct adding *adding, struct held *held)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	qsort(held->sites, held->count, sizeof(*held->sites), compare_held);
	for (size_t i = 0; i < held->count && i < HELD_LINES_MAX; i++)
		print_held(out, adding, &held->sites[i]);
	if (held->gone_count > 0) {
		claw_print_count(out, held->gone_count);
		fprintf(out, " buffer%s that this driver has freed, ",
			held->gone_count == 1 ? "" : "s");
		claw_print_bytes(out, held->gone_bytes);
		fputc('\n', out);
	}
	claw_text_end(out);
	return text;
}

/* ---- groups ----------------------------------------------------------- */

static bool is_orphan(const struct adding *adding,
		      const struct claw_ledger_entry *entry)
{
	const struct claw_ledger_entry *context =
		claw_leak_graph_context(&adding->graph, entry);

	return context && context->references == 0;
}

/* So many of one site that more will come? */
static bool are_many(enum claw_obj object, uint64_t count)
{
	switch (object) {
	case CLAW_OBJ_CONTEXT:
	case CLAW_OBJ_QUEUE:
	case CLAW_OBJ_PROGRAM:
	case CLAW_OBJ_KERNEL:
		return count >= CLAW_LEAK_MANY;
	default:
		return count > 1;
	}
}

static int compare_identities(const void *a, const void *b)
{
	return compare_numbers(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Of so many kernels or programs, how many are there again: of the name, or of
 * the source, of another? A cache has each once. */
static uint64_t count_again(const struct adding *adding, const uint32_t *first,
			    size_t count)
{
	uint64_t *identities = claw_calloc(count, sizeof(*identities));
	uint64_t again = 0;

	for (size_t i = 0; i < count; i++)
		identities[i] = adding->ledger->entries[first[i]].mem_flags;
	qsort(identities, count, sizeof(*identities), compare_identities);
	for (size_t i = 1; i < count; i++)
		again += identities[i] == identities[i - 1];
	free(identities);
	return again;
}

static bool has_identity(const struct claw_leak *leak)
{
	return leak->object == CLAW_OBJ_KERNEL ||
		leak->object == CLAW_OBJ_PROGRAM;
}

static void add_up(struct adding *adding, const uint32_t *first, size_t count,
		   struct claw_leak *leak, struct held *held)
{
	claw_leak_graph_start(&adding->graph);
	for (size_t i = 0; i < count; i++) {
		const struct claw_ledger_entry *entry =
			&adding->ledger->entries[first[i]];

		leak->count++;
		leak->references += entry->references;
		leak->size_bytes = add_saturating(leak->size_bytes,
						  entry->bytes);
		leak->bytes = add_saturating(leak->bytes, own_bytes(entry));
		if (entry->retain_site) {
			leak->retained++;
			leak->extra_references += entry->references;
		}
		leak->definite |= is_orphan(adding, entry);
		claw_leak_graph_walk(&adding->graph, entry, add_held, held);
		if (leak->object == CLAW_OBJ_EVENT)
			gather_gone(adding, entry, held);
	}
	count_gone(held);
	leak->held_bytes = held->bytes;
	leak->definite |= are_many(leak->object, has_identity(leak) ?
				   count_again(adding, first, count) + 1 :
				   leak->object == CLAW_OBJ_MAPPING ?
				   leak->references : leak->count);
}

/* The place of the youngest object's last retain. */
static uint32_t last_retain(const struct adding *adding, const uint32_t *first,
			    size_t count)
{
	for (size_t i = count; i > 0; i--) {
		uint32_t site =
			adding->ledger->entries[first[i - 1]].retain_site;

		if (site)
			return site;
	}
	return 0;
}

static void fill_texts(const struct adding *adding, uint32_t site,
		       uint32_t retain_site, struct held *held,
		       struct claw_leak *leak)
{
	claw_leak_site_fill(adding->symbolizer, adding->journal, site, leak);
	leak->retain_place = claw_leak_site_place(adding->symbolizer,
						  adding->journal, retain_site);
	leak->held_text = held_text(adding, held);
	if (!*leak->held_text) {
		free(leak->held_text);
		leak->held_text = NULL;
	}
}

static void leak_release(struct claw_leak *leak)
{
	free(leak->api);
	free(leak->place);
	free(leak->name);
	claw_list_free(leak->words);
	free(leak->stack);
	free(leak->file);
	free(leak->held_text);
	free(leak->retain_place);
}

/* One group: entries of these indices. */
static struct claw_leak make_leak(struct adding *adding, const uint32_t *first,
				  size_t count)
{
	const struct claw_ledger_entry *entry =
		&adding->ledger->entries[*first];
	struct held held = { 0 };
	struct claw_leak leak = {
		.object = (enum claw_obj)entry->object,
		.is_part = entry->flags & CLAW_LEDGER_SUB,
		.api = claw_strdup(claw_journal_get_api_name(adding->journal,
							     entry->api)),
		.pid = adding->ledger->pid,
	};

	add_up(adding, first, count, &leak, &held);
	fill_texts(adding, claw_leak_place_of(&adding->places, entry),
		   last_retain(adding, first, count), &held, &leak);
	free(held.gone);
	return leak;
}

static void add_groups(struct claw_leaks *leaks, struct adding *adding)
{
	const struct claw_ledger_entry *entries = adding->ledger->entries;
	size_t end;

	for (size_t i = 0; i < adding->count; i = end) {
		for (end = i + 1; end < adding->count &&
		     compare_places(adding, &entries[adding->alive[i]],
				    &entries[adding->alive[end]]) == 0;)
			end++;
		leaks->items = claw_one_more(leaks->items, leaks->count,
					     sizeof(*leaks->items));
		leaks->items[leaks->count++] =
			make_leak(adding, adding->alive + i, end - i);
	}
}

/* ---- public ----------------------------------------------------------- */

int claw_leaks_add(struct claw_leaks *leaks, const struct claw_ledger *ledger,
		   const struct claw_journal *journal,
		   struct claw_symbolizer *symbolizer)
{
	struct adding adding = {
		.ledger = ledger, .journal = journal, .symbolizer = symbolizer,
	};
	int ret = claw_leak_graph_init(&adding.graph, ledger);

	if (ret < 0)
		return ret;
	claw_leak_places_init(&adding.places, ledger, journal, symbolizer);
	adding.alive = claw_calloc(ledger->count, sizeof(*adding.alive));
	for (size_t i = 0; i < ledger->count; i++)
		if (ledger->entries[i].references > 0)
			adding.alive[adding.count++] = (uint32_t)i;
	qsort_r(adding.alive, adding.count, sizeof(*adding.alive),
		compare_alive, &adding);
	add_groups(leaks, &adding);
	leaks->not_known = add_saturating(leaks->not_known, ledger->dropped);
	free(adding.alive);
	claw_leak_places_release(&adding.places);
	claw_leak_graph_release(&adding.graph);
	return 0;
}

/* So many objects of a kind from one function that one place of it may have
 * made too many? */
static bool may_be_many(const struct claw_ledger *ledger, size_t index)
{
	const struct claw_ledger_entry *first = &ledger->entries[index];
	uint64_t count = 0;

	/* Once for each kind and function: by the first of them. */
	for (size_t i = 0; i < ledger->count; i++) {
		const struct claw_ledger_entry *entry = &ledger->entries[i];

		if (!entry->references || entry->object != first->object ||
		    entry->api != first->api)
			continue;
		if (i < index)
			return false;
		count += entry->object == CLAW_OBJ_MAPPING ?
			entry->references : 1;
	}
	return are_many((enum claw_obj)first->object, count);
}

bool claw_leaks_may_be_definite(const struct claw_ledger *ledger)
{
	struct adding adding = { .ledger = ledger };
	bool found = false;

	if (claw_leak_graph_init(&adding.graph, ledger) < 0)
		return true;
	for (size_t i = 0; !found && i < ledger->count; i++)
		found = ledger->entries[i].references &&
			(may_be_many(ledger, i) ||
			 is_orphan(&adding, &ledger->entries[i]));
	claw_leak_graph_release(&adding.graph);
	return found;
}

static int compare_leaks(const void *a, const void *b)
{
	const struct claw_leak *x = a, *y = b;
	int order = compare_numbers(add_saturating(y->bytes, y->held_bytes),
				    add_saturating(x->bytes, x->held_bytes));

	if (!order)
		order = compare_numbers(y->count, x->count);
	if (!order)
		order = compare_numbers(x->object, y->object);
	if (!order)
		order = strcmp(x->name, y->name);
	return order ? order : compare_numbers(x->pid, y->pid);
}

void claw_leaks_sort(struct claw_leaks *leaks)
{
	if (leaks->count > 0)
		qsort(leaks->items, leaks->count, sizeof(*leaks->items),
		      compare_leaks);
}

void claw_leaks_release(struct claw_leaks *leaks)
{
	for (size_t i = 0; i < leaks->count; i++)
		leak_release(&leaks->items[i]);
	free(leaks->items);
	*leaks = (struct claw_leaks) { .items = NULL };
}

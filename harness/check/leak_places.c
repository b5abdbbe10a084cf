/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two sites whose stacks read the same, lines included, are one place.
 */
#include "config.h"

#include "leak_places.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

struct stack {
	uint32_t number;
	char *text;
};

static int compare_stacks(const void *a, const void *b)
{
	const struct stack *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order ? order :
		(x->number > y->number) - (x->number < y->number);
}

/* Mark the sites that are used with themselves. */
static void find_used(struct claw_leak_places *places,
		      const struct claw_ledger *ledger,
		      const struct claw_journal *journal)
{
	uint32_t last = 0;

	for (size_t i = 0; i < ledger->count; i++)
		if (ledger->entries[i].site > last &&
		    claw_journal_find_site(journal, ledger->entries[i].site))
			last = ledger->entries[i].site;
	places->first = claw_calloc((size_t)last + 1, sizeof(*places->first));
	places->count = (size_t)last + 1;
	for (size_t i = 0; i < ledger->count; i++) {
		uint32_t site = ledger->entries[i].site;

		if (ledger->entries[i].references > 0 &&
		    claw_journal_find_site(journal, site))
			places->first[site] = site;
	}
}

/* The stacks of those, sorted; *ret_count of them. */
static struct stack *make_stacks(const struct claw_leak_places *places,
				 const struct claw_journal *journal,
				 struct claw_symbolizer *symbolizer,
				 size_t *ret_count)
{
	struct stack *stacks = claw_calloc(places->count, sizeof(*stacks));
	size_t count = 0;

	for (uint32_t n = 0; n < places->count; n++)
		if (places->first[n] != 0)
			stacks[count++] = (struct stack) {
				n, claw_site_stack(symbolizer, journal,
					claw_journal_find_site(journal, n)),
			};
	qsort(stacks, count, sizeof(*stacks), compare_stacks);
	*ret_count = count;
	return stacks;
}

void claw_leak_places_init(struct claw_leak_places *places,
			   const struct claw_ledger *ledger,
			   const struct claw_journal *journal,
			   struct claw_symbolizer *symbolizer)
{
	struct stack *stacks;
	size_t count;

	find_used(places, ledger, journal);
	stacks = make_stacks(places, journal, symbolizer, &count);
	for (size_t i = 1; i < count; i++)
		if (strcmp(stacks[i].text, stacks[i - 1].text) == 0)
			places->first[stacks[i].number] =
				places->first[stacks[i - 1].number];
	for (size_t i = 0; i < count; i++)
		free(stacks[i].text);
	free(stacks);
}

void claw_leak_places_release(struct claw_leak_places *places)
{
	free(places->first);
	*places = (struct claw_leak_places) { .first = NULL };
}

uint32_t claw_leak_place_of(const struct claw_leak_places *places,
			    const struct claw_ledger_entry *entry)
{
	return entry->site < places->count ? places->first[entry->site] : 0;
}

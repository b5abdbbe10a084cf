/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of sites: one table of texts that is never larger than SITES_MAX, and
 * one errand at a time that reads a journal and its symbols.
 */
#include "config.h"

#include "site_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errand.h"
#include "harness/base/errors.h"
#include "harness/readers/journal_reader.h"
#include "leak_site.h"
#include "harness/readers/ledger_reader.h"
#include "harness/base/memory.h"
#include "harness/session/session.h"
#include "harness/readers/symbolize.h"

enum { SITES_MAX = 4096, ASKED_MAX = 128, TRIES_MAX = 3, TEXT_MAX = 1024 };

struct claw_site_names {
	struct claw_site_name table[SITES_MAX];
	size_t count;
	struct claw_errand errand;
	struct claw_process_sites *asker;	/* NULL: it is gone */
	uint32_t asked[ASKED_MAX];
	size_t asked_count;
	const char *journal;			/* while the errand starts */
};

struct claw_site_names *claw_site_names_new(void)
{
	return claw_calloc(1, sizeof(struct claw_site_names));
}

void claw_site_names_free(struct claw_site_names *names)
{
	if (!names)
		return;
	claw_errand_cancel(&names->errand);
	for (size_t i = 0; i < names->count; i++) {
		free(names->table[i].site);
		free(names->table[i].place);
	}
	free(names);
}

bool claw_site_names_idle(const struct claw_site_names *names)
{
	return names->errand.pid == 0;
}

/* ---- the errand ------------------------------------------------------- */

/* The function that made what lives of that site. */
static const char *api_of(const struct claw_ledger *ledger,
			  const struct claw_journal *journal, uint32_t site)
{
	for (size_t i = 0; i < ledger->count; i++)
		if (ledger->entries[i].site == site)
			return claw_journal_get_api_name(journal,
				ledger->entries[i].api);
	return NULL;
}

/* One line a site: number, name, place; tabs between. */
static void write_name(FILE *out, uint32_t number,
		       const struct claw_site_words *words)
{
	fprintf(out, "%" PRIu32 "\t%s\t%s\n", number, words->name,
		words->place ? words->place : "");
}

static int look_up(FILE *out, void *user)
{
	const struct claw_site_names *names = user;
	char *path = claw_session_sibling(names->journal, "ledger");
	struct claw_symbolizer *symbolizer = claw_symbolizer_new();
	struct claw_journal *journal = NULL;
	struct claw_ledger ledger = { .count = 0 };
	struct claw_site_words words;

	if (claw_journal_read(names->journal, &journal) < 0)
		return -CLAW_E_IO;
	if (claw_ledger_read(path, &ledger) < 0)
		ledger = (struct claw_ledger){ .count = 0 };
	for (size_t i = 0; i < names->asked_count; i++) {
		uint32_t number = names->asked[i];

		if (!claw_journal_find_site(journal, number))
			continue;
		claw_site_words_find(symbolizer, journal, number, &words);
		claw_site_words_lead(&words, api_of(&ledger, journal, number));
		write_name(out, number, &words);
		claw_site_words_release(&words);
	}
	return 0;	/* and the process ends: nothing is freed */
}

void claw_site_names_ask(struct claw_site_names *names,
			 struct claw_process_sites *sites,
			 const struct claw_meter_site *meters,
			 const char *journal)
{
	if (names->errand.pid)
		return;
	names->asked_count = 0;
	for (uint32_t i = 1; i < CLAW_METER_SITES &&
	     names->asked_count < ASKED_MAX; i++) {
		if (!meters[i].objects || sites->names[i] ||
		    sites->tries[i] >= TRIES_MAX)
			continue;
		sites->tries[i]++;
		names->asked[names->asked_count++] = i;
	}
	if (!names->asked_count)
		return;
	names->journal = journal;
	names->asker = sites;
	claw_errand_start(&names->errand, look_up, names);
}

bool claw_site_names_gave_up(const struct claw_process_sites *sites,
			     uint32_t number)
{
	return !sites->names[number] && sites->tries[number] >= TRIES_MAX;
}

/* ---- the table -------------------------------------------------------- */

static const struct claw_site_name *keep(struct claw_site_names *names,
					 const char *site, const char *place)
{
	struct claw_site_name *one;

	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->table[i].site, site) == 0 &&
		    strcmp(names->table[i].place ? names->table[i].place : "",
			   place) == 0)
			return &names->table[i];
	if (names->count == SITES_MAX)
		return NULL;
	one = &names->table[names->count++];
	one->site = claw_strndup(site, TEXT_MAX);
	one->place = *place ? claw_strndup(place, TEXT_MAX) : NULL;
	return one;
}

static void take_line(struct claw_site_names *names, char *line)
{
	char *site = strchr(line, '\t'), *place;
	unsigned long number = strtoul(line, NULL, 10);

	if (!site || number >= CLAW_METER_SITES)
		return;
	*site++ = '\0';
	place = strchr(site, '\t');
	if (!place)
		return;
	*place++ = '\0';
	names->asker->names[number] = keep(names, site, place);
}

void claw_site_names_poll(struct claw_site_names *names, int wait_ms)
{
	char *text = NULL, *rest = NULL;

	if (!names->errand.pid ||
	    !claw_errand_poll(&names->errand, wait_ms, &text))
		return;
	for (char *line = text && names->asker ? strtok_r(text, "\n", &rest) :
	     NULL; line; line = strtok_r(NULL, "\n", &rest))
		take_line(names, line);
	free(text);
}

void claw_site_names_forget(struct claw_site_names *names,
			    const struct claw_process_sites *sites)
{
	if (names->asker == sites)
		names->asker = NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Symbolise what a dump has of places in the program. */
#include "config.h"

#include "dump_stacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/readers/symbolize.h"
#include "harness/base/words.h"

enum { NAME_FRAMES = 3 };

static void set_text(json_t *object, const char *name, char *text)
{
	if (text)
		json_object_set_new(object, name, json_string(text));
	free(text);
}

static json_t *site_json(struct claw_symbolizer *symbolizer,
			 const struct claw_journal *journal,
			 const struct claw_journal_site *site)
{
	json_t *object = json_object();

	set_text(object, "place", claw_site_place(symbolizer, journal, site));
	set_text(object, "name", claw_site_name(symbolizer, journal, site,
						NAME_FRAMES));
	set_text(object, "stack", claw_site_stack(symbolizer, journal, site));
	return object;
}

json_t *claw_dump_sites_make(const struct claw_journal *journal)
{
	struct claw_symbolizer *symbolizer = claw_symbolizer_new();
	json_t *sites = json_object();

	for (uint32_t i = 1; i <= CLAW_JOURNAL_MAX_SITES; i++) {
		const struct claw_journal_site *site =
			claw_journal_find_site(journal, i);
		char number[16];

		if (!site)
			continue;
		snprintf(number, sizeof(number), "%" PRIu32, i);
		json_object_set_new(sites, number,
				    site_json(symbolizer, journal, site));
	}
	claw_symbolizer_free(symbolizer);
	return sites;
}

json_t *claw_dump_stacks_make(const struct claw_journal *journal,
			      const struct claw_journal_record *crash,
			      const char *text)
{
	const struct claw_journal_site *site = crash ?
		claw_journal_find_site(journal, crash->site) : NULL;
	struct claw_symbolizer *symbolizer;
	char *stack = NULL;
	json_t *stacks;

	if (text)
		return json_pack("{s:s}", "text", text);
	symbolizer = site ? claw_symbolizer_new() : NULL;
	if (symbolizer)
		stack = claw_site_stack(symbolizer, journal, site);
	claw_symbolizer_free(symbolizer);
	if (!stack)
		return NULL;
	stacks = json_object();
	json_object_set_new(stacks, "text", json_sprintf("process %u\n"
		"  thread %u (%s)\n%s", claw_journal_get_header(journal)->pid,
		crash->thread, claw_signal_name(crash->result), stack));
	free(stack);
	return stacks;
}

const char *claw_dump_site_place(const json_t *sites, uint32_t number)
{
	char name[16];

	snprintf(name, sizeof(name), "%" PRIu32, number);
	return json_string_value(json_object_get(
		json_object_get(sites, name), "place"));
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Count through the journals of a run.
 */
#include "config.h"

#include "sweep_calls.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

struct counts {
	uint64_t at_site;
	uint32_t mark;
};

/* Of one process. */
struct walk {
	struct claw_sweep_call call;
	int map[CLAW_JOURNAL_MAX_APIS];	/* the journal's numbers as ours, or -1 */
	uint64_t of_api[CLAW_API_COUNT];
	uint32_t thread[CLAW_API_COUNT];	/* its first caller's */
	bool threaded[CLAW_API_COUNT];
	struct counts *counts;		/* [api][site] */
	size_t sites;
	uint16_t last_rule;		/* as records have it, or 0 */
};

static const char *exe_of(const struct claw_journal *journal)
{
	const struct claw_journal_header *header =
		claw_journal_get_header(journal);

	return claw_base_name(claw_journal_get_string(journal,
						      header->exe_string));
}

static bool has_several_programs(const struct claw_evidence *evidence)
{
	for (size_t i = 1; i < evidence->count; i++)
		if (strcmp(exe_of(evidence->journals[i]),
			   exe_of(evidence->journals[0])) != 0)
			return true;
	return false;
}

static int find_api(const struct walk *walk,
		    const struct claw_journal_record *record)
{
	return record->api < CLAW_JOURNAL_MAX_APIS ? walk->map[record->api] :
		-1;
}

/* What has to be known before the first call is shown. */
static void look_ahead(struct walk *walk)
{
	const struct claw_journal *journal = walk->call.journal;
	size_t count = claw_journal_get_call_count(journal);

	for (unsigned int i = 0; i < CLAW_JOURNAL_MAX_APIS; i++)
		walk->map[i] = claw_api_find(claw_journal_get_api_name(journal,
								       i));
	for (size_t i = 0; i < count; i++) {
		const struct claw_journal_record *record =
			claw_journal_get_call(journal, i);
		int api = record ? find_api(walk, record) : -1;

		if (api < 0)
			continue;
		if (record->site > walk->sites)
			walk->sites = record->site;
		if (!walk->thread[api])
			walk->thread[api] = record->thread;
		walk->threaded[api] |= walk->thread[api] != record->thread;
	}
}

static void show_call(struct walk *walk,
		      const struct claw_journal_record *record, int api,
		      claw_sweep_visit *visit, void *user)
{
	struct claw_sweep_call *call = &walk->call;
	struct counts *counts;

	call->of_api = ++walk->of_api[api];
	call->site = claw_journal_find_site(call->journal, record->site);
	if (call->site) {
		counts = &walk->counts[(size_t)api * walk->sites +
				       record->site - 1];
		call->record = record;
		call->api = (enum claw_api)api;
		call->at_site = ++counts->at_site;
		call->threaded = walk->threaded[api];
		call->mark = &counts->mark;
		visit(call, user);
	}
	if (walk->last_rule && record->rule == walk->last_rule)
		call->after = true;
}

static void walk_journal(const struct claw_journal *journal, bool name_exe,
			 uint16_t last_rule, claw_sweep_visit *visit,
			 void *user)
{
	struct walk *walk = claw_calloc(1, sizeof(*walk));
	size_t count = claw_journal_get_call_count(journal);

	walk->call.journal = journal;
	walk->call.exe = name_exe ? exe_of(journal) : NULL;
	walk->last_rule = last_rule;
	look_ahead(walk);
	walk->counts = claw_calloc((walk->sites + 1) * CLAW_API_COUNT,
				   sizeof(*walk->counts));
	for (size_t i = 0; i < count; i++) {
		const struct claw_journal_record *record =
			claw_journal_get_call(journal, i);
		int api = record ? find_api(walk, record) : -1;

		if (api >= 0)
			show_call(walk, record, api, visit, user);
	}
	free(walk->counts);
	free(walk);
}

void claw_sweep_walk(const struct claw_evidence *evidence,
		     claw_sweep_visit *visit, void *user)
{
	bool name_exe = has_several_programs(evidence);

	for (size_t i = 0; i < evidence->count; i++)
		walk_journal(evidence->journals[i], name_exe,
			     (uint16_t)evidence->rule_count, visit, user);
}

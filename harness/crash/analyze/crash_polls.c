/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries that a trace does not have, as it has only those that failed: how
 * often each was asked is in the journal.
 */
#include "config.h"

#include <inttypes.h>

#include "crash_report.h"
#include "harness/records/result_json.h"

enum { NAMED = 4 };

struct polled {
	unsigned int api;
	uint64_t count;
};

/* Calls of the function that the trace has nothing of. */
static uint64_t count_polls(const struct claw_crash_view *view,
			    unsigned int api)
{
	const struct claw_journal *journal = view->dump->journal;
	const struct claw_trace *trace = view->facts->trace;
	int index = journal && claw_api_table[api].groups & CLAW_G_QUERY ?
		claw_journal_find_api(journal, claw_api_table[api].name) : -1;
	uint64_t made = index < 0 ? 0 :
		claw_journal_get_calls(journal, (unsigned int)index);
	uint64_t known = 0;

	for (uint32_t i = 0; made && i < trace->call_count; i++)
		known += trace->calls[i].api == api;
	return made > known ? made - known : 0;
}

/* The most frequent first; how many of them. */
static size_t find_polls(const struct claw_crash_view *view,
			 struct polled polled[NAMED])
{
	size_t count = 0;

	for (unsigned int api = 0; api < CLAW_API_COUNT; api++) {
		struct polled one = { api, count_polls(view, api) };
		size_t at = count;

		while (one.count && at && polled[at - 1].count < one.count) {
			if (at < NAMED)
				polled[at] = polled[at - 1];
			at--;
		}
		if (!one.count || at == NAMED)
			continue;
		polled[at] = one;
		count += count < NAMED;
	}
	return count;
}

void claw_crash_print_polls(const struct claw_crash_view *view)
{
	struct polled polled[NAMED];
	size_t count = find_polls(view, polled);

	for (size_t i = 0; i < count; i++)
		fprintf(view->out, "%s%" PRIu64 " of %s", i ? ", " :
			"  not shown: ", polled[i].count,
			claw_api_table[polled[i].api].name);
	if (count)
		fputs(": only failed queries are recorded\n", view->out);
}

json_t *claw_crash_polls_json(const struct claw_crash_view *view)
{
	struct polled polled[NAMED];
	size_t count = find_polls(view, polled);
	json_t *all = json_object();

	for (size_t i = 0; i < count; i++)
		claw_json_add_number(all, claw_api_table[polled[i].api].name,
				     polled[i].count);
	return all;
}

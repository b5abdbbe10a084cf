/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program holds at the ends of its runs. Where each run is over after a
 * few samples that is all there is to judge it by.
 */
#include "config.h"

#include "soak.h"

#include <inttypes.h>
#include <stdio.h>

bool claw_soak_is_cut_short(const struct claw_soak *soak,
			    enum claw_series_group group)
{
	return soak->runs > 2 &&
		soak->samples / soak->runs < CLAW_TREND_LEAST &&
		(group == CLAW_GROUP_LEDGER || group == CLAW_GROUP_HANDLES ||
		 group == CLAW_GROUP_HEAP || group == CLAW_GROUP_RESIDENT);
}

/* An error exit may leave what it has, and so does a crash. */
bool claw_soak_wants_leaks(const struct claw_soak *soak,
			   const struct claw_run_result *result)
{
	return soak->workload->kind != CLAW_SOAK_SUITE &&
		result->end == CLAW_END_EXIT && result->code == 0 &&
		claw_sampler_count_alive(soak->sampler) > 0;
}

static void tell(struct claw_soak *soak, struct claw_soak_leak *leak)
{
	struct claw_soak_event event = {
		.kind = "leak", .text = leak->text, .signature = leak->site,
		.count = leak->runs - leak->told,
	};

	leak->told = leak->runs;
	claw_soak_event(soak, &event);
}

void claw_soak_tell_leaks(struct claw_soak *soak, bool all)
{
	for (size_t i = 0; i < soak->leaks.count; i++) {
		struct claw_soak_leak *leak = &soak->leaks.items[i];

		if (leak->runs > leak->told &&
		    (all || claw_soak_is_news(leak->runs, leak->told)))
			tell(soak, leak);
	}
}

void claw_soak_judge_end(struct claw_soak *soak,
			 const struct claw_soak_left *left)
{
	const char *why = claw_sampler_has_lost(soak->sampler) ?
		"one run has too many processes to keep all" :
		!left ? NULL : left->leaks_gap ? left->leaks_gap :
		!left->leaks_known ? "its ledgers could not be read" :
		NULL;

	/* A run without OpenCL has nothing to forget. */
	if (left && left->known && !left->handshake)
		return;
	if (!left || left->leaks_known)
		claw_soak_leaks_add(&soak->leaks, left);
	if (why)
		claw_soak_leaks_doubt(&soak->leaks, why);
	claw_soak_tell_leaks(soak, false);
}

/* ---- words ------------------------------------------------------------- */

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

enum claw_verdict claw_soak_ends_verdict(const struct claw_soak *soak,
					 char *text, size_t size)
{
	const struct claw_soak_leaks *leaks = &soak->leaks;

	if (leaks->count) {
		snprintf(text, size, "objects of %zu call site%s are leaked "
			 "at the end of runs", leaks->count,
			 plural(leaks->count));
		return CLAW_LEAK;
	}
	if (leaks->unknown) {
		snprintf(text, size, "leaks of %" PRIu64 " run%s are unknown: "
			 "%s", leaks->unknown,
			 plural(leaks->unknown), leaks->why);
		return CLAW_UNKNOWN;
	}
	if (leaks->judged) {
		snprintf(text, size, "no object was leaked at the end of %" PRIu64
			 " run%s", leaks->judged,
			 plural(leaks->judged));
		return CLAW_PASSED;
	}
	if (soak->workload->kind == CLAW_SOAK_SUITE ||
	    !claw_soak_is_cut_short(soak, CLAW_GROUP_LEDGER))
		return CLAW_SKIPPED;
	snprintf(text, size, "no run succeeded, so leaks at exit could not be "
		 "checked");
	return CLAW_UNKNOWN;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Count the runs of a case. */
#include "config.h"

#include "run_tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

static bool is_bad(const struct claw_result *result)
{
	char class = claw_verdict_class(result->verdict);

	return class == 'f' || class == 'u';
}

static const char *name_of(const struct claw_result *result)
{
	return result->name ? result->name : "";
}

static struct claw_test_counted *find(struct claw_test_tally *tally,
				      const struct claw_result *result)
{
	size_t number;

	return claw_name_index_find(&tally->names, name_of(result), &number) ?
		&tally->items[number] : NULL;
}

static struct claw_test_counted *add(struct claw_test_tally *tally,
				     const struct claw_result *result)
{
	struct claw_test_counted *counted;

	tally->items = claw_one_more(tally->items, tally->count,
				     sizeof(*tally->items));
	counted = &tally->items[tally->count];
	memset(counted, 0, sizeof(*counted));
	claw_result_copy(result, &counted->result);
	claw_name_index_add(&tally->names, name_of(result), tally->count++);
	return counted;
}

static void replace(struct claw_test_counted *counted,
		    const struct claw_result *result)
{
	claw_result_release(&counted->result);
	claw_result_copy(result, &counted->result);
}

/* "try 2: FAILED: ..." behind what is in *text. */
static void remember(char **text, unsigned int number,
		     const struct claw_result *result)
{
	char *longer = claw_format("%stry %u: %s: %s\n", *text ? *text : "",
				   number, claw_verdict_name(result->verdict),
				   result->message ? result->message : "");

	free(*text);
	*text = longer;
}

static void count_run(struct claw_test_counted *counted,
		      const struct claw_result *result)
{
	counted->fresh = true;
	counted->runs++;
	counted->failures += is_bad(result);
	counted->total_us += result->duration_us;
}

/* Results that the newest try does not have: a program that crashed has one
 * result, tried again it has others. What they said must not be lost. */
static void drop_stale(struct claw_test_tally *tally)
{
	size_t kept = 0;

	claw_name_index_clear(&tally->names);
	for (size_t i = 0; i < tally->count; i++) {
		struct claw_test_counted *counted = &tally->items[i];
		char *longer;

		if (counted->fresh) {
			claw_name_index_add(&tally->names,
					    name_of(&counted->result), kept);
			tally->items[kept++] = *counted;
			continue;
		}
		if (counted->failures > 0) {
			longer = claw_format("%s%s: %s", tally->dropped ?
				tally->dropped : "", name_of(&counted->result),
				counted->earlier ? counted->earlier : "\n");
			free(tally->dropped);
			tally->dropped = longer;
		}
		free(counted->earlier);
		claw_result_release(&counted->result);
	}
	tally->count = kept;
}

/* A failure is worse than a run of which nothing can be said, a skip best. */
static int rank(const struct claw_result *result)
{
	static const char classes[] = "spnuf";

	return (int)(strchr(classes, claw_verdict_class(result->verdict)) -
		     classes);
}

void claw_test_tally_retry(struct claw_test_tally *tally,
			   const struct claw_result *results, size_t count)
{
	for (size_t i = 0; i < tally->count; i++) {
		tally->items[i].fresh = false;
		if (is_bad(&tally->items[i].result))
			remember(&tally->items[i].earlier, tally->runs,
				 &tally->items[i].result);
	}
	tally->runs++;
	for (size_t i = 0; i < count; i++) {
		struct claw_test_counted *counted = find(tally, &results[i]);

		if (!counted)
			counted = add(tally, &results[i]);
		else if (!counted->fresh ||	/* else a namesake's */
			 rank(&results[i]) > rank(&counted->result))
			replace(counted, &results[i]);
		count_run(counted, &results[i]);
	}
	drop_stale(tally);
}

void claw_test_tally_repeat(struct claw_test_tally *tally,
			    const struct claw_result *results, size_t count)
{
	tally->runs++;
	for (size_t i = 0; i < count; i++) {
		struct claw_test_counted *counted = find(tally, &results[i]);

		if (!counted)
			counted = add(tally, &results[i]);
		else if (rank(&results[i]) > rank(&counted->result))
			replace(counted, &results[i]);
		count_run(counted, &results[i]);
	}
}

/* ---- the end --------------------------------------------------------- */

/* text is taken over. */
static void set_text(const char **place, char *text)
{
	free((char *)(uintptr_t)*place);
	*place = text;
}

static void finish_repeated(struct claw_test_counted *counted)
{
	struct claw_result *result = &counted->result;
	char *message;

	result->duration_us = counted->total_us / counted->runs;
	if (counted->runs == 1)
		return;
	result->flaky = counted->failures > 0 &&
			counted->failures < counted->runs;
	if (counted->failures > 0)
		message = claw_format("%u of %u failed%s%s",
				      counted->failures, counted->runs,
				      result->message ? ": " : "",
				      result->message ? result->message : "");
	else
		message = claw_format("%u runs%s%s", counted->runs,
				      result->message ? "; " : "",
				      result->message ? result->message : "");
	set_text(&result->message, message);
}

/* A pass after failures: the word stays, the failures are told. */
static void finish_tried(struct claw_test_tally *tally,
			 struct claw_test_counted *counted, uint64_t most)
{
	struct claw_result *result = &counted->result;
	const char *dropped = tally->dropped ? tally->dropped : "";
	const char *earlier = counted->earlier ? counted->earlier : "";

	if (!*earlier && !*dropped)
		return;
	if (claw_verdict_class(result->verdict) == 'p') {
		result->flaky = true;
		set_text(&result->message, claw_format(
			"passed on try %u of %" PRIu64 "%s%s", tally->runs,
			most, result->message ? "; " : "",
			result->message ? result->message : ""));
	}
	set_text(&result->detail, claw_format("%s%s%s", dropped, earlier,
		 result->detail ? result->detail : ""));
}

void claw_test_tally_finish(struct claw_test_tally *tally, uint64_t most)
{
	for (size_t i = 0; i < tally->count; i++) {
		if (most)
			finish_tried(tally, &tally->items[i], most);
		else
			finish_repeated(&tally->items[i]);
		/* Once is enough. */
		free(tally->dropped);
		tally->dropped = NULL;
	}
}

void claw_test_tally_release(struct claw_test_tally *tally)
{
	for (size_t i = 0; i < tally->count; i++) {
		claw_result_release(&tally->items[i].result);
		free(tally->items[i].earlier);
	}
	claw_name_index_clear(&tally->names);
	free(tally->items);
	free(tally->dropped);
	memset(tally, 0, sizeof(*tally));
}

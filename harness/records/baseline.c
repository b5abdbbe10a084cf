/* SPDX-License-Identifier: Apache-2.0 */
/* Compare two runs, case by case. */
#include "config.h"

#include "baseline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"

void claw_processor_name(char *name, size_t size)
{
	FILE *in = claw_outside_fopen("/proc/cpuinfo");
	char *line = NULL;
	size_t room = 0;

	name[0] = '\0';
	while (in && !*name && claw_getline(&line, &room, in) > 0) {
		const char *colon = strchr(line, ':');

		if (colon && strncmp(line, "model name", 10) == 0)
			snprintf(name, size, "%.*s",
				 (int)strcspn(colon + 2, "\n"), colon + 2);
	}
	free(line);
	if (in)
		fclose(in);
}

char *claw_machine_identity(void)
{
	char host[256] = "", processor[256], *text;

	gethostname(host, sizeof(host) - 1);
	claw_processor_name(processor, sizeof(processor));
	text = claw_format("%08lx%s%s",
			   crc32(0, (const Bytef *)host, (uInt)strlen(host)),
			   *processor ? ", " : "", processor);
	return text;
}

/* ---- may times be compared? ------------------------------------------- */

static const char *tool_of(const struct claw_result *result)
{
	return result->configuration ? result->configuration : "native";
}

/* What neither run knows is no difference. */
static bool has_same_fact(const struct claw_past_run *old,
			  const struct claw_past_run *new,
			  const char *configuration, const char *key)
{
	const char *a = claw_past_run_fact(old, configuration, key);
	const char *b = claw_past_run_fact(new, configuration, key);

	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Same machine, same device and driver, as many cases at a time. Programs
 * that are not of openclaw's suites do not say which device they use. */
static bool has_same_ground(const struct claw_past_run *old,
			    const struct claw_past_run *new, const char *tool)
{
	static const char *const keys[] = {
		"platform", "device", "driver", "version", "loader",
	};

	if (!claw_past_run_fact(new, NULL, CLAW_FACT_MACHINE) ||
	    !has_same_fact(old, new, NULL, CLAW_FACT_MACHINE) ||
	    !has_same_fact(old, new, tool, CLAW_FACT_JOBS))
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!has_same_fact(old, new, tool, keys[i]))
			return false;
	return true;
}

static bool is_slower(const struct claw_result *old,
		      const struct claw_result *new)
{
	return claw_verdict_class(old->verdict) == 'p' &&
	       claw_verdict_class(new->verdict) == 'p' &&
	       new->duration_us >= CLAW_SLOWER_TIMES * old->duration_us &&
	       new->duration_us > old->duration_us + CLAW_SLOWER_US;
}

/* ---- cases ----------------------------------------------------------- */

struct comparing {
	struct claw_comparison *comparison;
	const struct claw_past_run *old, *new;
	size_t untimed;		/* passed in both, on another ground */
};

/* text is taken over. */
static void add_change(struct comparing *comparing, enum claw_change_kind kind,
		       struct claw_case_key key, char *text)
{
	struct claw_comparison *comparison = comparing->comparison;
	struct claw_change *grown = claw_grow(comparison->changes,
					      comparison->count + 1,
					      sizeof(*grown));

	comparison->changes = grown;
	grown[comparison->count++] = (struct claw_change){
		.kind = kind, .suite = claw_strdup_or_null(key.suite),
		.name = claw_strdup_or_null(key.name),
		.configuration = claw_strdup_or_null(key.configuration),
		.text = text,
	};
}

static char *describe(const struct claw_result *old,
		      const struct claw_result *new)
{
	const char *message = new->message ? new->message : "";

	if (!old)
		return claw_format("new, now %s%s%s",
				   claw_verdict_name(new->verdict),
				   *message ? ": " : "", message);
	if (old->verdict == new->verdict)
		return claw_format("%s%s%s", claw_verdict_name(new->verdict),
				   *message ? ": " : "", message);
	return claw_format("%s before, now %s%s%s",
			   claw_verdict_name(old->verdict),
			   claw_verdict_name(new->verdict),
			   *message ? ": " : "", message);
}

static void compare_passed(struct comparing *comparing,
			   const struct claw_result *old,
			   const struct claw_result *new)
{
	struct claw_case_key key = claw_result_key(new);
	bool same = old && has_same_ground(comparing->old, comparing->new,
					   tool_of(new));
	char old_class = old ? claw_verdict_class(old->verdict) : '\0';

	if (!old)
		add_change(comparing, CLAW_CHANGE_NEW, key, NULL);
	else if (strchr("fu", old_class))
		add_change(comparing, CLAW_CHANGE_FIXED, key,
			   describe(old, new));
	else if (same && is_slower(old, new))
		add_change(comparing, CLAW_CHANGE_SLOWER, key,
			   claw_format("%.3f s before, now %.3f s",
				       (double)old->duration_us / 1e6,
				       (double)new->duration_us / 1e6));
	if (old && !same && old_class == 'p')
		comparing->untimed++;
}

static void compare_result(struct comparing *comparing,
			   const struct claw_result *new)
{
	const struct claw_result *old = claw_past_run_find(comparing->old,
						claw_result_key(new));
	struct claw_case_key key = claw_result_key(new);
	char class = claw_verdict_class(new->verdict);
	char old_class = old ? claw_verdict_class(old->verdict) : '\0';

	if (new->flaky)
		add_change(comparing, CLAW_CHANGE_FLAKY, key,
			   claw_strdup_or_null(new->message));
	else if (old && old->flaky && class == 'f') {
		add_change(comparing, CLAW_CHANGE_FLAKY, key,
			   claw_format("flaky before, now %s%s%s",
				       claw_verdict_name(new->verdict),
				       new->message ? ": " : "",
				       new->message ? new->message : ""));
		return;
	}
	if (class == 'f' || class == 'u')
		add_change(comparing, old && strchr("fu", old_class) ?
			   CLAW_CHANGE_STILL_FAILING :
			   CLAW_CHANGE_NEWLY_FAILING, key, describe(old, new));
	else if (class != 's')
		compare_passed(comparing, old, new);
	else if (old && old_class != 's')
		add_change(comparing, CLAW_CHANGE_NOT_RUN, key,
			   describe(old, new));
}

/* Has the new run cases that were selected by the same word? */
static bool has_operand(const struct claw_past_run *run, const char *operand)
{
	for (size_t i = 0; i < run->planned_count; i++)
		if (run->planned[i].operand &&
		    strcmp(run->planned[i].operand, operand) == 0)
			return true;
	return false;
}

/* Has the new run any case of that suite and tool? */
static bool covers(const struct claw_past_run *run, struct claw_case_key key,
		   const struct claw_planned *past)
{
	if (past && past->operand && !has_operand(run, past->operand))
		return false;
	for (size_t i = 0; i < run->result_count; i++) {
		struct claw_case_key one = claw_result_key(&run->results[i]);

		one.name = key.name;
		if (claw_case_key_same(one, key))
			return true;
	}
	return false;
}

/* A result of old that new has none of. */
static void compare_missing(struct comparing *comparing,
			    const struct claw_result *old, bool narrowed)
{
	const struct claw_planned *planned =
		claw_past_run_find_planned(comparing->new,
					   claw_result_item_key(old));
	const struct claw_planned *past =
		claw_past_run_find_planned(comparing->old,
					   claw_result_item_key(old));
	struct claw_case_key key = claw_result_key(old);

	if (planned && planned->elsewhere)
		return;
	if (planned && !claw_past_run_has_result_of(comparing->new,
						claw_result_item_key(old)))
		add_change(comparing, CLAW_CHANGE_NOT_RUN, key,
			   claw_format("%s before, not finished now",
				       claw_verdict_name(old->verdict)));
	/* A filter may choose among the tests of a libcheck program. */
	else if (planned ? !planned->many || !narrowed :
		 !narrowed && covers(comparing->new, key, past))
		add_change(comparing, CLAW_CHANGE_GONE, key,
			   claw_format("%s before",
				       claw_verdict_name(old->verdict)));
}

/* Sort by kind; within one the order stays that of the run. */
static void sort_changes(struct claw_comparison *comparison)
{
	for (size_t i = 1; i < comparison->count; i++) {
		struct claw_change one = comparison->changes[i];
		size_t at = i;

		for (; at > 0 && comparison->changes[at - 1].kind > one.kind;
		     at--)
			comparison->changes[at] = comparison->changes[at - 1];
		comparison->changes[at] = one;
	}
}

static void write_text(struct comparing *comparing)
{
	const struct claw_past_run *old = comparing->old;
	const char *unsure = !old->complete ?
		"the earlier run is incomplete" :
		old->damaged ? "the records of the earlier run are damaged" : NULL;

	comparing->comparison->text = comparing->untimed == 0 ?
		claw_strdup_or_null(unsure) :
		claw_format("%s%stimes are not compared: machine, device, "
			    "driver or number of jobs differ or are not "
			    "recorded", unsure ? unsure : "",
			    unsure ? "; " : "");
}

void claw_comparison_init(struct claw_comparison *comparison,
			  const struct claw_past_run *old,
			  const struct claw_past_run *new)
{
	struct comparing comparing = { .comparison = comparison, .old = old,
				       .new = new };
	bool narrowed = claw_past_run_fact(new, NULL, CLAW_FACT_SELECTION) ||
			claw_past_run_fact(new, NULL, CLAW_FACT_SHARD);

	memset(comparison, 0, sizeof(*comparison));
	for (size_t i = 0; i < new->result_count; i++)
		compare_result(&comparing, &new->results[i]);
	for (size_t i = 0; i < old->result_count; i++)
		if (!claw_past_run_find(new, claw_result_key(&old->results[i])))
			compare_missing(&comparing, &old->results[i], narrowed);
	sort_changes(comparison);
	write_text(&comparing);
}

static void drop(const char *text)
{
	free((char *)(uintptr_t)text);
}

void claw_comparison_release(struct claw_comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++) {
		drop(comparison->changes[i].suite);
		drop(comparison->changes[i].name);
		drop(comparison->changes[i].configuration);
		drop(comparison->changes[i].text);
	}
	free(comparison->changes);
	free(comparison->text);
	memset(comparison, 0, sizeof(*comparison));
}

bool claw_comparison_is_known(const struct claw_comparison *comparison,
			      struct claw_case_key key)
{
	for (size_t i = 0; i < comparison->count; i++) {
		const struct claw_change *change = &comparison->changes[i];
		struct claw_case_key one = { change->suite, change->name,
					     change->configuration };

		if (change->kind == CLAW_CHANGE_STILL_FAILING &&
		    claw_case_key_same(one, key))
			return true;
	}
	return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What a report's head says, from the records. */
#include "config.h"

#include "gather.h"

#include <stdlib.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

static void drop(const char *text)
{
	free((char *)(uintptr_t)text);
}

static void gather_plan(void *user, const char *verb, const char *command,
			uint64_t planned, uint64_t seed, const char *started)
{
	struct claw_report_gathering *gathering = user;
	struct claw_report_head *head = &gathering->head;

	head->verb = claw_strdup_or_null(verb);
	head->command_line = claw_strdup_or_null(command);
	head->started = claw_strdup_or_null(started);
	head->planned = planned;
	head->seed = seed;
}

static void gather_planned(void *user, const struct claw_planned *planned)
{
	struct claw_report_gathering *gathering = user;

	gathering->head.is_open |= planned->many && !planned->elsewhere;
	gathering->head.is_part |= planned->elsewhere;
}

static void gather_comparison(void *user, const char *directory,
			      const char *started, const char *text)
{
	struct claw_report_gathering *gathering = user;
	struct claw_report_head *head = &gathering->head;

	if (head->compared_with)
		return;
	head->compared_with = claw_strdup_or_null(directory ? directory : "");
	head->compared_started = claw_strdup_or_null(started);
	head->compared_text = claw_strdup_or_null(text);
}

static void gather_change(void *user, const struct claw_change *change)
{
	struct claw_report_gathering *gathering = user;
	struct claw_change *changes = claw_grow(
		gathering->changes, gathering->head.change_count + 1,
		sizeof(*changes));

	gathering->changes = changes;
	changes[gathering->head.change_count++] = (struct claw_change){
		.kind = change->kind,
		.suite = claw_strdup_or_null(change->suite),
		.name = claw_strdup_or_null(change->name),
		.configuration = claw_strdup_or_null(change->configuration),
		.text = claw_strdup_or_null(change->text) };
}

static void gather_environment(void *user, const char *configuration,
			       const char *key, const char *value)
{
	struct claw_report_gathering *gathering = user;
	struct claw_environment_entry *entries = claw_grow(
		gathering->environment, gathering->head.environment_count + 1,
		sizeof(*entries));

	/* A shard that has only its own cases. */
	gathering->head.is_part |= !configuration &&
				   claw_report_same(key, CLAW_FACT_PLAN);
	gathering->environment = entries;
	entries[gathering->head.environment_count++] =
		(struct claw_environment_entry){
			claw_strdup_or_null(configuration),
			claw_strdup_or_null(key),
			claw_strdup_or_null(value) };
}

static void see_time(struct claw_report_gathering *gathering, uint64_t t_ms)
{
	if (t_ms > gathering->head.soak_ms)
		gathering->head.soak_ms = t_ms;
}

static void gather_result(void *user, const struct claw_result *result)
{
	struct claw_report_gathering *gathering = user;
	double elapsed_ms = claw_soak_told(result, CLAW_TOLD_ELAPSED);

	if (elapsed_ms > 0)
		see_time(gathering, (uint64_t)elapsed_ms);

	gathering->head.counts[result->verdict]++;
	gathering->head.result_count++;
}

static void gather_rule(void *user, const char *rule, uint64_t matched,
			uint64_t fired)
{
	struct claw_report_gathering *gathering = user;
	struct claw_report_rule *rules = claw_grow(
		gathering->rules, gathering->head.rule_count + 1,
		sizeof(*rules));

	gathering->rules = rules;
	rules[gathering->head.rule_count++] = (struct claw_report_rule){
		claw_strdup_or_null(rule), matched, fired };
}

static void gather_note(void *user, const char *text)
{
	struct claw_report_gathering *gathering = user;
	const char **notes = claw_grow(
		gathering->notes, gathering->head.note_count + 1,
		sizeof(*notes));

	gathering->notes = notes;
	notes[gathering->head.note_count++] = claw_strdup_or_null(text);
}

static void gather_segment(void *user, const struct claw_soak_segment *segment)
{
	struct claw_report_gathering *gathering = user;

	gathering->head.segment_count++;
	see_time(gathering, segment->t_ms);
}

static void gather_sample(void *user, const struct claw_sample *sample,
			  const struct claw_sample_site *sites,
			  size_t site_count)
{
	struct claw_report_gathering *gathering = user;

	(void)sites;
	(void)site_count;
	gathering->head.sample_count++;
	see_time(gathering, sample->t_ms);
}

static void gather_event(void *user, const struct claw_soak_event *event)
{
	struct claw_report_gathering *gathering = user;

	gathering->head.event_count++;
	see_time(gathering, event->t_ms);
}

static void gather_end(void *user, int exit_status, bool cancelled)
{
	struct claw_report_gathering *gathering = user;

	gathering->head.exit_status = exit_status;
	gathering->head.cancelled = cancelled;
}

void claw_report_gathering_release(struct claw_report_gathering *gathering)
{
	struct claw_report_head *head = &gathering->head;

	for (size_t i = 0; i < head->environment_count; i++) {
		drop(gathering->environment[i].configuration);
		drop(gathering->environment[i].key);
		drop(gathering->environment[i].value);
	}
	for (size_t i = 0; i < head->rule_count; i++)
		drop(gathering->rules[i].rule);
	for (size_t i = 0; i < head->note_count; i++)
		drop(gathering->notes[i]);
	for (size_t i = 0; i < head->change_count; i++) {
		drop(gathering->changes[i].suite);
		drop(gathering->changes[i].name);
		drop(gathering->changes[i].configuration);
		drop(gathering->changes[i].text);
	}
	free(gathering->environment);
	free(gathering->rules);
	free(gathering->notes);
	free(gathering->changes);
	drop(head->compared_with);
	drop(head->compared_started);
	drop(head->compared_text);
	drop(head->verb);
	drop(head->command_line);
	drop(head->started);
}

int claw_report_gather(const char *path,
		       struct claw_report_gathering *gathering)
{
	static const struct claw_records_visitor visitor = {
		.plan = gather_plan, .planned = gather_planned,
		.environment = gather_environment,
		.result = gather_result, .rule = gather_rule,
		.note = gather_note, .comparison = gather_comparison,
		.change = gather_change, .segment = gather_segment,
		.sample = gather_sample, .event = gather_event,
		.end = gather_end,
	};
	struct claw_report_head *head = &gathering->head;
	int ret = claw_records_read(path, &visitor, gathering,
				    &head->complete, &head->damaged_lines);

	head->environment = gathering->environment;
	head->rules = gathering->rules;
	head->notes = gathering->notes;
	head->changes = gathering->changes;
	return ret;
}

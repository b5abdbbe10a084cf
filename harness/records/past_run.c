/* SPDX-License-Identifier: Apache-2.0 */
/* Read an earlier run whole. */
#include "config.h"

#include "past_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

static const char native[] = "native";

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

bool claw_case_key_same(struct claw_case_key a, struct claw_case_key b)
{
	return same_text(a.name, b.name) && same_text(a.suite, b.suite) &&
	       same_text(a.configuration ? a.configuration : native,
			 b.configuration ? b.configuration : native);
}

char *claw_case_key_text(struct claw_case_key key)
{
	return claw_format("%s%s%s%s%s%s", key.suite ? key.suite : "",
			   key.suite ? "/" : "", key.name ? key.name : "",
			   key.configuration ? " [" : "",
			   key.configuration ? key.configuration : "",
			   key.configuration ? "]" : "");
}

struct claw_case_key claw_result_key(const struct claw_result *result)
{
	return (struct claw_case_key){ result->suite, result->name,
				       result->configuration };
}

struct claw_case_key claw_result_item_key(const struct claw_result *result)
{
	return (struct claw_case_key){
		result->suite, result->item ? result->item : result->name,
		result->configuration };
}

struct claw_case_key claw_planned_key(const struct claw_planned *planned)
{
	return (struct claw_case_key){ planned->suite, planned->name,
				       planned->configuration };
}

/* ---- reading --------------------------------------------------------- */

/* Room for one more, which is empty, in the array that the pointer at items
 * points to. */
static void *add(void *items, size_t *count, size_t size)
{
	char *array;

	memcpy(&array, items, sizeof(array));
	array = claw_one_more(array, *count, size);
	memcpy(items, &array, sizeof(array));
	return memset(array + (*count)++ * size, 0, size);
}

static void read_plan(void *user, const char *verb, const char *command,
		      uint64_t planned, uint64_t seed, const char *started)
{
	struct claw_past_run *run = user;

	run->seed = seed;
	run->verb = claw_strdup_or_null(verb);
	run->command = claw_strdup_or_null(command);
	run->started = claw_strdup_or_null(started);
	run->planned_number = planned;
}

static void read_planned(void *user, const struct claw_planned *planned)
{
	struct claw_past_run *run = user;
	struct claw_planned *own = add(&run->planned, &run->planned_count,
				       sizeof(*own));

	*own = (struct claw_planned){
		.suite = claw_strdup_or_null(planned->suite),
		.name = claw_strdup_or_null(planned->name),
		.configuration = claw_strdup_or_null(planned->configuration),
		.operand = claw_strdup_or_null(planned->operand),
		.elsewhere = planned->elsewhere, .many = planned->many,
	};
}

static void read_environment(void *user, const char *configuration,
			     const char *key, const char *value)
{
	struct claw_past_run *run = user;
	struct claw_past_fact *fact = add(&run->facts, &run->fact_count,
					  sizeof(*fact));

	*fact = (struct claw_past_fact){ claw_strdup_or_null(configuration),
					 claw_strdup_or_null(key),
					 claw_strdup_or_null(value) };
}

static void read_result(void *user, const struct claw_result *result)
{
	struct claw_past_run *run = user;
	struct claw_result *own = add(&run->results, &run->result_count,
				      sizeof(*own));

	claw_result_copy(result, own);
}

static void read_note(void *user, const char *text)
{
	struct claw_past_run *run = user;
	char **note;

	if (!text)
		return;
	note = add(&run->notes, &run->note_count, sizeof(*note));
	*note = claw_strdup(text);
}

static void read_segment(void *user, const struct claw_soak_segment *segment)
{
	(void)segment;
	((struct claw_past_run *)user)->segment_count++;
}

static void read_end(void *user, int exit_status, bool cancelled)
{
	struct claw_past_run *run = user;

	(void)exit_status;
	run->cancelled = cancelled;
}

/* DIR, or the records file in it. */
static char *find_directory(const char *operand)
{
	static const char file[] = "/records.jsonl";
	size_t length = strlen(operand), tail = sizeof(file) - 1;

	if (length > tail && strcmp(operand + length - tail, file) == 0)
		return claw_strndup(operand, length - tail);
	return claw_strdup(operand);
}

static int explain(int ret, const char *path, char *error, size_t error_size)
{
	switch (ret) {
	case -CLAW_E_IO:
		snprintf(error, error_size, "%s: %s", path, strerror(errno));
		return errno == ENOENT || errno == ENOTDIR ? -CLAW_E_USAGE :
		       ret;
	case -CLAW_E_DAMAGED:
		snprintf(error, error_size, "%s: no readable run found", path);
		return ret;
	default:
		snprintf(error, error_size, "%s: %s", path,
			 claw_error_text(ret));
		return ret;
	}
}

int claw_past_run_read(const char *directory, struct claw_past_run **ret_run,
		       char *error, size_t error_size)
{
	static const struct claw_records_visitor visitor = {
		.plan = read_plan, .planned = read_planned,
		.environment = read_environment, .result = read_result,
		.note = read_note, .segment = read_segment, .end = read_end,
	};
	struct claw_past_run *run = claw_calloc(1, sizeof(*run));
	char *path;
	int ret;

	run->directory = find_directory(directory);
	path = claw_path_in(run->directory, "records.jsonl");
	ret = claw_records_read(path, &visitor, run, &run->complete,
				&run->damaged);
	if (ret < 0) {
		ret = explain(ret, path, error, error_size);
		claw_past_run_free(run);
	} else {
		*ret_run = run;
	}
	free(path);
	return ret;
}

static void drop(const char *text)
{
	free((char *)(uintptr_t)text);
}

void claw_past_run_free(struct claw_past_run *run)
{
	if (!run)
		return;
	for (size_t i = 0; i < run->planned_count; i++) {
		drop(run->planned[i].suite);
		drop(run->planned[i].name);
		drop(run->planned[i].configuration);
		drop(run->planned[i].operand);
	}
	for (size_t i = 0; i < run->result_count; i++)
		claw_result_release(&run->results[i]);
	for (size_t i = 0; i < run->fact_count; i++) {
		free(run->facts[i].configuration);
		free(run->facts[i].key);
		free(run->facts[i].value);
	}
	for (size_t i = 0; i < run->note_count; i++)
		free(run->notes[i]);
	free(run->planned);
	free(run->results);
	free(run->facts);
	free(run->notes);
	free(run->directory);
	free(run->verb);
	free(run->command);
	free(run->started);
	free(run);
}

/* ---- asking ---------------------------------------------------------- */

const struct claw_result *claw_past_run_find(const struct claw_past_run *run,
					     struct claw_case_key key)
{
	for (size_t i = 0; i < run->result_count; i++)
		if (claw_case_key_same(claw_result_key(&run->results[i]), key))
			return &run->results[i];
	return NULL;
}

const struct claw_planned *
claw_past_run_find_planned(const struct claw_past_run *run,
			   struct claw_case_key key)
{
	for (size_t i = 0; i < run->planned_count; i++)
		if (claw_case_key_same(claw_planned_key(&run->planned[i]), key))
			return &run->planned[i];
	return NULL;
}

bool claw_past_run_has_result_of(const struct claw_past_run *run,
				 struct claw_case_key item)
{
	for (size_t i = 0; i < run->result_count; i++)
		if (claw_case_key_same(claw_result_item_key(&run->results[i]),
				       item))
			return true;
	return false;
}

bool claw_past_run_has_failed(const struct claw_past_run *run,
			      struct claw_case_key item)
{
	bool found = false;

	for (size_t i = 0; i < run->result_count; i++) {
		char class = claw_verdict_class(run->results[i].verdict);

		if (!claw_case_key_same(claw_result_item_key(&run->results[i]),
					item))
			continue;
		if (class == 'f' || class == 'u')
			return true;
		found = true;
	}
	return !found;
}

const char *claw_past_run_fact(const struct claw_past_run *run,
			       const char *configuration, const char *key)
{
	for (size_t i = 0; i < run->fact_count; i++) {
		const struct claw_past_fact *fact = &run->facts[i];

		if (same_text(fact->configuration, configuration) &&
		    same_text(fact->key, key))
			return fact->value;
	}
	return NULL;
}

bool claw_past_run_has_plan(const struct claw_past_run *run)
{
	return run->planned_count > 0 ||
	       claw_past_run_fact(run, NULL, CLAW_FACT_PLAN);
}

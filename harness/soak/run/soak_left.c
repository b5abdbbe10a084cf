/* SPDX-License-Identifier: Apache-2.0 */
/* The errand that reads a session after a run, and its answer (JSON). */
#include "config.h"

#include "soak_left.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "harness/crash/capture/dump_take.h"
#include "harness/base/errand.h"
#include "harness/base/errors.h"
#include "harness/evidence/evidence.h"
#include "harness/check/leak_scan.h"
#include "harness/base/memory.h"
#include "harness/crash/replay/replay_crash.h"
#include "harness/judge/verdict.h"
#include "harness/evidence/why_not.h"
#include "harness/base/words.h"

enum { WAIT_MS = 120 * 1000, LEAKS_MAX = 64 };

/* ---- in the errand ----------------------------------------------------- */

static void put(json_t *answer, const char *name, char *text)
{
	if (text && *text)
		json_object_set_new(answer, name, json_string(text));
	free(text);
}

/* By the journal alone, the same whether calls were recorded or not. */
static char *key_of(const struct claw_run_result *result,
		    const struct claw_evidence *evidence)
{
	char *name = claw_evidence_crash_name(evidence), *key = NULL;
	char *blocked = claw_evidence_blocked(evidence);
	const char *place;

	if (!name)
		name = claw_evidence_last_name(evidence);
	place = name && *name ? name : CLAW_VERDICT_UNKNOWN;
	if (result->end == CLAW_END_SIGNAL)
		key = claw_format("%s %s", claw_signal_name(result->code),
				  place);
	else if (result->end == CLAW_END_TIMEOUT)
		key = claw_format("hang%s%.*s", blocked ? " in " : "",
				  blocked ? (int)strcspn(blocked, "(") : 0,
				  blocked ? blocked : "");
	else if (result->end == CLAW_END_EXIT)
		key = claw_format("exit %d", result->code);
	free(name);
	free(blocked);
	/* "clFinish at main (tile.c:88)" without its place */
	for (size_t i = key ? strlen(key) : 0; i && key[i - 1] == ' '; i--)
		key[i - 1] = '\0';
	return key;
}

static void put_crash(json_t *answer, const struct claw_soak_left_config *config)
{
	struct claw_crash crash;

	if (claw_replay_crash_find(config->session, config->result, NULL,
				   &crash) == 0 &&
	    crash.kind != CLAW_CRASH_NONE) {
		if (crash.signature && *crash.signature)
			json_object_set_new(answer, "signature",
					    json_string(crash.signature));
		if (crash.code && *crash.code)
			json_object_set_new(answer, "code",
					    json_string(crash.code));
	}
	claw_crash_release(&crash);
}

static void put_dump(json_t *answer, const struct claw_soak_left_config *config)
{
	const struct claw_dump_taking taking = {
		.session = config->session->directory,
		.directory = config->dumps, .result = config->result,
		.stacks = config->result->stacks,
	};
	struct claw_dumps_made made;

	claw_dump_take(&taking, &made);
	if (made.count)
		json_object_set_new(answer, "dump",
				    json_string(made.items[0].path));
	claw_dumps_made_release(&made);
}

static void put_failure(json_t *answer,
			const struct claw_soak_left_config *config,
			const struct claw_evidence *evidence)
{
	const struct claw_run_result *result = config->result;
	char *key = key_of(result, evidence);
	const char *name;

	if (result->end == CLAW_END_TIMEOUT)
		put(answer, "where", claw_evidence_blocked(evidence));
	else
		put(answer, "where", claw_evidence_crash(evidence));
	put(answer, "key", key);
	if (!config->is_captured)
		return;
	put_crash(answer, config);
	name = json_string_value(json_object_get(answer, "signature"));
	if (!name)
		name = json_string_value(json_object_get(answer, "key"));
	if (config->wants_dump && name &&
	    config->wants_dump(name, config->user))
		put_dump(answer, config);
}

static void put_leak(json_t *list, const struct claw_leak *leak)
{
	json_t *one = json_object();
	char *site = NULL;

	if (strncmp(leak->name, leak->api, strlen(leak->api)) == 0)
		site = claw_strdup(leak->name);
	else site = claw_format("%s < %s", leak->api, leak->name);
	put(one, "site", site);
	put(one, "place", leak->place ? claw_strdup(leak->place) : NULL);
	put(one, "text", claw_leak_text(leak));
	json_object_set_new(one, "objects",
			    json_integer((json_int_t)leak->count));
	json_array_append_new(list, one);
}

static void put_leaks(json_t *answer, const struct claw_session *session)
{
	struct claw_leak_scan scan;
	json_t *list = json_array();
	int ret = claw_leak_scan_definite(session, &scan);

	if (ret < 0) {
		json_decref(list);
		put(answer, "leaks_gap", claw_strdup(claw_error_text(ret)));
		return;
	}
	for (size_t i = 0; i < scan.leaks.count &&
	     json_array_size(list) < LEAKS_MAX; i++)
		if (scan.leaks.items[i].definite)
			put_leak(list, &scan.leaks.items[i]);
	json_object_set_new(answer, "leaks", list);
	put(answer, "leaks_gap", scan.gap ? claw_strdup(scan.gap) : NULL);
	claw_leak_scan_release(&scan);
}

static void put_rules(json_t *answer, const struct claw_evidence *evidence)
{
	json_t *matched = json_array(), *fired = json_array();

	for (size_t i = 0; i < evidence->rule_count; i++) {
		json_array_append_new(matched, json_integer((json_int_t)
			evidence->rules[i].matched));
		json_array_append_new(fired, json_integer((json_int_t)
			evidence->rules[i].fired));
	}
	json_object_set_new(answer, "matched", matched);
	json_object_set_new(answer, "fired", fired);
}

static int look(FILE *out, void *user)
{
	const struct claw_soak_left_config *config = user;
	struct claw_evidence evidence;
	json_t *answer = json_object();
	bool handshake;

	if (claw_evidence_read(config->session, config->rule_count,
			       &evidence) < 0)
		return -CLAW_E_IO;
	handshake = claw_evidence_has_handshake(&evidence);
	json_object_set_new(answer, "handshake", json_boolean(handshake));
	if (!handshake && config->program)
		put(answer, "why_not", claw_program_why_not(config->program,
							    &evidence));
	if (evidence.plan_error)
		json_object_set_new(answer, "plan_error",
				    json_string(evidence.plan_error));
	put_rules(answer, &evidence);
	if (config->failed)
		put_failure(answer, config, &evidence);
	if (config->wants_leaks && handshake)
		put_leaks(answer, config->session);
	return json_dumpf(answer, out, 0);
}

/* ---- its answer -------------------------------------------------------- */

static char *get(const json_t *answer, const char *name)
{
	const char *text = json_string_value(json_object_get(answer, name));

	return text ? claw_strdup(text) : NULL;
}

static uint64_t *get_numbers(const json_t *answer, const char *name,
			     size_t count)
{
	const json_t *array = json_object_get(answer, name);
	uint64_t *numbers = claw_calloc(count + 1, sizeof(*numbers));

	for (size_t i = 0; i < count; i++)
		numbers[i] = (uint64_t)json_integer_value(
			json_array_get(array, i));
	return numbers;
}

static void get_leaks(const json_t *answer, struct claw_soak_left *left)
{
	const json_t *list = json_object_get(answer, "leaks");
	size_t count = json_array_size(list);

	left->leaks_gap = get(answer, "leaks_gap");
	left->leaks = claw_calloc(count + 1, sizeof(*left->leaks));
	left->leaks_known = list != NULL && left->leaks;
	for (size_t i = 0; left->leaks && i < count; i++) {
		const json_t *one = json_array_get(list, i);
		struct claw_soak_forgotten leak = {
			.site = get(one, "site"), .place = get(one, "place"),
			.text = get(one, "text"),
			.objects = (uint64_t)json_integer_value(
				json_object_get(one, "objects")),
		};

		left->leaks[left->leak_count++] = leak;
		if (!leak.site || !leak.text)
			left->leaks_known = false;
	}
}

void claw_soak_left_find(const struct claw_soak_left_config *config,
			 struct claw_soak_left *ret_left)
{
	char *text = claw_errand_run(look, (void *)config, WAIT_MS);
	json_t *answer = text ? json_loads(text, 0, NULL) : NULL;

	free(text);
	*ret_left = (struct claw_soak_left){ .known = answer != NULL };
	if (!answer)
		return;
	ret_left->handshake = json_is_true(json_object_get(answer,
							   "handshake"));
	ret_left->why_not = get(answer, "why_not");
	ret_left->plan_error = get(answer, "plan_error");
	ret_left->key = get(answer, "key");
	ret_left->signature = get(answer, "signature");
	ret_left->code = get(answer, "code");
	ret_left->where = get(answer, "where");
	ret_left->dump = get(answer, "dump");
	ret_left->rule_matched = get_numbers(answer, "matched",
					     config->rule_count);
	ret_left->rule_fired = get_numbers(answer, "fired",
					   config->rule_count);
	if (ret_left->rule_matched && ret_left->rule_fired)
		ret_left->rule_count = config->rule_count;
	for (size_t i = 0; i < ret_left->rule_count; i++)
		ret_left->fired += ret_left->rule_fired[i];
	if (config->wants_leaks)
		get_leaks(answer, ret_left);
	json_decref(answer);
}

void claw_soak_left_release(struct claw_soak_left *left)
{
	free(left->why_not);
	free(left->plan_error);
	free(left->key);
	free(left->signature);
	free(left->code);
	free(left->where);
	free(left->dump);
	free(left->rule_matched);
	free(left->rule_fired);
	for (size_t i = 0; i < left->leak_count; i++) {
		free(left->leaks[i].site);
		free(left->leaks[i].place);
		free(left->leaks[i].text);
	}
	free(left->leaks);
	free(left->leaks_gap);
	*left = (struct claw_soak_left){ .known = false };
}

static int say_blocked(FILE *out, void *user)
{
	struct claw_evidence evidence;
	char *text;

	if (claw_evidence_read(user, 0, &evidence) < 0)
		return -CLAW_E_IO;
	text = claw_evidence_blocked(&evidence);
	fputs(text ? text : "", out);
	return 0;
}

char *claw_soak_left_blocked(const struct claw_session *session)
{
	char *text = claw_errand_run(say_blocked, (void *)session, WAIT_MS);

	if (text && *text)
		return text;
	free(text);
	return NULL;
}

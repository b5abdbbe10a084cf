/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results and their words: names of verdicts and changes, copies, and a
 * result as a JSON object.
 */
#include "config.h"

#include "result_json.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/base/text_clean.h"

static const struct {
	const char *name;
	char class;
} verdicts[CLAW_VERDICT_COUNT] = {
	[CLAW_PASSED] = { "PASSED", 'p' },
	[CLAW_FAILED] = { "FAILED", 'f' },
	[CLAW_SKIPPED] = { "SKIPPED", 's' },
	[CLAW_XFAIL] = { "XFAIL", 'n' },
	[CLAW_XPASS] = { "XPASS", 'f' },
	[CLAW_HANG] = { "HANG", 'f' },
	[CLAW_CRASH] = { "CRASH", 'f' },
	[CLAW_HANDLED] = { "handled", 'p' },
	[CLAW_DEGRADED] = { "degraded", 'n' },
	[CLAW_SWALLOWED] = { "swallowed", 'f' },
	[CLAW_LEAK] = { "leak", 'f' },
	[CLAW_MISUSE] = { "misuse", 'f' },
	[CLAW_SANITIZER] = { "sanitizer", 'f' },
	[CLAW_NOT_REACHED] = { "not-reached", 'u' },
	[CLAW_NOT_INJECTED] = { "not-injected", 'u' },
	[CLAW_INCONCLUSIVE] = { "inconclusive", 'u' },
	[CLAW_INFRA] = { "infra", 'u' },
	[CLAW_SLOWDOWN] = { "slowdown", 'f' },
	[CLAW_UNKNOWN] = { "unknown", 'u' },
	[CLAW_ALSO_GROWS] = { "also-grows", 'n' },
};

static const char *const changes[CLAW_CHANGE_KIND_COUNT] = {
	[CLAW_CHANGE_NEWLY_FAILING] = "newly failing",
	[CLAW_CHANGE_STILL_FAILING] = "still failing",
	[CLAW_CHANGE_FLAKY] = "flaky",
	[CLAW_CHANGE_SLOWER] = "slower",
	[CLAW_CHANGE_NOT_RUN] = "not run",
	[CLAW_CHANGE_GONE] = "gone",
	[CLAW_CHANGE_FIXED] = "fixed",
	[CLAW_CHANGE_NEW] = "new",
};

/* One table for copy, release, write and read: the texts of a result. */
static const struct {
	const char *name;
	size_t offset;
} result_texts[] = {
#define TEXT(name_) { #name_, offsetof(struct claw_result, name_) }
	TEXT(suite), TEXT(name), TEXT(configuration), TEXT(fault),
	TEXT(message), TEXT(detail), TEXT(file), TEXT(code), TEXT(reproduce),
	TEXT(item), TEXT(expects), TEXT(seen), TEXT(metrics), TEXT(first_run),
	TEXT(device),
#undef TEXT
};
enum { RESULT_TEXTS = sizeof(result_texts) / sizeof(result_texts[0]) };

static const char *get_text(const struct claw_result *result, size_t index)
{
	const char *text;

	memcpy(&text, (const char *)result + result_texts[index].offset,
	       sizeof(text));
	return text;
}

static void set_text(struct claw_result *result, size_t index,
		     const char *text)
{
	memcpy((char *)result + result_texts[index].offset, &text,
	       sizeof(text));
}

const char *claw_verdict_name(enum claw_verdict verdict)
{
	return verdict < CLAW_VERDICT_COUNT ? verdicts[verdict].name :
	       "unknown";
}

char claw_verdict_class(enum claw_verdict verdict)
{
	return verdict < CLAW_VERDICT_COUNT ? verdicts[verdict].class : 'u';
}

int claw_verdict_find(const char *name)
{
	for (int i = 0; i < CLAW_VERDICT_COUNT; i++)
		if (strcmp(verdicts[i].name, name) == 0)
			return i;
	return -1;
}

const char *claw_change_kind_name(enum claw_change_kind kind)
{
	return kind < CLAW_CHANGE_KIND_COUNT ? changes[kind] : "unknown";
}

int claw_change_kind_find(const char *name)
{
	for (int i = 0; i < CLAW_CHANGE_KIND_COUNT; i++)
		if (strcmp(changes[i], name) == 0)
			return i;
	return -1;
}

/* ---- copies ---------------------------------------------------------- */

static void free_findings(const struct claw_findings *findings)
{
	struct claw_findings *own = (struct claw_findings *)(uintptr_t)findings;

	if (own)
		claw_findings_release(own);
	free(own);
}

static void copy_findings(const struct claw_findings *findings,
			  const struct claw_findings **ret_copy)
{
	struct claw_findings *own = claw_calloc(1, sizeof(*own));

	claw_findings_copy(findings, own);
	*ret_copy = own;
}

void claw_result_release(struct claw_result *copy)
{
	free_findings(copy->findings);
	copy->findings = NULL;
	for (size_t i = 0; i < RESULT_TEXTS; i++) {
		free((char *)(uintptr_t)get_text(copy, i));
		set_text(copy, i, NULL);
	}
}

double claw_result_metric(const char *metrics, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = metrics; at && *at;) {
		if (strncmp(at, name, length) == 0 && at[length] == '=')
			return strtod(at + length + 1, NULL);
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	return NAN;
}

void claw_result_copy(const struct claw_result *result,
		      struct claw_result *ret_copy)
{
	struct claw_result copy = *result;

	for (size_t i = 0; i < RESULT_TEXTS; i++)
		set_text(&copy, i, claw_strdup_or_null(get_text(result, i)));
	if (result->findings)
		copy_findings(result->findings, &copy.findings);
	*ret_copy = copy;
}

/* ---- JSON ------------------------------------------------------------ */

static json_t *json_text(const char *text)
{
	char *clean;
	json_t *value = json_string(text);

	if (value)
		return value;
	clean = claw_text_clean(text, strlen(text));
	value = json_string(clean);
	free(clean);
	return value;
}

void claw_json_add_text(json_t *object, const char *name, const char *text)
{
	if (text)
		json_object_set_new(object, name, json_text(text));
}

void claw_json_add_number(json_t *object, const char *name, uint64_t number)
{
	json_object_set_new(object, name, json_integer((json_int_t)number));
}

/* "" is unknown, and left out. */
static void add_known(json_t *object, const char *name, const char *text)
{
	if (text && *text)
		claw_json_add_text(object, name, text);
}

static void add_count(json_t *object, const char *name, uint64_t number)
{
	if (number)
		claw_json_add_number(object, name, number);
}

static void add_also(json_t *object, uint32_t also)
{
	json_t *names = also ? json_array() : NULL;

	for (int i = 0; i < CLAW_FINDING_KIND_COUNT && names; i++)
		if (also & UINT32_C(1) << i)
			json_array_append_new(names, json_string(
				claw_finding_kind_name(
					(enum claw_finding_kind)i)));
	if (names)
		json_object_set_new(object, "also", names);
}

static json_t *finding_to_json(const struct claw_finding *finding)
{
	json_t *object = json_object();

	add_known(object, "kind", claw_finding_kind_name(finding->kind));
	add_also(object, finding->also);
	add_known(object, "space", claw_space_name(finding->space));
	add_known(object, "what", finding->what);
	add_known(object, "kernel", finding->kernel);
	add_known(object, "file", finding->file);
	add_count(object, "line", finding->line);
	add_count(object, "column", finding->column);
	add_known(object, "work_item", finding->work_item);
	add_count(object, "size_bytes", finding->size_bytes);
	add_known(object, "text", finding->text);
	add_count(object, "times", finding->times);
	return object;
}

json_t *claw_result_to_json(const struct claw_result *result)
{
	json_t *object = json_object(), *findings;

	claw_json_add_text(object, "verdict",
			   claw_verdict_name(result->verdict));
	claw_json_add_number(object, "duration_us", result->duration_us);
	add_count(object, "spent_ms", result->spent_ms);
	add_count(object, "line", result->line);
	claw_json_add_number(object, "attempt",
			     result->attempt ? result->attempt : 1);
	if (result->flaky)
		json_object_set_new(object, "flaky", json_true());
	for (size_t i = 0; i < RESULT_TEXTS; i++)
		claw_json_add_text(object, result_texts[i].name,
				   get_text(result, i));
	if (!result->findings || result->findings->count == 0)
		return object;
	findings = json_array();
	for (size_t i = 0; i < result->findings->count; i++)
		json_array_append_new(findings, finding_to_json(
			&result->findings->items[i]));
	json_object_set_new(object, "findings", findings);
	return object;
}

json_t *claw_json_read(const char *path, json_error_t *reterr)
{
	FILE *in = claw_outside_fopen(path);
	json_t *root;

	if (!in) {
		if (reterr)
			*reterr = (json_error_t) { .line = 1, .column = 1 };
		return NULL;
	}
	root = json_loadf(in, 0, reterr);
	fclose(in);
	return root;
}

const char *claw_json_text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

uint64_t claw_json_number(const json_t *object, const char *name)
{
	json_int_t value = json_integer_value(json_object_get(object, name));

	return value < 0 ? 0 : (uint64_t)value;
}

static unsigned int member_uint(const json_t *object, const char *name)
{
	uint64_t value = claw_json_number(object, name);

	return value > UINT_MAX ? UINT_MAX : (unsigned int)value;
}

/* A kind that only a later version knows stays a finding. */
static void finding_from_json(const json_t *object,
			      struct claw_finding *finding)
{
	static const char *const names[] = {
		"what", "kernel", "file", "work_item", "text",
	};
	char **texts[] = {
		&finding->what, &finding->kernel, &finding->file,
		&finding->work_item, &finding->text,
	};
	const char *kind = claw_json_text(object, "kind");
	const char *space = claw_json_text(object, "space");
	int found = kind ? claw_finding_kind_find(kind) : -1;
	size_t position;
	json_t *name;

	memset(finding, 0, sizeof(*finding));
	finding->kind = found < 0 ? CLAW_FINDING_KERNEL_OTHER :
			(enum claw_finding_kind)found;
	json_array_foreach(json_object_get(object, "also"), position,
			   name) {
		found = json_is_string(name) ?
			claw_finding_kind_find(json_string_value(name)) : -1;
		if (found >= 0)
			finding->also |= UINT32_C(1) << found;
	}
	found = space ? claw_space_find(space) : -1;
	finding->space = found < 0 ? CLAW_SPACE_UNKNOWN :
			 (enum claw_address_space)found;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		*texts[i] = (char *)(uintptr_t)claw_json_text(object, names[i]);
	finding->line = member_uint(object, "line");
	finding->column = member_uint(object, "column");
	finding->size_bytes = claw_json_number(object, "size_bytes");
	finding->times = member_uint(object, "times");
}

bool claw_result_from_json(const json_t *object, struct claw_result *ret_result,
			   struct claw_findings *ret_findings)
{
	const json_t *findings = json_object_get(object, "findings");
	const char *verdict = claw_json_text(object, "verdict");
	int found = verdict ? claw_verdict_find(verdict) : -1;
	struct claw_finding finding;

	if (found < 0)
		return false;
	memset(ret_result, 0, sizeof(*ret_result));
	memset(ret_findings, 0, sizeof(*ret_findings));
	ret_result->verdict = (enum claw_verdict)found;
	ret_result->duration_us = claw_json_number(object, "duration_us");
	ret_result->spent_ms = claw_json_number(object, "spent_ms");
	ret_result->line = member_uint(object, "line");
	ret_result->attempt = member_uint(object, "attempt");
	ret_result->flaky = json_is_true(json_object_get(object, "flaky"));
	for (size_t i = 0; i < RESULT_TEXTS; i++)
		set_text(ret_result, i,
			 claw_json_text(object, result_texts[i].name));
	for (size_t i = 0; i < json_array_size(findings); i++) {
		finding_from_json(json_array_get(findings, i), &finding);
		claw_findings_add(ret_findings, &finding);
	}
	if (ret_findings->count > 0)
		ret_result->findings = ret_findings;
	return true;
}

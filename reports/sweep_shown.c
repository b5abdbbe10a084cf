/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Count errors by function and code.
 */
#include "config.h"

#include "sweep_shown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "faults/shared/plan.h"

void claw_sweep_shown_call(struct claw_sweep_shown *shown, const char *names)
{
	while (*names) {
		size_t length = strcspn(names, " ");
		char name[128];
		int api;

		snprintf(name, sizeof(name), "%.*s", (int)length, names);
		api = claw_api_find(name);
		if (api >= 0)
			shown->called[api] = true;
		names += length;
		names += *names == ' ';
	}
}

/* What the last of the rules gives its function; false: no error. */
static bool parse_pair(const char *rules, struct claw_sweep_pair *ret_pair)
{
	struct claw_plan_error why;
	struct claw_rule rule;
	char name[128];
	int api;

	for (const char *next; (next = strstr(rules, "; ")) != NULL;)
		rules = next + 2;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(rules, ":"), rules);
	api = claw_api_find(name);
	if (api < 0 || claw_rule_parse(rules, true, &rule, &why) < 0)
		return false;
	*ret_pair = (struct claw_sweep_pair) {
		.api = (enum claw_api)api,
		.code = claw_rule_code(&rule, (enum claw_api)api),
	};
	return ret_pair->code != 0;
}

static int compare(const struct claw_sweep_pair *a,
		   const struct claw_sweep_pair *b)
{
	if (a->api != b->api)
		return strcmp(claw_api_table[a->api].name,
			      claw_api_table[b->api].name);
	return a->code == b->code ? 0 : a->code > b->code ? -1 : 1;
}

void claw_sweep_shown_add(struct claw_sweep_shown *shown, const char *rules,
			  enum claw_verdict verdict)
{
	struct claw_sweep_pair pair;
	size_t at = 0;

	if (claw_verdict_class(verdict) == 'u' || !parse_pair(rules, &pair))
		return;
	while (at < shown->count && compare(&shown->pairs[at], &pair) < 0)
		at++;
	if (at == shown->count || compare(&shown->pairs[at], &pair) != 0) {
		shown->pairs = claw_one_more(shown->pairs, shown->count,
					     sizeof(pair));
		memmove(shown->pairs + at + 1, shown->pairs + at,
			(shown->count - at) * sizeof(pair));
		shown->pairs[at] = pair;
		shown->count++;
	}
	shown->pairs[at].counts[verdict]++;
}

void claw_sweep_shown_release(struct claw_sweep_shown *shown)
{
	free(shown->pairs);
	*shown = (struct claw_sweep_shown) { .pairs = NULL };
}

bool claw_sweep_shown_has(const struct claw_sweep_shown *shown,
			  enum claw_api api, cl_int code)
{
	for (size_t i = 0; i < shown->count; i++)
		if (shown->pairs[i].api == api && shown->pairs[i].code == code)
			return true;
	return false;
}

size_t claw_sweep_shown_functions(const struct claw_sweep_shown *shown)
{
	size_t functions = 0;

	for (size_t i = 0; i < shown->count; i++)
		functions += i == 0 ||
			shown->pairs[i].api != shown->pairs[i - 1].api;
	return functions;
}

static size_t never_of(const struct claw_sweep_shown *shown, enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];
	size_t never = 0;

	for (size_t i = 0; shown->called[api] && i < info->code_count; i++)
		never += !claw_sweep_shown_has(shown, api, info->codes[i]);
	return never;
}

size_t claw_sweep_shown_never(const struct claw_sweep_shown *shown)
{
	size_t never = 0;

	for (int api = 0; api < CLAW_API_COUNT; api++)
		never += never_of(shown, (enum claw_api)api);
	return never;
}

void claw_sweep_pair_print(FILE *out, const struct claw_sweep_pair *pair)
{
	const char *comma = "";

	for (int v = 0; v < CLAW_VERDICT_COUNT; v++) {
		if (pair->counts[v] == 0)
			continue;
		fprintf(out, "%s%" PRIu64 " %s", comma, pair->counts[v],
			claw_verdict_name((enum claw_verdict)v));
		comma = ", ";
	}
}

static void print_code(FILE *out, cl_int code)
{
	const char *name = claw_code_name(code);

	if (name)
		fputs(name, out);
	else
		fprintf(out, "%" PRId32, code);
}

static void print_never(FILE *out, const struct claw_sweep_shown *shown,
			enum claw_api api)
{
	const struct claw_api_info *info = &claw_api_table[api];

	fprintf(out, "  %s, never:", info->name);
	for (size_t i = 0; i < info->code_count; i++) {
		if (claw_sweep_shown_has(shown, api, info->codes[i]))
			continue;
		fputc(' ', out);
		print_code(out, info->codes[i]);
	}
	fputc('\n', out);
}

void claw_sweep_shown_print(FILE *out, const struct claw_sweep_shown *shown,
			    bool all)
{
	size_t functions = claw_sweep_shown_functions(shown);
	size_t never = claw_sweep_shown_never(shown);

	fprintf(out, "injected: %zu error code%s of %zu function%s",
		shown->count, shown->count == 1 ? "" : "s", functions,
		functions == 1 ? "" : "s");
	if (never > 0)
		fprintf(out, "; not tried: %zu more that the specification "
			"allows (--kinds spec)%s",
			never, all ? "" : " (-v lists them)");
	fputc('\n', out);
	for (size_t i = 0; all && i < shown->count; i++) {
		fprintf(out, "  %s ", claw_api_table[shown->pairs[i].api].name);
		print_code(out, shown->pairs[i].code);
		fputs(": ", out);
		claw_sweep_pair_print(out, &shown->pairs[i]);
		fputc('\n', out);
	}
	for (int api = 0; all && api < CLAW_API_COUNT; api++)
		if (never_of(shown, (enum claw_api)api) > 0)
			print_never(out, shown, (enum claw_api)api);
}

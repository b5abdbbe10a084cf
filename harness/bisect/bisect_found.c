/* SPDX-License-Identifier: Apache-2.0 */
/* Names of findings: see bisect_found.h. */
#include "config.h"

#include "bisect_found.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text_list.h"
#include "reports/points.h"
#include "reports/sarif.h"

enum { FINGERPRINT = 16 };

bool claw_bisect_is_fingerprint(const char *text)
{
	size_t length = strspn(text, "0123456789abcdef");
	const char *rest = text + length;

	return length == FINGERPRINT && (!*rest || (*rest == ':' &&
		rest[1] && rest[1 + strspn(rest + 1, "0123456789")] == '\0'));
}

static bool is_bad(const struct claw_result *result)
{
	return claw_verdict_class(result->verdict) == 'f';
}

/* "suite/name [native]: FAILED: message" */
static char *result_line(const struct claw_result *result)
{
	char *key = claw_case_key_text(claw_result_key(result));
	char *line = claw_format("%s: %s%s%s", key,
				 claw_verdict_name(result->verdict),
				 result->message ? ": " : "",
				 result->message ? result->message : "");

	free(key);
	return line;
}

/* "invalid-write in k (kernels/blur.cl:12): words", as history's lines begin. */
static char *history_line(const struct claw_finding *finding)
{
	return claw_format("%s%s%s (%s:%u): %s",
		claw_finding_kind_name(finding->kind), *finding->kernel ?
		" in " : "", finding->kernel,
		claw_finding_end_of_path(finding->file), finding->line,
		finding->what);
}

/* What names it in another run. */
static char *finding_key(const struct claw_finding *finding)
{
	char *line = history_line(finding);
	char *key = claw_finding_without_numbers(line);

	free(line);
	return key;
}

/* ---- lines --------------------------------------------------------------- */

static void add_line(char ***lines, char *text, const char *fingerprint)
{
	char *line = claw_format("%s [%s]", text, fingerprint);

	if (claw_list_has(*lines, line))
		free(line);
	else
		claw_list_add(lines, line);
	free(text);
}

static void add_lines(char ***lines, const struct claw_result *result)
{
	char *fingerprint = claw_report_fingerprint(result);
	size_t count = result->findings ? result->findings->count : 0;

	for (size_t i = 0; i < count; i++)
		add_line(lines, claw_finding_sentence(
				&result->findings->items[i]), fingerprint);
	if (!count && claw_report_is_point(result))
		add_line(lines, claw_strdup(result->seen), fingerprint);
	else if (!count)
		add_line(lines, result_line(result), fingerprint);
	free(fingerprint);
}

char **claw_bisect_found_lines(const struct claw_past_run *run)
{
	char **lines = NULL;

	for (size_t i = 0; i < run->result_count; i++)
		if (is_bad(&run->results[i]))
			add_lines(&lines, &run->results[i]);
	return lines;
}

/* ---- the finding that is wanted ------------------------------------------ */

struct wanted {
	char *text;		/* without numbers, or NULL */
	const char *fingerprint;
	char *const *keys;
	char ***ret_keys;
	bool is_found;
};

/* text is freed. */
static bool contains(const struct wanted *wanted, char *text)
{
	char *plain = text ? claw_finding_without_numbers(text) : NULL;
	bool has = plain && wanted->text && strstr(plain, wanted->text);

	free(plain);
	free(text);
	return has;
}

/* key is taken over. */
static void note(struct wanted *wanted, bool matches, char *key)
{
	matches |= claw_list_has(wanted->keys, key);
	wanted->is_found |= matches;
	if (matches && wanted->ret_keys && !claw_list_has(*wanted->ret_keys, key))
		claw_list_add(wanted->ret_keys, key);
	else
		free(key);
}

static void look(struct wanted *wanted, const struct claw_result *result)
{
	char *key = claw_report_fingerprint(result);
	bool matches = wanted->fingerprint &&
		strncmp(key, wanted->fingerprint, FINGERPRINT) == 0;

	for (size_t i = 0; result->findings && i < result->findings->count; i++) {
		const struct claw_finding *one = &result->findings->items[i];

		note(wanted, contains(wanted, claw_finding_sentence(one)) ||
		     contains(wanted, history_line(one)), finding_key(one));
	}
	if (!result->findings || !result->findings->count)
		matches |= contains(wanted, result_line(result)) ||
			contains(wanted, claw_strdup_or_null(result->seen));
	matches |= contains(wanted, claw_strdup_or_null(result->code)) ||
		contains(wanted, claw_case_key_text(claw_result_key(result)));
	note(wanted, matches, key);
}

bool claw_bisect_found_has(const struct claw_past_run *run, const char *wanted,
			   char *const *keys, char ***ret_keys)
{
	struct wanted is = { .keys = keys, .ret_keys = ret_keys };

	if (claw_bisect_is_fingerprint(wanted))
		is.fingerprint = wanted;
	else
		is.text = claw_finding_without_numbers(wanted);
	for (size_t i = 0; i < run->result_count; i++)
		if (is_bad(&run->results[i]))
			look(&is, &run->results[i]);
	free(is.text);
	return is.is_found;
}

char *claw_bisect_found_hidden(const struct claw_past_run *run)
{
	for (size_t i = 0; i < run->result_count; i++) {
		const struct claw_result *result = &run->results[i];
		bool has_ended_early = (result->verdict == CLAW_CRASH ||
					result->verdict == CLAW_HANG) &&
			!claw_report_is_point(result);

		if (has_ended_early || claw_verdict_class(result->verdict) == 'u')
			return result_line(result);
	}
	return NULL;
}

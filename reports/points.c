/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Put points of a sweep together.
 */
#include "config.h"

#include "points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/api.h"
#include "harness/base/errors.h"
#include "harness/base/text.h"
#include "harness/base/memory.h"
#include "report.h"

enum { WORD_MAX = 128 };

/* The worst comes first; what is not here comes last. */
static const enum claw_verdict order[] = {
	CLAW_CRASH, CLAW_HANG, CLAW_MISUSE, CLAW_SANITIZER, CLAW_SWALLOWED,
	CLAW_LEAK, CLAW_FAILED,
	/* No findings: */
	CLAW_INFRA, CLAW_NOT_INJECTED, CLAW_INCONCLUSIVE,
	CLAW_NOT_REACHED, CLAW_XFAIL, CLAW_DEGRADED,
};
enum {
	ORDER_COUNT = sizeof(order) / sizeof(*order),
	LAST_FINDING = 6,
};

/* With --strict degraded is a finding. */
static bool is_strict(const struct claw_result *result)
{
	return result->verdict == CLAW_DEGRADED && result->seen;
}

static size_t rank(const struct claw_result *result)
{
	size_t i = 0;

	while (i < ORDER_COUNT && order[i] != result->verdict)
		i++;
	return is_strict(result) ? 2 * LAST_FINDING + 1 : 2 * i;
}

/* The function and the fault that came last; false: no point. */
static bool parse_name(const char *name, char function[WORD_MAX],
		       char fault[WORD_MAX])
{
	static const char then[] = ", then ";

	for (const char *next; (next = strstr(name, then)) != NULL;)
		name = next + strlen(then);
	return sscanf(name, "%127s %127s %*s at ", function, fault) == 2 &&
		strstr(name, " at ") && strrchr(name, '#') &&
		claw_api_find(function) >= 0;
}

bool claw_report_is_point(const struct claw_result *result)
{
	char function[WORD_MAX], fault[WORD_MAX];

	return claw_report_same(result->suite, "sweep") && result->name &&
		parse_name(result->name, function, fault);
}

/* ---- the same mistake ------------------------------------------------- */

bool claw_sweep_same_signature(const char *a, const char *b)
{
	size_t length = strlen(a) < strlen(b) ? strlen(a) : strlen(b);

	if (strncmp(a, b, length) != 0)
		return false;
	/* A crash whose stack was seen less far. */
	return a[length] == b[length] ||
		(claw_begins(a, "SIG") &&
		 claw_begins(a[length] ? a + length : b + length, " < "));
}

void claw_report_mistakes_add(struct claw_report_mistakes *mistakes,
			      const struct claw_result *result)
{
	struct claw_result copy;

	if (!result->seen || !claw_report_is_point(result))
		return;
	for (size_t i = 0; i < mistakes->count; i++) {
		struct claw_report_mistake *one = &mistakes->items[i];

		if (!claw_sweep_same_signature(one->shown.seen, result->seen))
			continue;
		one->points++;
		/* As the sweep shows it: see sweep.c. */
		if (result->verdict != CLAW_MISUSE ||
		    one->shown.verdict == CLAW_MISUSE)
			return;
		claw_result_copy(result, &copy);
		claw_result_release(&one->shown);
		one->shown = copy;
		return;
	}
	mistakes->items = claw_one_more(mistakes->items, mistakes->count,
					sizeof(*mistakes->items));
	claw_result_copy(result, &copy);
	mistakes->items[mistakes->count++] = (struct claw_report_mistake) {
		.shown = copy, .points = 1,
	};
}

static int compare_mistakes(const void *a, const void *b)
{
	const struct claw_report_mistake *x = a, *y = b;
	size_t i = rank(&x->shown), j = rank(&y->shown);

	return i != j ? (i < j ? -1 : 1) :
		strcmp(x->shown.seen, y->shown.seen);
}

void claw_report_mistakes_sort(struct claw_report_mistakes *mistakes)
{
	if (mistakes->count > 0)
		qsort(mistakes->items, mistakes->count,
		      sizeof(*mistakes->items), compare_mistakes);
}

void claw_report_mistakes_release(struct claw_report_mistakes *mistakes)
{
	for (size_t i = 0; i < mistakes->count; i++)
		claw_result_release(&mistakes->items[i].shown);
	free(mistakes->items);
	*mistakes = (struct claw_report_mistakes) { .items = NULL };
}

/* ---- the same fault --------------------------------------------------- */

/* Results that become one. */
struct fold {
	const struct claw_result **items;
	size_t count;
	char name[2 * WORD_MAX];	/* "clCreateBuffer oom" */
	const char *configuration;
};

static int compare_results(const void *a, const void *b)
{
	const struct claw_result *x = *(const struct claw_result *const *)a;
	const struct claw_result *y = *(const struct claw_result *const *)b;
	size_t i = rank(x), j = rank(y);

	return i != j ? (i < j ? -1 : 1) : strcmp(x->name, y->name);
}

static bool is_bad(const struct claw_result *result)
{
	char class = claw_verdict_class(result->verdict);

	return class == 'f' || class == 'u' || is_strict(result);
}

/* "CRASH  NAME: MESSAGE", and how to see it again. */
static void print_point(FILE *out, const struct claw_result *result)
{
	fprintf(out, "%-12s ", claw_verdict_name(result->verdict));
	claw_report_put(out, result->name);
	if (result->message) {
		fputs(": ", out);
		claw_report_put(out, result->message);
	}
	fputc('\n', out);
	if (!is_bad(result) || !result->reproduce)
		return;
	fputs("    reproduce: ", out);
	claw_report_put(out, result->reproduce);
	fputc('\n', out);
}

static char *fold_detail(const struct fold *fold)
{
	const struct claw_result *worst = fold->items[0];
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	for (size_t i = 0; i < fold->count; i++)
		print_point(out, fold->items[i]);
	if (is_bad(worst) && worst->detail)
		fprintf(out, "\n%s\n%s", worst->name, worst->detail);
	claw_text_end(out);
	return text;
}

static char *fold_message(const struct fold *fold)
{
	const struct claw_result *worst = fold->items[0];
	size_t bad = 0;
	char *text = NULL;

	for (size_t i = 0; i < fold->count; i++)
		bad += is_bad(fold->items[i]);
	if (bad > 0)
		text = claw_format("%s: %s: %s (%zu of %zu points)",
				   worst->name,
				   claw_verdict_name(worst->verdict),
				   worst->message ? worst->message : "", bad,
				   fold->count);
	else if (worst->verdict == CLAW_XFAIL)
		text = claw_format("%s: %s", worst->name,
				   worst->message ? worst->message : "");
	else
		text = claw_format("%zu points", fold->count);
	return text;
}

/* The one result for all of them. */
static void make_result(struct fold *fold, struct claw_result *ret_result)
{
	const struct claw_result *worst;
	struct claw_result result;
	char *message, *detail;

	if (fold->count > 0)
		qsort(fold->items, fold->count, sizeof(*fold->items),
		      compare_results);
	worst = fold->items[0];
	message = fold_message(fold);
	detail = fold_detail(fold);
	result = (struct claw_result) {
		.suite = worst->suite, .name = fold->name,
		.configuration = fold->configuration,
		.verdict = is_strict(worst) ? CLAW_FAILED : worst->verdict,
		.message = message, .detail = detail, .attempt = 1,
		.file = is_bad(worst) ? worst->file : NULL,
		.line = is_bad(worst) ? worst->line : 0,
	};
	for (size_t i = 0; i < fold->count; i++)
		result.duration_us += fold->items[i]->duration_us;
	claw_result_copy(&result, ret_result);
	free(message);
	free(detail);
}

void claw_report_point_name(const struct claw_result *result, char *name,
			    size_t size)
{
	char function[WORD_MAX] = "", fault[WORD_MAX] = "";

	parse_name(result->name, function, fault);
	snprintf(name, size, "%s %s", function, fault);
}

/* All points that are of the same function and fault as the first. */
static void gather_fold(const struct claw_result *results, size_t count,
			size_t first, bool *taken, struct fold *fold)
{
	char name[sizeof(fold->name)];

	fold->count = 0;
	fold->configuration = results[first].configuration;
	claw_report_point_name(&results[first], fold->name, sizeof(fold->name));
	for (size_t i = first; i < count; i++) {
		if (taken[i] || !claw_report_same(fold->configuration,
						  results[i].configuration))
			continue;
		claw_report_point_name(&results[i], name, sizeof(name));
		if (strcmp(name, fold->name) != 0)
			continue;
		taken[i] = true;
		fold->items[fold->count++] = &results[i];
	}
}

static void fold_all(const struct claw_result *results, size_t count,
		     bool *taken, struct claw_result *folded,
		     size_t *ret_folded)
{
	struct fold fold = {
		.items = claw_calloc(count + 1, sizeof(*fold.items)),
	};

	for (size_t i = 0; i < count; i++) {
		if (taken[i])
			continue;
		gather_fold(results, count, i, taken, &fold);
		make_result(&fold, &folded[(*ret_folded)++]);
	}
	free(fold.items);
}

void claw_report_fold_points(struct claw_result *results, size_t *count,
			     size_t *ret_first)
{
	struct claw_result *folded = claw_calloc(*count + 1, sizeof(*folded));
	bool *taken = claw_calloc(*count + 1, sizeof(*taken));
	size_t folded_count = 0, kept = 0;

	*ret_first = *count;
	for (size_t i = 0; i < *count; i++)
		taken[i] = !claw_report_is_point(&results[i]);
	fold_all(results, *count, taken, folded, &folded_count);
	for (size_t i = 0; i < *count; i++) {
		if (claw_report_is_point(&results[i]))
			claw_result_release(&results[i]);
		else
			results[kept++] = results[i];
	}
	*ret_first = kept;
	*count = kept + folded_count;
	if (folded_count > 0)
		memcpy(results + kept, folded,
		       folded_count * sizeof(*folded));
	free(folded);
	free(taken);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signatures: a crash by its top frames, a leak by what made the objects, a
 * hang by what it is blocked in, the rest by the call that failed.
 */
#include "config.h"

#include "sweep_signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/judge/verdict.h"

/* Take off what the compiler adds where it makes several functions of one:
 * "load.part.0", "load(int) [clone .cold]". */
static char *cut_clone(char *function)
{
	char *end = strstr(function, " [clone");

	if (!end && !strchr(function, '('))
		end = strchr(function, '.');
	if (end && end > function)
		*end = '\0';
	return function;
}

/* The function that calls: of "main (tile.c:88)", or "tile.py:88 (main)". */
static char *calling_function(const struct claw_sweep_site *site)
{
	const char *open = strrchr(site->place, '(');

	if (site->is_python && open)
		return claw_strndup(open + 1, strcspn(open + 1, ")"));
	if (open && open > site->place + 1)
		return cut_clone(claw_strndup(
			site->place, (size_t)(open - site->place) - 1));
	return claw_strdup(site->place);
}

/* "clFinish in _cl.so": of a library without names, where one place is as
 * good as another. NULL: it is not one. */
static char *library_label(const struct claw_sweep_site *site)
{
	static const char unnamed[] = "?? (";
	const char *module;

	if (!claw_begins(site->place, unnamed))
		return NULL;
	module = site->place + strlen(unnamed);
	return strstr(module, ".so") ?
		claw_format("%s in %.*s", claw_api_table[site->api].name,
			    (int)strcspn(module, "+"), module) : NULL;
}

/* "clCreateBuffer at load_tile", for the second such place of that function
 * "clCreateBuffer at load_tile #2"; malloced. */
static char *site_label(const struct claw_sweep_points *points, size_t index)
{
	const struct claw_sweep_site *site = &points->sites[index];
	char *text = library_label(site), *function;
	unsigned int number = 1;

	if (text)
		return text;
	function = calling_function(site);
	for (size_t i = 0; i < index; i++) {
		const struct claw_sweep_site *other = &points->sites[i];
		char *another;
		bool again = false;

		if (other->api != site->api)
			continue;
		if (strcmp(other->place, site->place) == 0)
			break;
		another = calling_function(other);
		for (size_t j = 0; j < i; j++)
			again = again ||
				(points->sites[j].api == site->api &&
				 strcmp(points->sites[j].place,
					other->place) == 0);
		number += !again && strcmp(another, function) == 0;
		free(another);
	}
	text = number > 1 ?
		claw_format("%s at %s #%u", claw_api_table[site->api].name,
			    function, number) :
		claw_format("%s at %s", claw_api_table[site->api].name,
			    function);
	free(function);
	return text;
}

/* "clFinish at main" of "clFinish at main (tile.c:88)". */
static void cut_line(char *text)
{
	char *open = strrchr(text, '(');

	if (open && open > text && open[-1] == ' ' && strchr(open, ':'))
		open[-1] = '\0';
}

static char *join(const char *before, char *after)
{
	char *text = claw_format("%s%s", before, after);

	free(after);
	return text;
}

static char *of_hang(const struct claw_sweep_points *points, size_t point,
		     const struct claw_judged_run *run,
		     const struct claw_judgement *judgement)
{
	char *blocked = claw_evidence_blocked(&run->evidence), *label, *text;
	const char *kind = judgement->output.signature;

	if (blocked) {
		cut_line(blocked);
		return join("hang ", blocked);
	}
	label = site_label(points, points->items[point].site);
	text = claw_format("%s after %s", kind ? kind : "hang", label);
	free(label);
	return text;
}

/* Without what called the program back: which thread of the driver's that is,
 * and how it came there, is another thing each time. */
static void cut_caller(char *text)
{
	char *next = strstr(text, " < ");

	for (; next; next = strstr(next + 1, " < ")) {
		const char *end = strstr(next + 3, " < ");
		const char *module = strstr(next, ".so");

		if (module && (!end || module < end)) {
			*next = '\0';
			break;
		}
	}
}

/* Where no function is known (a kernel's code is in no file), a crash is named
 * by the call whose failure led there. */
static char *of_crash(const struct claw_sweep_points *points, size_t point,
		      const char *signature)
{
	static const char unknown[] = " " CLAW_VERDICT_UNKNOWN;
	char *text = claw_strdup(signature ? signature : "crash"), *all;
	size_t length = strlen(text), end = strlen(unknown);

	cut_caller(text);
	if (length <= end || strcmp(text + length - end, unknown) != 0)
		return text;
	all = join(text, join(" after ", site_label(points,
					points->items[point].site)));
	free(text);
	return all;
}

/* ---- leaks ------------------------------------------------------------ */

static uint64_t count_of(const struct claw_leak_scan *scan, const char *name)
{
	uint64_t count = 0;

	for (size_t i = 0; i < scan->leaks.count; i++) {
		char *other = claw_leak_name(&scan->leaks.items[i]);

		if (strcmp(other, name) == 0)
			count += scan->leaks.items[i].count;
		free(other);
	}
	return count;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of what is alive beyond the baseline, sorted; a line each in detail. */
static size_t gather(const struct claw_leak_scan *scan,
		     const struct claw_leak_scan *baseline, char **names,
		     FILE *detail)
{
	size_t count = 0;

	for (size_t i = 0; i < scan->leaks.count; i++) {
		const struct claw_leak *leak = &scan->leaks.items[i];
		char *name = claw_leak_name(leak), *line;

		if (count_of(scan, name) <= count_of(baseline, name)) {
			free(name);
			continue;
		}
		line = claw_leak_text(leak);
		fprintf(detail, "alive at exit: %s\n%s", line, leak->stack);
		free(line);
		names[count++] = name;
	}
	if (count > 0)
		qsort(names, count, sizeof(*names), compare_texts);
	return count;
}

/* Put text behind the judgement's detail. */
static void add_detail(struct claw_judgement *judgement, const char *text)
{
	const char *old = judgement->output.detail;
	char *both = claw_format("%s%s", old ? old : "", text);

	free(judgement->output.detail);
	judgement->output.detail = both;
}

static char *of_leak(const struct claw_judged_run *run,
		     const struct claw_leak_scan *baseline,
		     struct claw_judgement *judgement)
{
	struct claw_leak_scan scan = { .gap = NULL };
	char *text = NULL, *detail = NULL, **names;
	size_t size, count;
	FILE *out;

	if (claw_leak_scan(run->session, &scan) < 0)
		return claw_strdup("leak");
	names = claw_calloc(scan.leaks.count, sizeof(*names));
	out = claw_text_begin(&detail, &size);
	count = gather(&scan, baseline, names, out);
	claw_text_end(out);
	if (*detail)
		add_detail(judgement, detail);
	out = claw_text_begin(&text, &size);
	fputs("leak", out);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || strcmp(names[i], names[i - 1]) != 0)
			fprintf(out, "%s %s", i ? ";" : "", names[i]);
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
	claw_text_end(out);
	free(detail);
	claw_leak_scan_release(&scan);
	return text;
}

char *claw_sweep_signature(const struct claw_sweep_points *points, size_t point,
			   const struct claw_judged_run *run,
			   const struct claw_leak_scan *baseline,
			   struct claw_judgement *judgement)
{
	switch (judgement->output.verdict) {
	case CLAW_CRASH:
		return of_crash(points, point, judgement->output.signature);
	case CLAW_HANG:
		return of_hang(points, point, run, judgement);
	case CLAW_LEAK:
		return of_leak(run, baseline, judgement);
	case CLAW_SANITIZER:
		return claw_strdup(judgement->output.signature ?
			      judgement->output.signature : "guards");
	default:
		return join(judgement->output.verdict == CLAW_DEGRADED ?
			    "degraded after " : "unheeded ",
			    site_label(points,
						  points->items[point].site));
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A table of leaks by site, over the runs of a program. */
#include "config.h"

#include "soak_leaks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

static void release(struct claw_soak_leak *leak)
{
	free(leak->site);
	free(leak->place);
	free(leak->text);
}

static struct claw_soak_leak *find(struct claw_soak_leaks *leaks,
				   const char *site)
{
	for (size_t i = 0; i < leaks->count; i++)
		if (strcmp(leaks->items[i].site, site) == 0)
			return &leaks->items[i];
	return NULL;
}

static void add_item(struct claw_soak_leaks *leaks, const char *site,
		     const char *place, const char *text)
{
	leaks->items = claw_grow(leaks->items, leaks->count + 1,
				 sizeof(*leaks->items));
	leaks->items[leaks->count++] = (struct claw_soak_leak) {
		.site = claw_strdup(site),
		.place = claw_strdup_or_null(place),
		.text = claw_strdup(text),
	};
}

/* The site's, made where there is room; NULL: there is none. */
static struct claw_soak_leak *get(struct claw_soak_leaks *leaks,
				  const char *site, const char *place,
				  const char *text)
{
	struct claw_soak_leak *leak = find(leaks, site);

	if (leak || leaks->count == CLAW_SOAK_LEAKS)
		return leak;
	add_item(leaks, site, place, text);
	return &leaks->items[leaks->count - 1];
}

static void end_run(struct claw_soak_leaks *leaks)
{
	for (size_t i = 0; i < leaks->count; i++) {
		struct claw_soak_leak *leak = &leaks->items[i];

		if (!leak->now)
			continue;
		leak->runs++;
		if (!leak->least || leak->now < leak->least)
			leak->least = leak->now;
		if (leak->now > leak->most)
			leak->most = leak->now;
		leak->now = 0;
	}
}

void claw_soak_leaks_add(struct claw_soak_leaks *leaks,
			 const struct claw_soak_left *left)
{
	leaks->judged++;
	/* More than one process may have a site. */
	for (size_t i = 0; left && i < left->leak_count; i++) {
		const struct claw_soak_forgotten *one = &left->leaks[i];
		struct claw_soak_leak *leak = get(leaks, one->site, one->place,
						  one->text);

		if (leak)
			leak->now += one->objects;
		else
			leaks->others++;
	}
	end_run(leaks);
}

void claw_soak_leaks_doubt(struct claw_soak_leaks *leaks, const char *why)
{
	leaks->unknown++;
	if (!leaks->why)
		leaks->why = claw_strdup(why);
}

void claw_soak_leaks_recall(struct claw_soak_leaks *leaks, const char *site,
			    const char *text, uint64_t runs)
{
	struct claw_soak_leak *leak = get(leaks, site, NULL, text);

	if (!leak)
		return;
	leak->runs += runs;
	leak->told += runs;
	leak->recalled = true;
}

static void put_each(FILE *out, const struct claw_soak_leak *leak)
{
	if (leak->recalled)
		return;
	fprintf(out, ", %" PRIu64, leak->least);
	if (leak->most > leak->least)
		fprintf(out, " to %" PRIu64, leak->most);
	fputs(" in each", out);
}

char *claw_soak_leak_text(const struct claw_soak_leak *leak, uint64_t runs)
{
	char *text = NULL;
	size_t size;
	FILE *out = claw_text_begin(&text, &size);

	fprintf(out, "%s: at the end of %" PRIu64 " of %" PRIu64 " run%s",
		leak->text, leak->runs, runs, runs == 1 ? "" : "s");
	put_each(out, leak);
	claw_text_end(out);
	return text;
}

void claw_soak_leaks_release(struct claw_soak_leaks *leaks)
{
	for (size_t i = 0; i < leaks->count; i++)
		release(&leaks->items[i]);
	free(leaks->items);
	free(leaks->why);
	*leaks = (struct claw_soak_leaks){ .items = NULL };
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A table of leaks by site, over the runs of a program. */
#include "config.h"

#include "soak_leaks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/errors.h"
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

static int add_item(struct claw_soak_leaks *leaks, const char *site,
		    const char *place, const char *text)
{
	struct claw_soak_leak leak = {
		.site = claw_strdup(site),
		.place = place ? claw_strdup(place) : NULL,
		.text = claw_strdup(text),
	}, *larger;

	larger = claw_grow(leaks->items, leaks->count + 1, sizeof(*larger));
	leaks->items = larger;
	if (!leak.site || !leak.text || (place && !leak.place)) {
		release(&leak);
		return -CLAW_E_NO_MEMORY;
	}
	larger[leaks->count++] = leak;
	return 0;
}

/* The site's, made where there is room; *ret_leak NULL: there is none. */
static int get(struct claw_soak_leaks *leaks, const char *site,
	       const char *place, const char *text,
	       struct claw_soak_leak **ret_leak)
{
	int ret;

	*ret_leak = find(leaks, site);
	if (*ret_leak || leaks->count == CLAW_SOAK_LEAKS)
		return 0;
	ret = add_item(leaks, site, place, text);
	if (ret == 0)
		*ret_leak = &leaks->items[leaks->count - 1];
	return ret;
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

int claw_soak_leaks_add(struct claw_soak_leaks *leaks,
			const struct claw_soak_left *left)
{
	int ret = 0;

	leaks->judged++;
	/* More than one process may have a site. */
	for (size_t i = 0; ret == 0 && left && i < left->leak_count; i++) {
		const struct claw_soak_forgotten *one = &left->leaks[i];
		struct claw_soak_leak *leak;

		ret = get(leaks, one->site, one->place, one->text, &leak);
		if (leak)
			leak->now += one->objects;
		else
			leaks->others++;
	}
	end_run(leaks);
	return ret;
}

void claw_soak_leaks_doubt(struct claw_soak_leaks *leaks, const char *why)
{
	leaks->unknown++;
	if (!leaks->why)
		leaks->why = claw_strdup(why);
}

int claw_soak_leaks_recall(struct claw_soak_leaks *leaks, const char *site,
			   const char *text, uint64_t runs)
{
	struct claw_soak_leak *leak;
	int ret = get(leaks, site, NULL, text, &leak);

	if (!leak)
		return ret;
	leak->runs += runs;
	leak->told += runs;
	leak->recalled = true;
	return 0;
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

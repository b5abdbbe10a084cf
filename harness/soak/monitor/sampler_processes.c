/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes of a run of the program: their files of meters, what is new in
 * them, and which of them live. Of many that have ended the files are removed.
 */
#include "config.h"

#include "sampler_private.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/readers/journal_reader.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/session/session.h"
#include "harness/base/text.h"

enum { ENDED_MAX = 64 };

/* ---- one process ------------------------------------------------------ */

static bool lives(uint32_t pid)
{
	char path[32], line[512], *state;
	FILE *in;
	size_t size;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", pid);
	in = claw_outside_fopen(path);
	if (!in)
		return false;
	size = fread(line, 1, sizeof(line) - 1, in);
	fclose(in);
	line[size] = '\0';
	/* "PID (NAME) STATE ...", where the name may be anything */
	state = strrchr(line, ')');
	return state && state[1] == ' ' && state[2] != 'Z' && state[2] != 'X';
}

/* Its program has been replaced by another one (exec). */
static bool is_replaced(const struct claw_sampler *sampler,
			const struct claw_metered *process)
{
	for (size_t i = 0; i < sampler->process_count; i++)
		if (sampler->processes[i].pid == process->pid &&
		    sampler->processes[i].image > process->image)
			return true;
	return false;
}

static void find_clock(struct claw_sampler *sampler,
		       const struct claw_metered *process)
{
	struct claw_journal *journal = NULL;
	const uint64_t ticks = UINT64_C(1000000000);
	char *path;

	if (sampler->ns_per_tick > 0)
		return;
	if (process->last->clock_is_ns) {
		sampler->ns_per_tick = 1;
		return;
	}
	path = claw_session_sibling(process->path, "journal");
	if (path && claw_journal_read(path, &journal) == 0) {
		sampler->ns_per_tick =
			(double)claw_journal_get_span_ns(journal, ticks) /
			(double)ticks;
		claw_journal_free(journal);
	}
	free(path);
}

static uint64_t more(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static void add_codes(uint64_t *totals, const uint64_t *now,
		      const uint64_t *before)
{
	for (size_t i = 0; i < CLAW_METER_CODES; i++)
		totals[i] += more(now[i], before ? before[i] : 0);
}

/* What is new since the last look. */
static void add_news(struct claw_sampler *sampler,
		     const struct claw_meter_file *now,
		     const struct claw_meter_file *before)
{
	struct claw_sampler_totals *totals = &sampler->totals;
	struct claw_meter news;

	totals->calls += more(now->calls, before ? before->calls : 0);
	totals->failed += more(now->failed, before ? before->failed : 0);
	totals->injected += more(now->injected, before ? before->injected : 0);
	totals->iterations += more(now->iterations,
				   before ? before->iterations : 0);
	totals->wrong_results += more(now->wrong_results,
				      before ? before->wrong_results : 0);
	add_codes(totals->errors, now->errors, before ? before->errors : NULL);
	add_codes(totals->injections, now->injections,
		  before ? before->injections : NULL);
	for (int i = 0; i < CLAW_METER_KIND_COUNT; i++) {
		claw_meter_subtract(&now->meters[i],
				    before ? &before->meters[i] : NULL, &news);
		claw_meter_add(&sampler->interval[i], &news);
		if (i == CLAW_METER_LAUNCH_CALL)
			totals->launches += news.count;
	}
	if (now->peak_bytes > sampler->peak_bytes)
		sampler->peak_bytes = now->peak_bytes;
}

static void read_process(struct claw_sampler *sampler,
			 struct claw_metered *process)
{
	struct claw_meter_file *now = NULL;

	if (claw_meters_read(process->path, &now) < 0)
		return;
	add_news(sampler, now, process->last);
	free(process->last);
	process->last = now;
	/* A program that never called anything was not reached. */
	if (now->calls)
		sampler->has_meters = sampler->ever_metered = true;
	find_clock(sampler, process);
}

static void release_process(struct claw_sampler *sampler,
			    struct claw_metered *process)
{
	if (process->sites)
		claw_site_names_forget(sampler->names, process->sites);
	free(process->sites);
	free(process->last);
	free(process->path);
}

/* ---- all of them ------------------------------------------------------- */

static struct claw_metered *find_process(struct claw_sampler *sampler,
					 uint32_t pid, uint32_t image)
{
	for (size_t i = 0; i < sampler->process_count; i++)
		if (sampler->processes[i].pid == pid &&
		    sampler->processes[i].image == image)
			return &sampler->processes[i];
	return NULL;
}

static void add_process(struct claw_sampler *sampler, const char *name)
{
	struct claw_metered process = { .is_alive = true };
	uint32_t image = 0;

	if (sscanf(name, "meters.%" SCNu32 ".%" SCNu32, &process.pid,
		   &image) != 2 || find_process(sampler, process.pid, image))
		return;
	process.image = image;
	process.path = claw_path_in(sampler->directory, name);
	process.sites = claw_calloc(1, sizeof(*process.sites));
	sampler->processes = claw_grow(sampler->processes,
				       sampler->process_count + 1,
				       sizeof(*sampler->processes));
	sampler->processes[sampler->process_count++] = process;
}

static void find_processes(struct claw_sampler *sampler)
{
	DIR *directory = opendir(sampler->directory);
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		if (claw_begins(entry->d_name, "meters."))
			add_process(sampler, entry->d_name);
	if (directory)
		closedir(directory);
}

static void remove_files(const struct claw_metered *process)
{
	static const char *const kinds[] = {
		"meters", "journal", "ledger", "trace", "contents", "found",
		"process",
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		char *path = claw_session_sibling(process->path, kinds[i]);

		if (path)
			unlink(path);
		free(path);
	}
}

static uint64_t count_live(const struct claw_metered *process)
{
	const size_t kinds = sizeof(process->last->live) /
		sizeof(*process->last->live);
	uint64_t count = 0;

	for (size_t i = 0; process->last && i < kinds; i++)
		count += process->last->live[i];
	return count;
}

/* A program that starts thousands of processes leaves the last of them. */
static void remove_ended(struct claw_sampler *sampler)
{
	size_t ended = 0, kept = 0;

	for (size_t i = 0; i < sampler->process_count; i++)
		ended += !sampler->processes[i].is_alive;
	if (ended <= 2 * ENDED_MAX)
		return;
	for (size_t i = 0; i < sampler->process_count; i++) {
		struct claw_metered *process = &sampler->processes[i];

		if (process->is_alive || ended <= ENDED_MAX) {
			sampler->processes[kept++] = *process;
			continue;
		}
		sampler->has_lost = sampler->has_lost || count_live(process);
		remove_files(process);
		release_process(sampler, process);
		ended--;
	}
	sampler->process_count = kept;
}

void claw_sampler_read(struct claw_sampler *sampler)
{
	if (!sampler->directory)
		return;
	find_processes(sampler);
	for (size_t i = 0; i < sampler->process_count; i++) {
		struct claw_metered *process = &sampler->processes[i];

		if (!process->is_alive)
			continue;
		/* Before it is read: what it wrote last is seen. */
		process->is_alive = !is_replaced(sampler, process) &&
			lives(process->pid);
		read_process(sampler, process);
	}
	remove_ended(sampler);
}

/* Processes that keep a journal: each has meters, unless there was no room. */
static size_t count_journals(const struct claw_sampler *sampler)
{
	DIR *directory = opendir(sampler->directory);
	struct dirent *entry;
	size_t count = 0;

	while (directory && (entry = readdir(directory)))
		count += claw_begins(entry->d_name, "journal.");
	if (directory)
		closedir(directory);
	return directory ? count : SIZE_MAX;
}

uint64_t claw_sampler_count_alive(const struct claw_sampler *sampler)
{
	uint64_t count = 0;

	if (!sampler->directory ||
	    count_journals(sampler) != sampler->process_count)
		return UINT64_MAX;
	for (size_t i = 0; i < sampler->process_count; i++) {
		if (!sampler->processes[i].last)
			return UINT64_MAX;
		count += count_live(&sampler->processes[i]);
	}
	return count;
}

void claw_sampler_forget(struct claw_sampler *sampler)
{
	for (size_t i = 0; i < sampler->process_count; i++)
		release_process(sampler, &sampler->processes[i]);
	free(sampler->processes);
	sampler->processes = NULL;
	sampler->process_count = 0;
	sampler->directory = NULL;
}

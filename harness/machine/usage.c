/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Add up what a process and its descendants take. A process that ends while
 * it is looked at is left out; one that may not be looked at makes the sum a
 * NAN: a sum without it would be too small.
 */
#include "config.h"

#include "usage.h"

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/files/small_file.h"
#include "harness/process/waits.h"

enum { STATUS_BYTES = 8192 };

struct process {
	int pid, parent, session;
	char state;
	double threads, ticks;
};

struct processes {
	struct process *items;
	size_t count, room;
};

/* Fields of /proc/PID/stat as proc(5) counts them, from the third on. */
static bool read_stat(const char *root, int pid, struct process *ret)
{
	unsigned long user, system;
	long user_waited, system_waited, threads;
	char text[1024];
	char *after;

	if (!claw_small_file_read(text, sizeof(text), "%s/proc/%d/stat", root,
				  pid))
		return false;
	/* The name may hold anything, also ')': the last one ends it. */
	after = strrchr(text, ')');
	if (!after || sscanf(after + 1, " %c %d %*d %d %*d %*d %*u %*u %*u "
			     "%*u %*u %lu %lu %ld %ld %*d %*d %ld",
			     &ret->state, &ret->parent, &ret->session, &user,
			     &system, &user_waited, &system_waited,
			     &threads) != 8)
		return false;
	ret->pid = pid;
	ret->threads = (double)threads;
	ret->ticks = (double)user + (double)system + (double)user_waited +
		     (double)system_waited;
	return true;
}

static void add_process(struct processes *all, const struct process *process)
{
	if (all->count == all->room) {
		size_t room = all->room ? 2 * all->room : 64;
		void *items = claw_grow(all->items, room, sizeof(*all->items));

		all->items = items;
		all->room = room;
	}
	all->items[all->count++] = *process;
}

static void list_processes(const char *root, struct processes *all)
{
	char path[4096];
	DIR *proc;

	snprintf(path, sizeof(path), "%s/proc", root);
	proc = opendir(path);
	for (struct dirent *entry; proc && (entry = readdir(proc));) {
		struct process process;
		char *end;
		long number = strtol(entry->d_name, &end, 10);

		if (!*end && number > 0 &&
		    read_stat(root, (int)number, &process))
			add_process(all, &process);
	}
	if (proc)
		closedir(proc);
}

/* Of the members, which are the first ones. */
static bool has_member(const struct processes *all, size_t members, int pid)
{
	for (size_t i = 0; i < members; i++)
		if (all->items[i].pid == pid)
			return true;
	return false;
}

/* Move what belongs to the leader to the begin: it, what descends from it,
 * and, where it leads a session, what lost its parent. Returns how many. */
static size_t gather_members(struct processes *all, int leader)
{
	size_t members = 0, before;

	do {
		before = members;
		for (size_t i = members; i < all->count; i++) {
			struct process process = all->items[i];

			if (process.pid != leader &&
			    process.session != leader &&
			    !has_member(all, members, process.parent))
				continue;
			all->items[i] = all->items[members];
			all->items[members++] = process;
		}
	} while (members > before);
	return members;
}

static double count_files(const char *root, int pid)
{
	char path[4096];
	double count = 0;
	DIR *files;

	snprintf(path, sizeof(path), "%s/proc/%d/fd", root, pid);
	files = opendir(path);
	if (!files)
		return NAN;
	for (struct dirent *entry; (entry = readdir(files));)
		count += entry->d_name[0] != '.';
	closedir(files);
	return count;
}

/* Anonymous memory that was swapped out is still the program's. */
static void read_memory(const char *root, int pid, struct claw_usage *usage)
{
	char text[STATUS_BYTES];
	bool is_exact = claw_small_file_read(text, sizeof(text),
		"%s/proc/%d/smaps_rollup", root, pid) && *text;

	usage->pss = is_exact ? 1024 * claw_small_file_field(text, "Pss") : NAN;
	if (is_exact) {
		usage->rss = 1024 * claw_small_file_field(text, "Rss");
		usage->heap = 1024 *
			(claw_small_file_field(text, "Anonymous") +
			 claw_small_file_field(text, "Swap"));
		return;
	}
	claw_small_file_read(text, sizeof(text), "%s/proc/%d/status", root,
			     pid);
	usage->rss = 1024 * claw_small_file_field(text, "VmRSS");
	usage->heap = 1024 * (claw_small_file_field(text, "RssAnon") +
			      claw_small_file_field(text, "VmSwap"));
}

static bool is_alive(const struct process *process)
{
	return process->state != 'Z' && process->state != 'X';
}

static void add_usage(const char *root, const struct process *process,
		      struct claw_usage *sum)
{
	long ticks_per_s = sysconf(_SC_CLK_TCK);
	struct process again;
	struct claw_usage one;

	read_memory(root, process->pid, &one);
	one.files = count_files(root, process->pid);
	one.wait_ms = claw_waits_read_at(root, process->pid).sum_ms;
	/* Did it end meanwhile? Then nothing of that is its. */
	if (!read_stat(root, process->pid, &again) || !is_alive(&again))
		return;
	sum->rss += one.rss;
	sum->pss += one.pss;
	sum->heap += one.heap;
	sum->files += one.files;
	sum->wait_ms += one.wait_ms;
	sum->threads += again.threads;
	sum->cpu_ms += again.ticks * 1000 / (double)ticks_per_s;
	sum->processes++;
}

void claw_usage_read_at(const char *root, int pid, struct claw_usage *ret_usage)
{
	struct processes all = { .items = NULL };
	struct claw_usage sum = { .rss = 0 };
	size_t members;

	list_processes(root, &all);
	members = gather_members(&all, pid);
	for (size_t i = 0; i < members; i++)
		if (is_alive(&all.items[i]))
			add_usage(root, &all.items[i], &sum);
	if (!sum.processes)
		sum = (struct claw_usage){
			.rss = NAN, .pss = NAN, .heap = NAN,
			.threads = NAN, .files = NAN, .cpu_ms = NAN,
			.wait_ms = NAN,
		};
	*ret_usage = sum;
	free(all.items);
}

void claw_usage_read(int pid, struct claw_usage *ret_usage)
{
	claw_usage_read_at("", pid, ret_usage);
}

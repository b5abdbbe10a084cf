/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Find the descendants of a run through /proc. A process belongs to the run
 * when it is in the leader's session, when its environment holds the run's
 * OPENCLAW_CASE, or when it was reparented to us and no other run can have
 * started it. A program that double-forks leaves the first, one that clears
 * its environment the second, hence all three.
 */
#include "config.h"

#include "proctree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/files/outside_file.h"

enum { ENVIRON_MAX = 1 << 20 };

struct process {
	pid_t pid, parent, session;
	char state;
};

static bool read_process(pid_t pid, struct process *ret)
{
	char path[64], text[512];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);

	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return false;

	ssize_t size = read(fd, text, sizeof(text) - 1);

	close(fd);
	if (size <= 0)
		return false;
	text[size] = '\0';

	/* The name may hold anything, also ')': the last one ends it. */
	char *after = strrchr(text, ')');
	int parent, group, session;

	if (!after || sscanf(after + 1, " %c %d %d %d", &ret->state, &parent,
			     &group, &session) != 4)
		return false;
	ret->pid = pid;
	ret->parent = parent;
	ret->session = session;
	return true;
}

/* Does the block of NUL-ended strings hold OPENCLAW_CASE=id or id/...? */
static bool environ_has_case(const char *block, size_t size, const char *id)
{
	static const char name[] = "OPENCLAW_CASE=";
	size_t id_length = strlen(id);

	for (size_t at = 0; at < size;) {
		const char *entry = block + at;
		size_t length = strnlen(entry, size - at);

		if (length >= sizeof(name) - 1 + id_length &&
		    memcmp(entry, name, sizeof(name) - 1) == 0 &&
		    memcmp(entry + sizeof(name) - 1, id, id_length) == 0) {
			char next = entry[sizeof(name) - 1 + id_length];

			if (next == '\0' || next == '/')
				return true;
		}
		at += length + 1;
	}
	return false;
}

static bool has_case(pid_t pid, const char *id)
{
	char path[64];
	bool found = false;

	if (!id)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);

	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return false;

	char *block = claw_malloc(ENVIRON_MAX + 1);
	size_t size = 0;

	while (size < ENVIRON_MAX) {
		ssize_t part = read(fd, block + size, ENVIRON_MAX - size);

		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			break;
		size += (size_t)part;
	}
	block[size] = '\0';
	found = environ_has_case(block, size, id);
	free(block);
	close(fd);
	return found;
}

static bool is_other(const struct claw_proctree *tree, pid_t pid)
{
	for (size_t i = 0; i < tree->other_count; i++)
		if (tree->others[i] == pid)
			return true;
	return false;
}

static bool belongs(const struct claw_proctree *tree,
		    const struct process *process)
{
	if (tree->own_session && process->session == tree->leader)
		return true;
	if (process->parent == getpid() && tree->adopt_all)
		return true;
	return has_case(process->pid, tree->case_id);
}

static void reap(pid_t pid)
{
	siginfo_t info;

	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG);
}

/* The next process of the run after `entry` positions, 0 at the end. */
static pid_t next_member(const struct claw_proctree *tree, DIR *proc)
{
	for (struct dirent *entry; (entry = readdir(proc));) {
		char *end;
		long number = strtol(entry->d_name, &end, 10);
		struct process process;

		if (*end || number <= 1 || number == getpid() ||
		    number == tree->leader || is_other(tree, (pid_t)number) ||
		    !read_process((pid_t)number, &process))
			continue;
		if (process.state == 'Z' || process.state == 'X') {
			if (process.parent == getpid())
				reap(process.pid);
			continue;
		}
		if (belongs(tree, &process))
			return process.pid;
	}
	return 0;
}

unsigned int claw_proctree_signal(const struct claw_proctree *tree,
				  int signal_number)
{
	unsigned int found = 0;
	DIR *proc = opendir("/proc");

	if (!proc)
		return 0;
	for (pid_t pid; (pid = next_member(tree, proc)) > 0;) {
		kill(pid, signal_number);
		found++;
	}
	closedir(proc);
	return found;
}

size_t claw_proctree_list(const struct claw_proctree *tree, pid_t *ret_pids,
			  size_t max)
{
	size_t count = 0;
	struct process process;
	DIR *proc = opendir("/proc");

	if (count < max && read_process(tree->leader, &process) &&
	    process.state != 'Z')
		ret_pids[count++] = tree->leader;
	for (pid_t pid; proc && count < max &&
	     (pid = next_member(tree, proc)) > 0;)
		ret_pids[count++] = pid;
	if (proc)
		closedir(proc);
	return count;
}

/* Are all children of this thread of ours known? */
static bool knows_children(const struct claw_proctree *tree, const char *task)
{
	char path[64];
	FILE *in;
	long pid;
	bool known = true;
	int got = EOF;

	snprintf(path, sizeof(path), "/proc/self/task/%.20s/children", task);
	in = claw_outside_fopen(path);
	if (!in)
		return false;
	while (known && (got = fscanf(in, "%ld", &pid)) == 1)
		known = pid == tree->leader || is_other(tree, (pid_t)pid);
	known = known && got == EOF && !ferror(in);
	fclose(in);
	return known;
}

bool claw_proctree_is_alone(const struct claw_proctree *tree)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *entry;
	bool alone = tasks != NULL;

	while (alone && (entry = readdir(tasks)))
		if (*entry->d_name != '.')
			alone = knows_children(tree, entry->d_name);
	if (tasks)
		closedir(tasks);
	return alone;
}

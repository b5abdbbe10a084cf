/* SPDX-License-Identifier: Apache-2.0 */
/* The journals of a session, and whether anybody still writes them. */
#include "config.h"

#include "dump_session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/small_file.h"
#include "harness/base/memory.h"
#include "harness/files/outside_file.h"
#include "harness/session/session.h"
#include "harness/base/text.h"

bool claw_dump_is_of_this_boot(const struct claw_journal_header *header)
{
	char boot_id[sizeof(header->boot_id)] = "";

	claw_small_file_read(boot_id, sizeof(boot_id),
			     "/proc/sys/kernel/random/boot_id");
	return strncmp(boot_id, header->boot_id, sizeof(boot_id)) == 0;
}

/* Has the process mapped a file of that name? Who may not look, believes. */
bool claw_dump_has_mapped(uint32_t pid, const char *name)
{
	char path[64], *line = NULL;
	size_t room = 0;
	bool has = false;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	in = claw_outside_fopen(path);
	if (!in)
		return errno == EACCES || errno == EPERM;
	while (!has && claw_getline(&line, &room, in) > 0) {
		line[strcspn(line, "\n")] = '\0';
		has = strcmp(claw_base_name(line), name) == 0;
	}
	free(line);
	fclose(in);
	return has;
}

bool claw_dump_is_running(const struct claw_journal *journal, const char *path)
{
	const struct claw_journal_header *header =
		claw_journal_get_header(journal);

	if (!claw_dump_is_of_this_boot(header) ||
	    (kill((pid_t)header->pid, 0) < 0 && errno == ESRCH))
		return false;
	return claw_dump_has_mapped(header->pid, claw_base_name(path));
}

int claw_dump_journals(const char *directory, char ***ret_paths,
		       size_t *ret_count)
{
	struct claw_session session = { .directory = claw_strdup(directory) };
	int ret = claw_session_journals(&session, ret_paths, ret_count);

	free(session.directory);
	return ret;
}

size_t claw_dump_running(const char *session, pid_t *ret_pids, size_t max)
{
	char **paths = NULL;
	size_t count = 0, found = 0;

	if (claw_dump_journals(session, &paths, &count) < 0)
		return 0;
	for (size_t i = 0; i < count; i++) {
		struct claw_journal *journal;

		if (found < max && claw_journal_read(paths[i], &journal) == 0) {
			if (claw_dump_is_running(journal, paths[i]))
				ret_pids[found++] = (pid_t)
					claw_journal_get_header(journal)->pid;
			claw_journal_free(journal);
		}
		free(paths[i]);
	}
	free(paths);
	return found;
}

bool claw_dump_is_session(const char *directory)
{
	char **paths = NULL;
	size_t count = 0;

	if (claw_dump_journals(directory, &paths, &count) < 0)
		return false;
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
	return count > 0;
}

bool claw_dump_is_metered_only(const char *session)
{
	char *path = claw_path_in(session, "config"), *line = NULL;
	FILE *in = claw_outside_fopen(path);
	bool is_metered = false, is_captured = false;
	size_t room = 0;

	while (in && claw_getline(&line, &room, in) > 0) {
		is_metered |= strcmp(line, "meters=1\n") == 0;
		is_captured |= strncmp(line, "capture=", 8) == 0;
	}
	if (in)
		fclose(in);
	free(line);
	free(path);
	return is_metered && !is_captured;
}

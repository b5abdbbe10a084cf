/* SPDX-License-Identifier: Apache-2.0 */
/* DIR/bisect.jsonl: what is known, for --resume and for scripts. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "bisect.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/files/outside_file.h"

enum { LOG_VERSION = 1 };

static char *path_of(const struct claw_bisect *all)
{
	return claw_path_in(all->directory, "bisect.jsonl");
}

bool claw_bisect_log_add(struct claw_bisect *all, const json_t *object)
{
	errno = 0;
	if (json_dumpf(object, all->log, JSON_COMPACT) == 0 &&
	    fputc('\n', all->log) != EOF && fflush(all->log) == 0)
		return true;
	all->log_errno = errno ? errno : EIO;
	return false;
}

void claw_bisect_log_text(struct claw_bisect *all, const char *key,
			  const char *text)
{
	json_t *object = json_object();

	json_object_set_new(object, key, json_string(text));
	claw_bisect_log_add(all, object);
	json_decref(object);
}

/* One search at a time has it. */
static bool open_log(struct claw_bisect *all, int flags)
{
	char *path = path_of(all);
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | flags, 0666);

	free(path);
	if (fd < 0)
		return false;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		close(fd);
		return false;
	}
	all->log = fdopen(fd, "a");
	if (!all->log)
		close(fd);
	return all->log != NULL;
}

bool claw_bisect_log_new(struct claw_bisect *all, const json_t *head)
{
	json_t *copy;
	bool done;

	if (!open_log(all, O_CREAT | O_EXCL))
		return false;
	copy = claw_made(json_copy((json_t *)(uintptr_t)head));
	json_object_set_new(copy, "v", json_integer(LOG_VERSION));
	done = claw_bisect_log_add(all, copy);
	json_decref(copy);
	return done;
}

/* Another word would be one of git bisect's, as "reset". */
static bool has_answer(const json_t *object)
{
	return claw_bisect_is(object, "good") || claw_bisect_is(object, "bad") ||
		claw_bisect_is(object, "skip") ||
		claw_bisect_is(object, "measured");
}

/* False: the last line is torn. */
static bool read_known(FILE *in, struct claw_bisect *all)
{
	bool is_whole = true;
	char *line = NULL;
	size_t size = 0;

	while (claw_getline(&line, &size, in) > 0) {
		json_t *object = json_loads(line, 0, NULL);

		is_whole = strchr(line, '\n') != NULL;
		if (*claw_bisect_text(object, "name") && has_answer(object))
			json_object_set(all->known,
					claw_bisect_text(object, "name"), object);
		if (*claw_bisect_text(object, "worktree")) {
			free(all->old_tree);
			all->old_tree = claw_strdup(claw_bisect_text(object,
								"worktree"));
		}
		json_decref(object);
	}
	free(line);
	return is_whole;
}

static json_t *read_head(FILE *in)
{
	char *line = NULL;
	size_t size = 0;
	json_t *head = claw_getline(&line, &size, in) > 0 ?
		json_loads(line, 0, NULL) : NULL;

	free(line);
	if (json_integer_value(json_object_get(head, "v")) == LOG_VERSION)
		return head;
	json_decref(head);
	return NULL;
}

bool claw_bisect_log_open(struct claw_bisect *all, json_t **ret_head,
			  char *error, size_t size)
{
	char *path = path_of(all);
	FILE *in = claw_outside_fopen(path);
	bool done = false, is_whole = true;

	*ret_head = in ? read_head(in) : NULL;
	if (!in)
		snprintf(error, size, "%s: %s", path, claw_outside_why(path));
	else if (!*ret_head)
		snprintf(error, size, "%s: expected the log of a search that "
			 "openclaw bisect began", path);
	else
		done = true;
	if (done)
		is_whole = read_known(in, all);
	if (in)
		fclose(in);
	if (done && !open_log(all, 0)) {
		done = false;
		snprintf(error, size, "%s: %s", path, errno == EWOULDBLOCK ?
			 "in use by another openclaw process" : strerror(errno));
	}
	if (done && !is_whole)
		fputc('\n', all->log);
	free(path);
	return done;
}

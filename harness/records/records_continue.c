/* SPDX-License-Identifier: Apache-2.0 */
/* Go on with the records of a run that was ended from outside. */
#include "config.h"

#include "records_put.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/files/outside_file.h"
#include "result_json.h"

enum {
	LOCK_TRIES = 100,
	LOCK_WAIT_NS = 20 * 1000 * 1000,
};

/* Where what is to stay ends, and the next line's number. */
static int find_end(FILE *in, bool (*stays)(void *user, const char *type,
					    const json_t *object), void *user,
		    off_t *ret_end, uint64_t *ret_next)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	off_t at = 0, end = 0;

	while ((length = claw_outside_line(in, &line, &size,
				   CLAW_RECORDS_LINE_MAX)) > 0 &&
	       line[length - 1] == '\n' && length <= CLAW_RECORDS_LINE_MAX) {
		json_t *object = claw_records_parse(line, (size_t)length - 1);
		const char *type = object ? claw_json_text(object, "t") : NULL;

		at += length;
		if (type && stays(user, type, object)) {
			*ret_next = claw_json_number(object, "n") + 1;
			end = at;
		}
		json_decref(object);
	}
	free(line);
	*ret_end = end;
	return end > 0 ? 0 : -CLAW_E_DAMAGED;
}

/* What a killed writer was about to start may hold the lock a little longer. */
static bool is_taken(int fd)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			return false;
		nanosleep(&(struct timespec) { .tv_nsec = LOCK_WAIT_NS }, NULL);
	}
	errno = EWOULDBLOCK;
	return true;
}

int claw_records_reopen(const char *directory,
			bool (*stays)(void *user, const char *type,
				      const json_t *object), void *user,
			struct claw_records **ret_records)
{
	struct claw_records *records = claw_calloc(1, sizeof(*records));
	char *path = claw_path_in(directory, "records.jsonl");
	FILE *in = claw_outside_stream(path);
	off_t end = 0;
	int ret = -CLAW_E_IO;

	claw_interrupt_begin();
	records->fd = in ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC |
				O_NONBLOCK) : -1;
	if (records->fd < 0 || is_taken(records->fd))
		goto out;
	ret = find_end(in, stays, user, &end, &records->next);
	if (ret == 0 && ftruncate(records->fd, end) < 0)
		ret = -CLAW_E_IO;
	if (ret < 0)
		goto out;
	records->directory = realpath(directory, NULL);
	*ret_records = records;
	records = NULL;
out:;
	int error = errno;

	if (in)
		fclose(in);
	claw_records_free(records);
	free(path);
	errno = error;
	return ret;
}

static bool is_not_end(void *user, const char *type, const json_t *object)
{
	(void)user;
	(void)object;
	return strcmp(type, "end") != 0;
}

int claw_records_continue(const char *directory,
			  struct claw_records **ret_records)
{
	return claw_records_reopen(directory, is_not_end, NULL, ret_records);
}

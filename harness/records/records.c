/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The writer of records.jsonl (doc/records.md): it appends whole lines. What
 * the lines say is in records_write.c and records_soak.c.
 */
#include "config.h"

#include "records_put.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/interrupt.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "result_json.h"

/* ret_written: bytes that are in the file, also of a failure. */
static int write_all(int fd, const char *bytes, size_t size,
		     size_t *ret_written)
{
	*ret_written = 0;
	while (size > *ret_written) {
		ssize_t written = write(fd, bytes + *ret_written,
					size - *ret_written);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0) {
			if (written == 0)
				errno = ENOSPC;
			return -CLAW_E_IO;
		}
		*ret_written += (size_t)written;
	}
	return 0;
}

/* Take away what was begun of a line. */
static int take_back(int fd, size_t written)
{
	struct stat about;

	if (written == 0)
		return 0;
	if (fstat(fd, &about) < 0 || about.st_size < (off_t)written)
		return -CLAW_E_IO;
	return ftruncate(fd, about.st_size - (off_t)written) < 0 ?
	       -CLAW_E_IO : 0;
}

/* Remember the first failure. */
static int fail(struct claw_records *records, int error)
{
	if (error < 0 && records->error == 0) {
		records->error = error;
		records->saved_errno = errno;
	}
	return error;
}

/* Complete, number and sum a line; malloced. */
static char *make_line(const struct claw_records *records, const char *type,
		       json_t *members)
{
	json_t *object = claw_made(json_object());
	char *text, *line;
	int length;

	claw_json_add_number(object, "v", CLAW_RECORDS_VERSION);
	claw_json_add_number(object, "n", records->next);
	claw_json_add_text(object, "t", type);
	json_object_update(object, claw_made(members));
	text = claw_made(json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER |
				    JSON_REAL_PRECISION(CLAW_RECORDS_DIGITS)));
	length = (int)strlen(text) - 1;	/* without the closing brace */
	line = claw_format("%.*s" CLAW_RECORDS_CRC "%08lx\"}\n", length, text,
			   claw_records_sum(text, (size_t)length + 1));
	free(text);
	json_decref(object);
	return line;
}

static bool is_for_want_of_room(int error)
{
	return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

static int write_record(struct claw_records *records, const char *type,
			json_t *members, bool may_fail)
{
	char *line = NULL;
	size_t written;
	int ret, error;

	if (records->error < 0) {
		errno = records->saved_errno;
		ret = records->error;
		goto out;
	}
	line = make_line(records, type, members);
	ret = write_all(records->fd, line, strlen(line), &written);
	if (ret == 0) {
		records->next++;
		goto out;
	}
	error = errno;
	if (take_back(records->fd, written) < 0 || !is_for_want_of_room(error))
		may_fail = false;
	errno = error;
out:
	if (!may_fail)
		fail(records, ret);
	free(line);
	json_decref(members);
	return ret;
}

int claw_records_write(struct claw_records *records, const char *type,
		       json_t *members)
{
	return write_record(records, type, members, false);
}

int claw_records_try(struct claw_records *records, const char *type,
		     json_t *members)
{
	return write_record(records, type, members, true);
}

bool claw_records_is_full(const struct claw_records *records, int ret)
{
	return ret == -CLAW_E_IO && records->error == 0;
}

int claw_records_sync(struct claw_records *records)
{
	if (records->error < 0)
		return records->error;
	return fdatasync(records->fd) < 0 && errno != EINVAL &&
	       errno != EROFS ? fail(records, -CLAW_E_IO) : 0;
}

/* A command line that a shell would read back. */
static char *command_line(int argc, char *const *argv)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789-_=+./:,@%";
	char *text = NULL;
	size_t size = 0;
	FILE *out = claw_text_begin(&text, &size);

	for (int i = 0; i < argc; i++) {
		if (i > 0)
			fputc(' ', out);
		if (*argv[i] && strspn(argv[i], plain) == strlen(argv[i])) {
			fputs(argv[i], out);
			continue;
		}
		fputc('\'', out);
		for (const char *c = argv[i]; *c; c++)
			fputs(*c == '\'' ? "'\\''" : (char[]){ *c, '\0' }, out);
		fputc('\'', out);
	}
	claw_text_end(out);
	return text;
}

void claw_records_time(char *text, size_t size)
{
	time_t now = time(NULL);
	struct tm parts;

	if (!gmtime_r(&now, &parts) ||
	    strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
		text[0] = '\0';
}

static char *ended;	/* the directory of what this process ended last */

int claw_records_new(const char *directory, const char *verb,
		     int argc, char *const *argv, uint64_t planned,
		     uint64_t seed, struct claw_records **ret_records)
{
	return claw_records_new_at(directory, verb, argc, argv, planned, seed,
				   NULL, ret_records);
}

int claw_records_new_at(const char *directory, const char *verb,
			int argc, char *const *argv, uint64_t planned,
			uint64_t seed, const char *started,
			struct claw_records **ret_records)
{
	struct claw_records *records = claw_calloc(1, sizeof(*records));
	json_t *members = json_object();
	char *path = claw_path_in(directory, "records.jsonl");
	char *line = command_line(argc, argv);
	char text[32];
	int ret;

	claw_interrupt_begin();
	records->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND |
			   O_CLOEXEC, 0666);
	if (records->fd < 0) {
		ret = -CLAW_E_IO;
		goto out;
	}
	/* For others to see that it is in use; a file system without locks
	 * is no reason not to write. */
	flock(records->fd, LOCK_EX | LOCK_NB);
	claw_records_time(text, sizeof(text));
	claw_json_add_text(members, "verb", verb);
	claw_json_add_text(members, "command", line);
	claw_json_add_text(members, "started", started ? started : text);
	claw_json_add_text(members, "openclaw", PACKAGE_VERSION);
	claw_json_add_number(members, "planned", planned);
	/* A JSON reader may hold numbers as doubles: 64 bits go as text. */
	snprintf(text, sizeof(text), "%" PRIu64, seed);
	claw_json_add_text(members, "seed", text);
	ret = claw_records_write(records, "plan", members);
	members = NULL;
	if (ret < 0)
		goto out;
	records->directory = realpath(directory, NULL);
	*ret_records = records;
	records = NULL;
out:
	claw_records_free(records);
	json_decref(members);
	free(path);
	free(line);
	return ret;
}

int claw_records_end(struct claw_records *records, int exit_status,
		     bool cancelled)
{
	json_t *members = json_object();
	int ret;

	/* What came before must be there when the end record is. */
	claw_records_sync(records);
	json_object_set_new(members, "exit_status", json_integer(exit_status));
	json_object_set_new(members, "cancelled", json_boolean(cancelled));
	ret = claw_records_write(records, "end", members);
	if (ret == 0)
		ret = claw_records_sync(records);
	if (ret == 0) {
		free(ended);
		ended = claw_strdup_or_null(records->directory);
	}
	return ret;
}

const char *claw_records_ended(void)
{
	return ended;
}

void claw_records_free(struct claw_records *records)
{
	if (!records)
		return;
	if (records->fd >= 0)
		close(records->fd);
	free(records->directory);
	free(records);
	claw_interrupt_end();
}

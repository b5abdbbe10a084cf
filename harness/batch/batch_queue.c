/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of pieces. */
#include "config.h"

#include "batch_queue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/files/small_file.h"

enum { TEXT_BYTES = 1024 };

void claw_queue_init(struct claw_queue *queue, const char *folder,
		     size_t count)
{
	*queue = (struct claw_queue) {
		.folder = claw_strdup(folder),
		.pieces = claw_calloc(count, sizeof(*queue->pieces)),
		.count = count,
	};
}

void claw_queue_release(struct claw_queue *queue)
{
	free(queue->folder);
	free(queue->pieces);
	*queue = (struct claw_queue) { .folder = NULL };
}

char *claw_queue_path(const struct claw_queue *queue, size_t index,
		      unsigned int attempt, const char *behind)
{
	return claw_format("%s/%zu.%u%s", queue->folder, index + 1, attempt,
			   behind);
}

/* ---- reading ----------------------------------------------------------- */

/* One name in the folder; others than ours are passed over. */
static void see(struct claw_queue *queue, const char *name)
{
	struct claw_piece *piece;
	unsigned int attempt;
	char end[16];
	size_t number;
	int used = 0;

	if (sscanf(name, "%zu.%u.%15[a-z]%n", &number, &attempt, end, &used) !=
	    3 || name[used] || number == 0 || number > queue->count)
		return;
	piece = &queue->pieces[number - 1];
	if (strcmp(end, "taken") == 0 && attempt > piece->taken)
		piece->taken = attempt;
	if ((strcmp(end, "lost") == 0 || strcmp(end, "cancelled") == 0) &&
	    attempt > piece->closed)
		piece->closed = attempt;
	piece->lost += strcmp(end, "lost") == 0;
	/* Of two that came to their end after all, always the same. */
	if (strcmp(end, "done") == 0 &&
	    (piece->state != CLAW_PIECE_DONE || attempt < piece->attempt)) {
		piece->state = CLAW_PIECE_DONE;
		piece->attempt = attempt;
	}
}

static void conclude(struct claw_piece *piece)
{
	if (piece->state == CLAW_PIECE_DONE)
		return;
	piece->attempt = piece->taken;
	if (piece->taken > piece->closed)
		piece->state = CLAW_PIECE_TAKEN;
	else if (piece->lost >= CLAW_BATCH_ATTEMPTS)
		piece->state = CLAW_PIECE_GIVEN_UP;
}

int claw_queue_read(struct claw_queue *queue)
{
	DIR *folder = opendir(queue->folder);
	const struct dirent *entry;
	int error;

	if (!folder)
		return -CLAW_E_IO;
	memset(queue->pieces, 0, queue->count * sizeof(*queue->pieces));
	for (errno = 0; (entry = readdir(folder)); errno = 0)
		see(queue, entry->d_name);
	error = errno;
	closedir(folder);
	for (size_t i = 0; i < queue->count; i++)
		conclude(&queue->pieces[i]);
	errno = error;
	return error ? -CLAW_E_IO : 0;
}

size_t claw_queue_count(const struct claw_queue *queue,
			enum claw_piece_state state)
{
	size_t count = 0;

	for (size_t i = 0; i < queue->count; i++)
		count += queue->pieces[i].state == state;
	return count;
}

char *claw_queue_text(const struct claw_queue *queue, size_t index,
		      unsigned int attempt, const char *end)
{
	char text[TEXT_BYTES];
	bool is_there = claw_small_file_read(text, sizeof(text),
					     "%s/%zu.%u.%s", queue->folder,
					     index + 1, attempt, end);

	if (is_there)
		text[strcspn(text, "\n")] = '\0';
	return is_there ? claw_strdup(text) : NULL;
}

int claw_queue_status(const struct claw_queue *queue, size_t index,
		      unsigned int attempt)
{
	char *text = claw_queue_text(queue, index, attempt, "done");
	int status = text ? (int)strtol(text, NULL, 10) : -1;

	free(text);
	return status;
}

/* ---- writing ----------------------------------------------------------- */

static int write_whole(const char *path, const char *text)
{
	size_t size = strlen(text);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool is_whole;
	int error;

	if (fd < 0)
		return -CLAW_E_IO;
	errno = ENOSPC;
	is_whole = write(fd, text, size) == (ssize_t)size && fsync(fd) == 0;
	error = errno;
	if (close(fd) != 0 && is_whole) {
		is_whole = false;
		error = errno;
	}
	errno = error;
	return is_whole ? 0 : -CLAW_E_IO;
}

/* -CLAW_E_IO with EEXIST: somebody was before us. */
static int make(const struct claw_queue *queue, size_t index,
		unsigned int attempt, const char *end, const char *text)
{
	static unsigned int number;
	char host[256] = "", *fresh, *name, *line;
	int ret, error;

	gethostname(host, sizeof(host) - 1);
	fresh = claw_format("%s/.%s-%ld-%u", queue->folder, host,
			    (long)getpid(), number++);
	line = claw_format("%s\n", text);
	name = claw_format("%s/%zu.%u.%s", queue->folder, index + 1, attempt,
			   end);
	ret = write_whole(fresh, line);
	if (ret == 0 && link(fresh, name) < 0)
		ret = -CLAW_E_IO;
	error = errno;
	unlink(fresh);
	errno = error;
	free(name);
	free(line);
	free(fresh);
	return ret;
}

int claw_queue_take(struct claw_queue *queue, const char *task, size_t start,
		    size_t *ret_index, unsigned int *ret_attempt)
{
	int ret = claw_queue_read(queue);

	for (size_t i = 0; ret == 0 && i < queue->count; i++) {
		size_t index = (start + i) % queue->count;
		const struct claw_piece *piece = &queue->pieces[index];

		if (piece->state != CLAW_PIECE_FREE)
			continue;
		ret = make(queue, index, piece->attempt + 1, "taken", task);
		if (ret == 0) {
			*ret_index = index;
			*ret_attempt = piece->attempt + 1;
			return 0;
		}
		if (errno == EEXIST)
			ret = 0;
	}
	return ret < 0 ? ret : -CLAW_E_NOT_FOUND;
}

int claw_queue_close(struct claw_queue *queue, size_t index,
		     unsigned int attempt, const char *end, const char *text)
{
	int ret = make(queue, index, attempt, end, text);

	return ret < 0 && errno == EEXIST ? 0 : ret;
}

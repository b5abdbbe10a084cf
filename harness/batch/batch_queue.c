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
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"

enum { TEXT_BYTES = 1024 };

void claw_queue_init(struct claw_queue *queue, const char *folder,
		     size_t count)
{
	*queue = (struct claw_queue) {
		.folder = claw_strdup(folder),
		.fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.pieces = claw_calloc(count, sizeof(*queue->pieces)),
		.count = count,
	};
}

void claw_queue_release(struct claw_queue *queue)
{
	if (queue->folder && queue->fd >= 0)
		close(queue->fd);
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

/* "K.A.END", malloced. */
static char *file_name(size_t index, unsigned int attempt, const char *end)
{
	return claw_format("%zu.%u.%s", index + 1, attempt, end);
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
	int fd = openat(queue->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
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
	char *name = file_name(index, attempt, end), text[TEXT_BYTES];
	int fd = openat(queue->fd, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	free(name);
	if (length < 0)
		return NULL;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return claw_strdup(text);
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

static int write_whole(int folder, const char *name, const char *text)
{
	size_t size = strlen(text);
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			0666);
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

/* Of NFS the answer may be lost, and the repeated call then finds the name: the
 * count of links tells (link(2), BUGS). */
static int link_once(int folder, const char *from, const char *to)
{
	struct stat about;
	int error;

	if (linkat(folder, from, folder, to, 0) == 0)
		return 0;
	error = errno;
	if (fstatat(folder, from, &about, 0) == 0 && about.st_nlink == 2)
		return 0;
	errno = error;
	return -CLAW_E_IO;
}

/* -CLAW_E_IO with EEXIST: somebody was before us. */
static int make(const struct claw_queue *queue, size_t index,
		unsigned int attempt, const char *end, const char *text)
{
	static unsigned int number;
	char host[256] = "", *fresh, *name, *line;
	int ret, error;

	gethostname(host, sizeof(host) - 1);
	fresh = claw_format(".%s-%ld-%u", host, (long)getpid(), number++);
	line = claw_format("%s\n", text);
	name = file_name(index, attempt, end);
	ret = write_whole(queue->fd, fresh, line);
	if (ret == 0)
		ret = link_once(queue->fd, fresh, name);
	error = errno;
	unlinkat(queue->fd, fresh, 0);
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

/* ---- signs ------------------------------------------------------------- */

void claw_queue_set_cancelled(struct claw_queue *queue, bool is_cancelled)
{
	int fd = -1;

	if (is_cancelled)
		fd = openat(queue->fd, "cancel", O_WRONLY | O_CREAT | O_CLOEXEC,
			    0666);
	else
		unlinkat(queue->fd, "cancel", 0);
	if (fd >= 0)
		close(fd);
}

bool claw_queue_is_cancelled(const struct claw_queue *queue)
{
	return faccessat(queue->fd, "cancel", F_OK, 0) == 0;
}

void claw_queue_touch(const struct claw_queue *queue, size_t index,
		      unsigned int attempt)
{
	char *name = file_name(index, attempt, "taken");

	utimensat(queue->fd, name, NULL, 0);
	free(name);
}

int64_t claw_queue_silence_s(const struct claw_queue *queue, size_t index,
			     unsigned int attempt)
{
	char *name = file_name(index, attempt, "taken");
	struct stat taken, now = { .st_mtime = 0 };
	int fd = openat(queue->fd, ".now", O_WRONLY | O_CREAT | O_CLOEXEC,
			0666);
	int64_t silence_s = 0;

	/* Clocks of machines differ; the file system has one. */
	if (fd >= 0 && futimens(fd, NULL) == 0 && fstat(fd, &now) == 0 &&
	    fstatat(queue->fd, name, &taken, 0) == 0)
		silence_s = now.st_mtime - taken.st_mtime;
	if (fd >= 0)
		close(fd);
	free(name);
	return silence_s > 0 ? silence_s : 0;
}

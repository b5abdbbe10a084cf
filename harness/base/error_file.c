/* SPDX-License-Identifier: Apache-2.0 */
/* See error_file.h. */
#include "config.h"

#include "error_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

/* Where what is written next goes to. */
static uint64_t end_of(const struct claw_error_file *file)
{
	struct stat status;
	off_t at;

	fflush(stderr);
	if (file->appends)
		return fstat(file->fd, &status) == 0 ?
			(uint64_t)status.st_size : 0;
	at = lseek(STDERR_FILENO, 0, SEEK_CUR);
	return at > 0 ? (uint64_t)at : 0;
}

void claw_error_file_open(struct claw_error_file *ret_file)
{
	struct claw_error_file file = { .fd = -1 };
	int flags = fcntl(STDERR_FILENO, F_GETFL);
	struct stat status;

	if (flags >= 0 && fstat(STDERR_FILENO, &status) == 0 &&
	    S_ISREG(status.st_mode))
		file.fd = open("/proc/self/fd/2", O_RDONLY | O_CLOEXEC);
	if (file.fd >= 0) {
		file.appends = flags & O_APPEND;
		file.start = end_of(&file);
	}
	*ret_file = file;
}

char *claw_error_file_text(const struct claw_error_file *file)
{
	uint64_t end = file->fd < 0 ? 0 : end_of(file), from = file->start;
	size_t size, done = 0;
	ssize_t got = 1;
	char *text;

	if (end <= from)
		return NULL;
	if (end - from > CLAW_ERROR_FILE_BYTES)
		from = end - CLAW_ERROR_FILE_BYTES;
	size = (size_t)(end - from);
	text = claw_malloc(size + 1);
	while (done < size && got > 0) {
		got = pread(file->fd, text + done, size - done,
			    (off_t)(from + done));
		done += got > 0 ? (size_t)got : 0;
	}
	for (size_t i = 0; i < done; i++)
		text[i] = text[i] ? text[i] : ' ';
	text[done] = '\0';
	return text;
}

void claw_error_file_close(struct claw_error_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

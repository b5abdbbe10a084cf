/* SPDX-License-Identifier: Apache-2.0 */
/* Open and read files that others name or write. */
#include "config.h"

#include "outside_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

enum { WRITER_MS = 10 * 1000 };

static int fail(int fd, int error)
{
	if (fd >= 0)
		close(fd);
	errno = error;
	return -1;
}

/* /dev/null is an empty file to everybody. */
static bool is_null_device(const struct stat *about)
{
	return S_ISCHR(about->st_mode) && about->st_rdev == makedev(1, 3);
}

/* Is it a descriptor of this process? */
static bool is_handed_over(const char *path)
{
	static const char *const places[] = { "/dev/fd/", "/proc/self/fd/" };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (strncmp(path, places[i], strlen(places[i])) == 0)
			return true;
	return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0;
}

/* What is no file, and may be read all the same. */
static bool may_be_read(int fd, const char *path, int flags,
			const struct stat *about)
{
	struct pollfd writer = { .fd = fd, .events = POLLIN };

	if (!(flags & (CLAW_OUTSIDE_GIVEN | CLAW_OUTSIDE_INPUT)) ||
	    S_ISDIR(about->st_mode))
		return false;
	if (is_handed_over(path))
		return true;
	if (!(flags & CLAW_OUTSIDE_INPUT))
		return false;
	errno = ETIMEDOUT;
	return !S_ISFIFO(about->st_mode) || poll(&writer, 1, WRITER_MS) > 0;
}

int claw_outside_open(const char *path, int flags, uint64_t bytes_max)
{
	/* What is no file must not make us wait. */
	int fd = flags & CLAW_OUTSIDE_GIVEN && strcmp(path, "-") == 0 ?
		fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) :
		open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY |
		     (flags & CLAW_OUTSIDE_OWN ? O_NOFOLLOW : 0));
	struct stat about;

	if (fd < 0)		/* a socket's file says ENXIO */
		return fail(-1, errno == ENXIO ? EINVAL : errno);
	if (fstat(fd, &about) < 0)
		return fail(fd, errno);
	if (S_ISREG(about.st_mode) || is_null_device(&about))
		return (uint64_t)about.st_size > bytes_max ? fail(fd, EFBIG) :
			fd;
	errno = S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
	if (!may_be_read(fd, path, flags, &about) ||
	    (strcmp(path, "-") != 0 && fcntl(fd, F_SETFL, 0) < 0))
		return fail(fd, errno);
	return fd;
}

const char *claw_outside_why(const char *path)
{
	int error = errno;
	struct stat about;

	if (error != EINVAL || stat(path, &about) < 0 || S_ISREG(about.st_mode))
		return strerror(error);
	return S_ISFIFO(about.st_mode) ? "expected a file, found a FIFO" :
	       S_ISSOCK(about.st_mode) ? "expected a file, found a socket" :
	       "expected a file, found a device";
}

static FILE *stream_of(int fd)
{
	FILE *in = fd < 0 ? NULL : fdopen(fd, "r");

	if (!in && fd >= 0)
		fail(fd, errno);
	return in;
}

FILE *claw_outside_input(const char *path)
{
	return stream_of(claw_outside_open(path, CLAW_OUTSIDE_INPUT,
					   CLAW_OUTSIDE_STREAM_MAX));
}

FILE *claw_outside_fopen(const char *path)
{
	return stream_of(claw_outside_open(path, 0, CLAW_OUTSIDE_TEXT_MAX));
}

FILE *claw_outside_stream(const char *path)
{
	return stream_of(claw_outside_open(path, 0, CLAW_OUTSIDE_STREAM_MAX));
}

/* Files of /proc have no size, others can grow: size is what came. */
static int read_all(int fd, size_t bytes_max, char **bytes, size_t *size)
{
	size_t room = 0;
	ssize_t got;

	for (;;) {
		if (*size + 1 >= room) {
			char *larger;

			room = room ? 2 * room : 16384;
			larger = claw_grow(*bytes, room, 1);
			*bytes = larger;
		}
		got = read(fd, *bytes + *size, room - *size - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -CLAW_E_IO : 0;
		*size += (size_t)got;
		if (*size > bytes_max) {
			errno = EFBIG;
			return -CLAW_E_LIMIT;
		}
	}
}

int claw_outside_read(const char *path, int flags, size_t bytes_max,
		      char **ret_bytes, size_t *ret_size)
{
	int fd = claw_outside_open(path, flags, bytes_max);
	char *bytes = NULL;
	size_t size = 0;
	int ret;

	if (fd < 0)
		return errno == EFBIG ? -CLAW_E_LIMIT : -CLAW_E_IO;
	ret = read_all(fd, bytes_max, &bytes, &size);
	fail(fd, errno);
	if (ret < 0) {
		free(bytes);
		return ret;
	}
	bytes[size] = '\0';
	*ret_bytes = bytes;
	*ret_size = size;
	return 0;
}

ssize_t claw_outside_line(FILE *in, char **line, size_t *room, size_t most)
{
	size_t length = 0;
	int c;

	while ((c = getc_unlocked(in)) != EOF) {
		if (length + 2 > *room) {
			size_t larger = *room ? 2 * *room : 256;
			char *grown = claw_grow(*line, larger, 1);

			*line = grown;
			*room = larger;
		}
		(*line)[length < most ? length : most] = (char)c;
		length += length <= most;
		if (c == '\n')
			break;
	}
	if (length == 0)
		return -1;
	(*line)[length] = '\0';
	return (ssize_t)length;
}

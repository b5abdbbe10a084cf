/* SPDX-License-Identifier: Apache-2.0 */
/* Write files beside their places, and rename them. */
#include "config.h"

#include "new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/errors.h"
#include "harness/base/memory.h"

/* /dev/stdout is a link to a file, too, where a shell redirects it. */
static bool is_written_directly(const char *path)
{
	struct stat about;

	return strncmp(path, "/dev/", 5) == 0 ||
		strncmp(path, "/proc/", 6) == 0 ||
		(lstat(path, &about) == 0 && !S_ISREG(about.st_mode) &&
		 !S_ISLNK(about.st_mode));
}

static int open_directly(const char *path)
{
	/* A FIFO that nobody reads is ENXIO. */
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC |
		      O_NONBLOCK | O_NOCTTY, 0666);

	if (fd >= 0)
		fcntl(fd, F_SETFL, 0);
	return fd;
}

static int open_beside(struct claw_new_file *file)
{
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	file->fresh = claw_format("%s.XXXXXX", file->path);
	fd = mkostemp(file->fresh, O_CLOEXEC);
	if (fd >= 0)
		fchmod(fd, 0666 & ~mask);
	return fd;
}

static struct claw_new_file *under_way;	/* whose ends are still to come */

/* The program ends in the middle of them: nothing of them stays. */
static void remove_unfinished(void)
{
	for (; under_way; under_way = under_way->next)
		if (under_way->fresh)
			unlink(under_way->fresh);
}

static void enter(struct claw_new_file *file)
{
	static bool is_registered;

	if (!is_registered)
		is_registered = atexit(remove_unfinished) == 0;
	file->next = under_way;
	under_way = file;
}

static void release(struct claw_new_file *file)
{
	struct claw_new_file **link = &under_way;
	int error = errno;

	while (*link != file)
		link = &(*link)->next;
	*link = file->next;
	free(file->path);
	free(file->fresh);
	*file = (struct claw_new_file) { .out = NULL };
	errno = error;
}

FILE *claw_new_file_begin(struct claw_new_file *file, const char *path)
{
	int fd;

	*file = (struct claw_new_file) { .path = claw_strdup(path) };
	enter(file);
	fd = is_written_directly(path) ? open_directly(path) :
		open_beside(file);
	file->out = fd < 0 ? NULL : claw_made(fdopen(fd, "w"));
	if (!file->out)
		release(file);
	return file->out;
}

int claw_new_file_end(struct claw_new_file *file, bool is_kept)
{
	bool is_good = !ferror(file->out);
	int error;

	is_good &= fclose(file->out) == 0;
	if (file->fresh && is_good && is_kept)
		is_good = rename(file->fresh, file->path) == 0;
	error = errno;
	if (file->fresh && !(is_good && is_kept))
		unlink(file->fresh);
	errno = error;
	release(file);
	return is_good ? 0 : -CLAW_E_IO;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A file, or bytes, read from any place on. */
#include "config.h"

#include "byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "errors.h"

int claw_source_open(const char *path, struct claw_source *ret_source)
{
	/* What is no file must not make us wait. */
	struct claw_source source = {
		.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY),
	};
	struct stat st;

	if (source.fd < 0)
		return -CLAW_E_IO;
	if (fstat(source.fd, &st) != 0) {
		claw_source_close(&source);
		return -CLAW_E_IO;
	}
	if (!S_ISREG(st.st_mode)) {
		close(source.fd);
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
		return -CLAW_E_IO;
	}
	source.size = (uint64_t)st.st_size;
	*ret_source = source;
	return 0;
}

void claw_source_close(struct claw_source *source)
{
	int error = errno;

	close(source->fd);
	source->fd = -1;
	errno = error;
}

size_t claw_source_read(const struct claw_source *source, uint64_t offset,
			void *buffer, size_t bytes)
{
	size_t done = 0;

	if (offset >= source->size)
		return 0;
	if (bytes > source->size - offset)
		bytes = (size_t)(source->size - offset);
	if (source->bytes) {
		memcpy(buffer, source->bytes + offset, bytes);
		return bytes;
	}
	while (done < bytes) {
		ssize_t got = pread(source->fd, (char *)buffer + done,
				    bytes - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

void claw_source_look(struct claw_source *source)
{
	struct stat st;

	if (!source->bytes && fstat(source->fd, &st) == 0 && st.st_size > 0)
		source->size = (uint64_t)st.st_size;
}

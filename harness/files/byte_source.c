/* SPDX-License-Identifier: Apache-2.0 */
/* A file, or bytes, read from any place on. */
#include "config.h"

#include "byte_source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/shared/journal_format.h"
#include "harness/base/errors.h"
#include "harness/base/memory.h"
#include "outside_file.h"

static int open_with(const char *path, int flags,
		     struct claw_source *ret_source)
{
	struct claw_source source = {
		.fd = claw_outside_open(path, flags, UINT64_MAX),
	};
	struct stat st;

	if (source.fd < 0)
		return -CLAW_E_IO;
	if (fstat(source.fd, &st) != 0) {
		claw_source_close(&source);
		return -CLAW_E_IO;
	}
	source.size = (uint64_t)st.st_size;
	*ret_source = source;
	return 0;
}

int claw_source_open(const char *path, struct claw_source *ret_source)
{
	return open_with(path, 0, ret_source);
}

int claw_source_open_own(const char *path, struct claw_source *ret_source)
{
	return open_with(path, CLAW_OUTSIDE_OWN, ret_source);
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

int claw_source_read_head(const struct claw_source *source, void *header,
			  size_t size, const char *magic, uint32_t version)
{
	static const uint32_t endian = CLAW_JOURNAL_ENDIAN;
	struct claw_source_head head;

	if (claw_source_read(source, 0, header, size) != size)
		return -CLAW_E_DAMAGED;
	memcpy(&head, header, sizeof(head));
	if (memcmp(head.magic, magic, sizeof(head.magic)))
		return -CLAW_E_DAMAGED;
	if (head.endian == __builtin_bswap32(endian))
		return -CLAW_E_VERSION;
	if (head.endian != endian)
		return -CLAW_E_DAMAGED;
	if (head.version != version)
		return -CLAW_E_VERSION;
	return head.header_bytes < size ? -CLAW_E_DAMAGED : 0;
}

void claw_source_read_own(const char *path, size_t max, char **ret_bytes,
			  size_t *ret_size)
{
	struct claw_source source;
	char *bytes;

	*ret_bytes = NULL;
	*ret_size = 0;
	if (claw_source_open_own(path, &source) < 0)
		return;
	if (source.size < max)
		max = (size_t)source.size;
	bytes = claw_malloc(max + 1);
	{
		*ret_size = claw_source_read(&source, 0, bytes, max);
		bytes[*ret_size] = '\0';
	}
	claw_source_close(&source);
	*ret_bytes = bytes;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where pending reads go meanwhile: memory of ours in place of the program's,
 * at the same distance from a page's begin, and the copy in the end. Commands
 * on the same bytes share it, so that they see each other as they would have.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "early_private.h"

#define TOTAL_BYTES	(UINT64_C(1) << 30)	/* of all blocks */

static struct {
	struct claw_early_block blocks[CLAW_EARLY_READS];
	uint64_t bytes;
} own;

/* A parent's blocks stay: the driver's threads are not here to write, but
 * whoever interrupted them may still have the addresses. */
void claw_early_memory_begin(void)
{
	memset(&own, 0, sizeof(own));
}

void claw_early_flatten(struct claw_span *span)
{
	if (span->rows > 1 && span->row_pitch == span->row_bytes) {
		span->row_bytes *= span->rows;
		span->rows = 1;
	}
	if (span->rows == 1 && span->slices > 1 &&
	    span->slice_pitch == span->row_bytes) {
		span->row_bytes *= span->slices;
		span->slices = 1;
	}
}

/* ---- blocks */

struct claw_early_block *claw_early_block_find(const struct claw_span *span)
{
	uint64_t end = claw_span_end(span);

	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++) {
		struct claw_early_block *block = &own.blocks[i];

		if (block->memory && block->is_whole &&
		    span->start >= block->low && end <= block->high)
			return block;
	}
	return NULL;
}

static struct claw_early_block *find_free(void)
{
	for (unsigned int i = 0; i < CLAW_EARLY_READS; i++)
		if (!own.blocks[i].memory)
			return &own.blocks[i];
	return NULL;
}

struct claw_early_block *claw_early_block_take(const struct claw_span *span,
					       bool is_needed)
{
	struct claw_early_block *block = claw_early_block_find(span);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t end = claw_span_end(span);
	size_t offset = (size_t)(span->start % page);
	size_t bytes = (size_t)(end - span->start) + offset;
	int saved = errno;
	void *base;

	if (block) {
		block->users++;
		return block;
	}
	block = find_free();
	if (!block || end < span->start ||
	    (!is_needed && own.bytes + bytes > TOTAL_BYTES))
		return NULL;
	base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	errno = saved;
	if (base == MAP_FAILED)
		return NULL;
	*block = (struct claw_early_block){
		.memory = (char *)base + offset, .base = base,
		.base_bytes = bytes, .low = span->start, .high = end,
		.users = 1, .is_whole = span->rows == 1 && span->slices == 1,
	};
	own.bytes += bytes;
	return block;
}

void claw_early_block_give(struct claw_early_block *block)
{
	int saved = errno;

	if (--block->users)
		return;
	own.bytes -= block->base_bytes;
	munmap(block->base, block->base_bytes);
	block->memory = NULL;
	errno = saved;
}

bool claw_early_copy(const struct claw_early_read *read)
{
	const struct claw_span *span = &read->span;
	const char *from = read->block->memory + (read->low - read->block->low);

	for (uint32_t slice = 0; slice < span->slices; slice++)
		for (uint32_t row = 0; row < span->rows; row++) {
			uint64_t offset = slice * span->slice_pitch +
				row * span->row_pitch;

			if (!claw_early_copy_bytes(
					(void *)(uintptr_t)(span->start + offset),
					from + offset, span->row_bytes))
				return false;
		}
	return true;
}

/* ---- the program's memory */

/* /proc/self/maps, line by line. */
struct maps {
	int fd;
	size_t used, at;
	char text[4096];
};

/* The next line without its end, or NULL. One that is too long is cut. */
static char *next_line(struct maps *maps)
{
	for (;;) {
		char *line = maps->text + maps->at;
		char *end = memchr(line, '\n', maps->used - maps->at);
		ssize_t got;

		if (end) {
			*end = '\0';
			maps->at = (size_t)(end + 1 - maps->text);
			return line;
		}
		maps->used -= maps->at;
		memmove(maps->text, line, maps->used);
		maps->at = 0;
		if (maps->used == sizeof(maps->text))
			return NULL;
		got = read(maps->fd, maps->text + maps->used,
			   sizeof(maps->text) - maps->used);
		if (got <= 0)
			return NULL;
		maps->used += (size_t)got;
	}
}

static uint64_t hex(char **text)
{
	uint64_t number = 0;

	for (;; ++*text) {
		char c = **text;

		if (c >= '0' && c <= '9')
			number = number << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			number = number << 4 | (uint64_t)(c - 'a' + 10);
		else
			return number;
	}
}

/* Of a device, a stack, or with other rights there is more to know than we
 * could put back. "LOW-HIGH rw-p OFFSET MAJOR:MINOR INODE   PATH" */
static bool is_plain_line(const char *rights)
{
	const char *path = strchr(rights, '/');

	return !strncmp(rights, "rw-", 3) && !strstr(rights, "[stack") &&
	       (!path || strncmp(path, "/dev/", 5));
}

static bool find_plain(struct maps *maps, uint64_t low, uint64_t high)
{
	char *line;

	while ((line = next_line(maps))) {
		uint64_t from = hex(&line), to;

		if (*line != '-')
			return false;
		line++;
		to = hex(&line);
		if (to <= low)
			continue;
		if (from > low || *line != ' ' || !is_plain_line(line + 1))
			return false;
		if (to >= high)
			return true;
		low = to;
	}
	return false;
}

bool claw_early_is_plain(uint64_t low, uint64_t high)
{
	static struct maps maps;
	int saved = errno;
	bool plain;

	maps.used = maps.at = 0;
	maps.fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	plain = maps.fd >= 0 && find_plain(&maps, low, high);
	if (maps.fd >= 0)
		close(maps.fd);
	errno = saved;
	return plain;
}

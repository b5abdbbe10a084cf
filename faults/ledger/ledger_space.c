/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Space in the ledger's file. Addresses are reserved once, and the file's
 * byte N is always at the N-th of them, so that nothing that is mapped ever
 * moves. What is taken was had on the disk before it is mapped; what is given
 * back is no longer on the disk, and is used again before the file grows. No
 * file descriptor stays open.
 */
#include "config.h"

#include "ledger_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "faults/shared/statx.h"

enum {
	MAX_GAPS = 256,		/* places that are used, and more */
	SMALLEST_RANGE = 1 << 24,
};

struct gap {
	uint64_t offset, bytes;
};

static struct {
	unsigned char *base;	/* of the addresses; NULL: none */
	uint64_t range_bytes;
	uint64_t end;		/* of what was ever taken */
	uint64_t device_major, device_minor, inode;
	struct gap gaps[MAX_GAPS];	/* in order; no two touch */
	unsigned int gap_count;
	uint32_t lock;
	char path[PATH_MAX];
} space;

uint64_t claw_space_page_bytes(void)
{
	long bytes = sysconf(_SC_PAGESIZE);

	return bytes > 0 ? (uint64_t)bytes : 65536;
}

void *claw_space_at(uint64_t offset)
{
	return space.base + offset;
}

/* A program that may have few addresses keeps most of them. */
static uint64_t wanted_range(void)
{
	uint64_t bytes = sizeof(size_t) > 4 ? UINT64_C(1) << 34 :
		UINT64_C(1) << 28;
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) == 0 &&
	    limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur / 16 < bytes)
		bytes = limit.rlim_cur / 16;
	return bytes / SMALLEST_RANGE * SMALLEST_RANGE;
}

static bool reserve_addresses(void)
{
	for (uint64_t bytes = wanted_range(); bytes >= SMALLEST_RANGE;
	     bytes = bytes / 2 / SMALLEST_RANGE * SMALLEST_RANGE) {
		void *base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE |
				  MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (base == MAP_FAILED)
			continue;
		space.base = base;
		space.range_bytes = bytes;
		return true;
	}
	return false;
}

static bool is_our_file(int fd, bool remember)
{
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_TYPE, &st) != 0)
		return false;
	if (remember) {
		space.inode = st.stx_ino;
		space.device_major = st.stx_dev_major;
		space.device_minor = st.stx_dev_minor;
	}
	return st.stx_ino == space.inode &&
	       st.stx_dev_major == space.device_major &&
	       st.stx_dev_minor == space.device_minor;
}

static bool map(int fd, uint64_t offset, uint64_t bytes)
{
	return claw_journal_reserve_space(fd, offset, bytes) &&
	       mmap(space.base + offset, bytes, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd,
		    (off_t)offset) != MAP_FAILED;
}

static int open_again(void)
{
	int fd = open(space.path,
		      O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd >= 0 && !is_our_file(fd, false)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

struct claw_ledger_header *claw_space_begin(const char *path)
{
	uint64_t page = claw_space_page_bytes();
	uint64_t bytes = (sizeof(struct claw_ledger_header) + page - 1) /
		page * page;
	int fd;

	if (strlen(path) >= sizeof(space.path) || !reserve_addresses())
		return NULL;
	memcpy(space.path, path, strlen(path) + 1);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		  0644);
	if (fd >= 0 && is_our_file(fd, true) && map(fd, 0, bytes)) {
		close(fd);
		space.end = bytes;
		return (void *)space.base;
	}
	if (fd >= 0) {
		unlink(path);
		close(fd);
	}
	claw_space_end();
	return NULL;
}

void claw_space_end(void)
{
	if (space.base)
		munmap(space.base, space.range_bytes);
	memset(&space, 0, sizeof(space));
}

/* The smallest gap that is large enough, or NULL. */
static struct gap *find_gap(uint64_t bytes)
{
	struct gap *best = NULL;

	for (unsigned int i = 0; i < space.gap_count; i++)
		if (space.gaps[i].bytes >= bytes &&
		    (!best || space.gaps[i].bytes < best->bytes))
			best = &space.gaps[i];
	return best;
}

static void remove_gap(struct gap *gap)
{
	space.gap_count--;
	memmove(gap, gap + 1, (size_t)(space.gaps + space.gap_count - gap) *
		sizeof(*gap));
}

/* Under the lock. */
static bool take(uint64_t bytes, uint64_t *ret_offset)
{
	struct gap *gap = find_gap(bytes);
	uint64_t offset = gap ? gap->offset : space.end;
	int fd;
	bool mapped;

	if (!gap && bytes > space.range_bytes - space.end)
		return false;
	fd = open_again();
	if (fd < 0)
		return false;
	mapped = map(fd, offset, bytes);
	close(fd);
	if (!mapped)
		return false;
	if (gap) {
		/* A file system that makes no holes left what was there. */
		memset(space.base + offset, 0, bytes);
		gap->offset += bytes;
		gap->bytes -= bytes;
		if (!gap->bytes)
			remove_gap(gap);
	} else {
		space.end += bytes;
		claw_own_ledger.header->file_bytes = space.end;
	}
	*ret_offset = offset;
	return true;
}

bool claw_space_take(uint64_t bytes, uint64_t *ret_offset)
{
	int err = errno;
	bool taken = false;

	if (claw_lock(CLAW_TURN_SHARED, &space.lock)) {
		taken = take(bytes, ret_offset);
		claw_unlock(CLAW_TURN_SHARED, &space.lock);
	}
	errno = err;
	return taken;
}

/* Under the lock. What finds no place in the list is lost. */
static void add_gap(uint64_t offset, uint64_t bytes)
{
	struct gap *next = space.gaps, *end = space.gaps + space.gap_count;

	while (next < end && next->offset < offset)
		next++;
	if (next > space.gaps && next[-1].offset + next[-1].bytes == offset) {
		next[-1].bytes += bytes;
		if (next < end && offset + bytes == next->offset) {
			next[-1].bytes += next->bytes;
			remove_gap(next);
		}
	} else if (next < end && offset + bytes == next->offset) {
		next->offset = offset;
		next->bytes += bytes;
	} else if (space.gap_count < MAX_GAPS) {
		memmove(next + 1, next, (size_t)(end - next) * sizeof(*next));
		*next = (struct gap){ .offset = offset, .bytes = bytes };
		space.gap_count++;
	}
}

void claw_space_give(uint64_t offset, uint64_t bytes)
{
	int err = errno;
	int fd;

	if (!claw_lock(CLAW_TURN_SHARED, &space.lock))
		return;
	fd = open_again();
	if (fd >= 0) {
		fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  (off_t)offset, (off_t)bytes);
		close(fd);
	}
	add_gap(offset, bytes);
	claw_unlock(CLAW_TURN_SHARED, &space.lock);
	errno = err;
}

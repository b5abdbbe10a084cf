/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contents file: each content once, behind each other, at offsets that
 * never mean anything else. What no live object's slot and no call in the ring
 * needs is punched out of the file again. A window of the file is mapped for
 * what is small; what is large is written to it. No file descriptor stays open.
 */
#include "config.h"

#include "trace_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "faults/shared/statx.h"

enum {
	ENTRIES = 1 << 17,
	BUCKETS = 1 << 18,
	SMALL = 64 << 10,	/* is put into the window */
	FIRST_WINDOW = SMALL,
	WINDOW = 1 << 20,	/* of one that follows a full one, at most */
	BOUNCE = 256 << 10,
	FIRST = 4096,		/* no content has offset 0 */
	KEPT_FREE = 10,		/* percent of the file system */
};

static const uint64_t default_bytes = UINT64_C(1) << 30;

/* In the order of their offsets. */
struct entry {
	struct claw_trace_content content;	/* length 0: free */
	uint64_t position;	/* of the ring, when it was last referred to */
	uint32_t slots;		/* that refer to it */
	uint32_t next;		/* in its bucket: index + 1 */
};

static struct {
	struct entry *entries;
	uint32_t *buckets;	/* index + 1 */
	unsigned char *window;	/* NULL: none is mapped */
	unsigned char *bounce;
	uint32_t count, bounce_taken;
	uint64_t window_offset, window_bytes, window_used;
	uint64_t end;		/* of the file */
	uint64_t swept_position;
	uint64_t device_major, device_minor, inode;
	char path[PATH_MAX];	/* "": no file */
} own;

static bool is_our_file(int fd, bool remember)
{
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_TYPE, &st) != 0)
		return false;
	if (remember) {
		own.inode = st.stx_ino;
		own.device_major = st.stx_dev_major;
		own.device_minor = st.stx_dev_minor;
	}
	return st.stx_ino == own.inode &&
	       st.stx_dev_major == own.device_major &&
	       st.stx_dev_minor == own.device_minor;
}

static int open_again(void)
{
	int fd = open(own.path,
		      O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd >= 0 && !is_our_file(fd, false)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* ---- space; under the lock */

static uint64_t max_bytes(void)
{
	uint64_t bytes = claw_own_trace.config.max_bytes;

	return bytes ? bytes : default_bytes;
}

static bool leaves_enough(int fd, uint64_t bytes)
{
	struct statvfs fs;
	struct statx file;

	return statx(fd, "", AT_EMPTY_PATH, STATX_BLOCKS, &file) == 0 &&
	       file.stx_blocks * 512 + bytes <= max_bytes() &&
	       fstatvfs(fd, &fs) == 0 &&
	       (uint64_t)fs.f_bavail * fs.f_frsize >= bytes +
	       (uint64_t)fs.f_blocks * fs.f_frsize / 100 * KEPT_FREE;
}

/* So many bytes at the end of the file, on the disk. */
static bool take(int fd, uint64_t bytes, uint64_t *ret_offset)
{
	uint64_t page = claw_space_page_bytes();
	uint64_t whole = (bytes + page - 1) / page * page;

	if (!leaves_enough(fd, whole) ||
	    !claw_journal_reserve_space(fd, own.end, whole))
		return false;
	*ret_offset = own.end;
	own.end += whole;
	claw_own_trace.header->contents_used = own.end;
	return true;
}

static void punch(int fd, uint64_t from, uint64_t to)
{
	uint64_t page = claw_space_page_bytes();

	from = (from + page - 1) / page * page;
	to = to / page * page;
	if (from < to)
		fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  (off_t)from, (off_t)(to - from));
}

/* Addresses for the largest window. */
static bool have_addresses(void)
{
	void *where;

	if (own.window)
		return true;
	where = mmap(NULL, WINDOW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
		     MAP_NORESERVE, -1, 0);
	if (where == MAP_FAILED)
		return false;
	own.window = where;
	own.window_bytes = own.window_used = 0;
	return true;
}

/* Twice as large as one that was filled, which behind a large content it is
 * not: its pages are made at once, and given back when it is left. */
static bool move_window(void)
{
	uint64_t bytes = own.window_bytes ? own.window_bytes * 2 : FIRST_WINDOW;
	void *where = MAP_FAILED;
	uint64_t offset;
	int fd;

	if (bytes > WINDOW)
		bytes = WINDOW;
	if (!have_addresses())
		return false;
	fd = open_again();
	if (fd < 0)
		return false;
	if (take(fd, bytes, &offset)) {
		own.window_bytes = 0;	/* what was there may be gone */
		where = mmap(own.window, bytes, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_POPULATE | MAP_FIXED, fd,
			     (off_t)offset);
	}
	close(fd);
	if (where == MAP_FAILED)
		return false;
	own.window_offset = offset;
	own.window_bytes = bytes;
	own.window_used = 0;
	return true;
}

/* Smaller contents go into a window behind what is there from now on. */
static void leave_window(int fd)
{
	if (own.window_bytes)
		punch(fd, own.window_offset + own.window_used,
		      own.window_offset + own.window_bytes);
	own.window_bytes = own.window_used = 0;
}

static bool put_small(const void *bytes, uint64_t size, uint64_t *ret_offset)
{
	int err = errno;

	if ((!own.window_bytes || own.window_used + size > own.window_bytes) &&
	    !move_window()) {
		errno = err;
		return false;
	}
	memcpy(own.window + own.window_used, bytes, size);
	*ret_offset = own.window_offset + own.window_used;
	own.window_used += (size + 7) & ~UINT64_C(7);
	return true;
}

/* ---- the index; under the lock */

static uint32_t *bucket_of(const uint64_t *hash)
{
	return &own.buckets[hash[0] & (BUCKETS - 1)];
}

/* Two threads may have kept the same at a time: with an offset, that one. */
static struct entry *find(const struct claw_trace_content *content)
{
	uint32_t i = *bucket_of(content->hash);

	for (; i; i = own.entries[i - 1].next) {
		struct entry *entry = &own.entries[i - 1];

		if (!memcmp(entry->content.hash, content->hash,
			    sizeof(content->hash)) &&
		    entry->content.length == content->length &&
		    (!content->offset ||
		     entry->content.offset == content->offset))
			return entry;
	}
	return NULL;
}

static bool is_needed(const struct entry *entry)
{
	return entry->slots || !claw_ring_forgot(entry->position);
}

/* What the file has between two contents that stay; punching twice gives
 * nothing, so only what has lost a content just now is looked at. */
static void sweep(void)
{
	int fd = open_again();
	uint64_t gap = FIRST;
	bool lost = false;
	uint32_t kept = 0;

	claw_slots_expire();
	own.swept_position = claw_ring_used();
	memset(own.buckets, 0, BUCKETS * sizeof(*own.buckets));
	for (uint32_t i = 0; i < own.count; i++) {
		struct entry *entry = &own.entries[i];
		uint32_t *bucket;

		if (!is_needed(entry)) {
			lost = true;
			continue;
		}
		if (lost && fd >= 0)
			punch(fd, gap, entry->content.offset);
		lost = false;
		gap = entry->content.offset + entry->content.length;
		own.entries[kept] = *entry;
		bucket = bucket_of(entry->content.hash);
		own.entries[kept].next = *bucket;
		*bucket = ++kept;
	}
	if (lost && fd >= 0)
		punch(fd, gap, own.window_bytes ? own.window_offset : own.end);
	own.count = kept;
	if (fd >= 0)
		close(fd);
}

/* Now and then, so that it costs a call nothing to speak of. */
static void sweep_sometimes(bool must)
{
	uint64_t since = claw_ring_used() - own.swept_position;
	int err = errno;

	if (since > claw_own_trace.ring_bytes / (must ? 16 : 1))
		sweep();
	errno = err;
}

static void add(const struct claw_trace_content *content)
{
	uint32_t *bucket = bucket_of(content->hash);
	struct entry *entry = &own.entries[own.count++];

	*entry = (struct entry){
		.content = *content, .position = claw_ring_used(),
		.next = *bucket,
	};
	*bucket = own.count;
}

void claw_contents_lose(void)
{
	__atomic_fetch_add(&claw_own_trace.header->contents_lost, 1,
			   __ATOMIC_RELAXED);
}

static bool has_room(void)
{
	if (own.count == ENTRIES)
		sweep_sometimes(true);
	return own.count < ENTRIES;
}

void claw_contents_hold(const struct claw_trace_content *content)
{
	struct entry *entry = content->offset ? find(content) : NULL;

	if (entry)
		entry->slots++;
}

void claw_contents_drop(const struct claw_trace_content *content)
{
	struct entry *entry = content->offset ? find(content) : NULL;

	if (entry && entry->slots)
		entry->slots--;
}

/* ---- outside of it */

/* Is it there already? Then it stays for some time. */
static bool is_known(struct claw_trace_content *content)
{
	enum claw_turn turn = claw_trace_enter();
	struct entry *entry;

	if (turn == CLAW_TURN_NONE)
		return false;
	entry = find(content);
	if (entry) {
		entry->position = claw_ring_used();
		content->offset = entry->content.offset;
	}
	claw_trace_leave(turn);
	return entry != NULL;
}

static bool keep_small(const void *bytes, struct claw_trace_content *content)
{
	enum claw_turn turn = claw_trace_enter();
	bool kept = false;

	if (turn == CLAW_TURN_NONE)
		return false;
	sweep_sometimes(false);
	kept = has_room() && put_small(bytes, content->length,
				       &content->offset);
	if (!kept) {
		sweep_sometimes(true);
		kept = has_room() && put_small(bytes, content->length,
					       &content->offset);
	}
	if (kept)
		add(content);
	claw_trace_leave(turn);
	return kept;
}

/* Entries are in the order of their offsets: a place is taken and entered in
 * one go, and the bytes follow. Killed in between, the record that refers to
 * it is not there yet. */
static bool take_large(struct claw_trace_content *content)
{
	enum claw_turn turn = claw_trace_enter();
	bool taken = false;
	int fd;

	if (turn == CLAW_TURN_NONE)
		return false;
	sweep_sometimes(false);
	fd = open_again();
	taken = fd >= 0 && has_room() &&
		take(fd, content->length, &content->offset);
	if (fd >= 0 && !taken) {
		sweep_sometimes(true);
		taken = has_room() &&
			take(fd, content->length, &content->offset);
	}
	if (taken) {
		leave_window(fd);
		add(content);
	}
	if (fd >= 0)
		close(fd);
	claw_trace_leave(turn);
	return taken;
}

static void forget(const struct claw_trace_content *content)
{
	enum claw_turn turn = claw_trace_enter();
	struct entry *entry;

	if (turn == CLAW_TURN_NONE)
		return;
	entry = find(content);
	if (entry)		/* nobody can find it; it goes with the others */
		entry->content.hash[1] = ~entry->content.hash[1];
	claw_trace_leave(turn);
}

static unsigned char *take_bounce(bool *ret_is_own)
{
	void *memory;

	*ret_is_own = __atomic_exchange_n(&own.bounce_taken, 1,
					  __ATOMIC_ACQUIRE);
	if (!*ret_is_own)
		return own.bounce;
	memory = mmap(NULL, BOUNCE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

static void give_bounce(unsigned char *bounce, bool is_own)
{
	if (is_own)
		munmap(bounce, BOUNCE);
	else
		__atomic_store_n(&own.bounce_taken, 0, __ATOMIC_RELEASE);
}

/* All of it through the bounce buffer: hashed, and to fd where that is not
 * -1. What there is of it at the end is in the buffer, if it is short. */
static bool run_through(const struct claw_trace_source *source,
			struct claw_trace_content *content,
			unsigned char *bounce, int fd)
{
	uint64_t length = claw_source_bytes(source);
	struct claw_trace_hasher hasher;

	claw_trace_hash_begin(&hasher, length,
			      claw_own_trace.config.redact ?
			      claw_own_trace.salt : NULL);
	for (uint64_t at = 0; at < length; at += BOUNCE) {
		uint64_t piece = length - at < BOUNCE ? length - at : BOUNCE;

		if (!claw_source_fetch(source, at, bounce, piece))
			return false;
		claw_trace_hash_add(&hasher, bounce, piece);
		if (fd >= 0 && !claw_file_write_at(fd, bounce, piece,
					  content->offset + at))
			return false;
	}
	claw_trace_hash_end(&hasher, content->hash);
	content->length = length;
	return true;
}

static bool keep_large(const struct claw_trace_source *source,
		       struct claw_trace_content *content,
		       unsigned char *bounce)
{
	struct claw_trace_content again;
	bool done = false;
	int fd;

	if (!take_large(content))
		return false;
	again = *content;
	fd = open_again();
	if (fd >= 0) {
		done = run_through(source, &again, bounce, fd) &&
		       !memcmp(again.hash, content->hash, sizeof(again.hash));
		close(fd);
	}
	if (!done)
		forget(content);
	return done;
}

static bool keep(const struct claw_trace_source *source, bool may_keep,
		 struct claw_trace_content *ret)
{
	struct claw_trace_content content = { .offset = 0 };
	unsigned char *bounce;
	bool is_own, read;
	int err = errno;

	bounce = take_bounce(&is_own);
	if (!bounce) {
		claw_contents_lose();
		return false;
	}
	read = run_through(source, &content, bounce, -1);
	if (read && may_keep && content.length && !is_known(&content)) {
		bool kept = own.path[0] && (content.length <= SMALL ?
			keep_small(bounce, &content) :
			keep_large(source, &content, bounce));

		if (!kept) {
			content.offset = 0;
			claw_contents_lose();
		}
	}
	give_bounce(bounce, is_own);
	errno = err;
	if (read)
		*ret = content;
	return read;
}

bool claw_contents_keep(const struct claw_trace_source *source,
			struct claw_trace_content *ret)
{
	return keep(source, !claw_own_trace.config.redact, ret);
}

bool claw_contents_hash(const struct claw_trace_source *source,
			struct claw_trace_content *ret)
{
	return keep(source, false, ret);
}

bool claw_contents_read(uint64_t offset, void *to, uint64_t bytes)
{
	int err = errno, fd = open_again();
	bool done = fd >= 0 &&
		pread(fd, to, bytes, (off_t)offset) == (ssize_t)bytes;

	if (fd >= 0)
		close(fd);
	errno = err;
	return done;
}

bool claw_contents_keep_record(const void *bytes, uint64_t size,
			       struct claw_trace_content *ret)
{
	struct claw_trace_source source = claw_source_plain(bytes, size);

	return keep(&source, true, ret) && ret->offset;
}

/* ---- the process */

void claw_contents_end(void)
{
	if (own.window)
		munmap(own.window, WINDOW);
	own.window = NULL;
	own.window_bytes = 0;
	own.path[0] = '\0';
}

bool claw_contents_begin(const char *path)
{
	int fd;

	claw_contents_end();
	own.entries = claw_trace_memory(own.entries,
					ENTRIES * sizeof(*own.entries));
	own.buckets = claw_trace_memory(own.buckets,
					BUCKETS * sizeof(*own.buckets));
	own.bounce = claw_trace_memory(own.bounce, BOUNCE);
	own.count = own.bounce_taken = 0;
	own.swept_position = own.window_used = 0;
	own.end = FIRST;
	if (!own.entries || !own.buckets || !own.bounce ||
	    strlen(path) >= sizeof(own.path))
		return false;
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		  0644);
	if (fd < 0)
		return false;
	if (is_our_file(fd, true) &&
	    claw_journal_reserve_space(fd, 0, FIRST) &&
	    pwrite(fd, CLAW_CONTENTS_MAGIC, 8, 0) == 8)
		memcpy(own.path, path, strlen(path) + 1);
	else
		unlink(path);
	close(fd);
	claw_own_trace.header->contents_used = own.end;
	return own.path[0];
}

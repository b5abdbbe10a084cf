/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What openclaw-instrument and the driver have said before: files KEY.SUFFIX
 * in a directory of the user's, named by what was asked; and those of them that
 * this run used, in the session's blobs. The first line of a file of the cache
 * has the hash of the rest: one that is damaged is deleted, and made anew.
 */
#include "config.h"

#include "instrument_private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/call/own_session.h"
#include "faults/shared/trace_hash.h"

enum { FILE_MAX = 64 << 20, PRINT = 2 * 16 };

static const char mark[] = "openclaw-cache 1 ";

enum { HEAD = sizeof(mark) - 1 + PRINT + 1 };	/* bytes of that line */

static char directory[CLAW_INSTRUMENT_PATH];	/* "": none */
static uint64_t helper_is[3];			/* its size and time */
static uint64_t began_ns;

static bool make_cache(const char *path)
{
	char made[CLAW_INSTRUMENT_PATH];

	if ((size_t)snprintf(made, sizeof(made), "%s", path) >= sizeof(made))
		return false;
	if (!claw_directories_make(made) || access(made, R_OK | W_OK | X_OK))
		return false;
	memcpy(directory, made, sizeof(directory));
	return true;
}

/* As the rest of the world does it. */
static bool find_cache(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char path[CLAW_INSTRUMENT_PATH];

	if (cache && *cache == '/')
		snprintf(path, sizeof(path), "%s/openclaw/instrument", cache);
	else if (home && *home == '/')
		snprintf(path, sizeof(path), "%s/.cache/openclaw/instrument",
			 home);
	else
		return false;
	return make_cache(path);
}

void claw_cache_begin(void)
{
	struct statx st;

	directory[0] = '\0';
	began_ns = claw_reads_now();
	memset(helper_is, 0, sizeof(helper_is));
	if (statx(AT_FDCWD, claw_instrument_config.helper, 0,
		  STATX_SIZE | STATX_MTIME, &st) == 0) {
		helper_is[0] = st.stx_size;
		helper_is[1] = (uint64_t)st.stx_mtime.tv_sec;
		helper_is[2] = st.stx_mtime.tv_nsec;
	}
	if (!*claw_instrument_config.cache ||
	    !make_cache(claw_instrument_config.cache))
		find_cache();
}

void claw_cache_key(const char *bytes, size_t length,
		    char key[CLAW_PROBE_KEY])
{
	struct claw_trace_hasher hasher;
	uint64_t hash[2];

	claw_trace_hash_begin(&hasher, length, helper_is);
	hasher.lanes[1] ^= helper_is[2];
	claw_trace_hash_add(&hasher, bytes, length);
	claw_trace_hash_end(&hasher, hash);
	snprintf(key, CLAW_PROBE_KEY, "%016" PRIx64 "%016" PRIx64, hash[0],
		 hash[1]);
}

/* DIRECTORY/KEY, or that with a suffix. False: there is no such place. */
static bool path_of(const char *key, const char *suffix,
		     char path[CLAW_INSTRUMENT_PATH])
{
	return *directory &&
	       snprintf(path, CLAW_INSTRUMENT_PATH, "%s/%s%s", directory, key,
			suffix) < CLAW_INSTRUMENT_PATH;
}

bool claw_blob_path(const char *key, const char *suffix,
		    char path[CLAW_INSTRUMENT_PATH])
{
	const char *journal = claw_journal_path();
	const char *slash = strrchr(journal, '/');

	return slash && snprintf(path, CLAW_INSTRUMENT_PATH,
				 "%.*s/blobs/%s%s", (int)(slash - journal),
				 journal, key, suffix) < CLAW_INSTRUMENT_PATH;
}

/* ---- files */

static bool read_whole(int fd, struct claw_text *text)
{
	size_t got = 0;
	ssize_t n = 1;

	while (got < text->length && n) {
		n = read(fd, text->bytes + got, text->length - got);
		if (n < 0 && errno != EINTR)
			return false;
		got += n > 0 ? (size_t)n : 0;
	}
	text->bytes[got] = '\0';
	return got == text->length;
}

bool claw_file_read(const char *path, struct claw_text *ret_text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct claw_text text = { .bytes = NULL };
	bool done = false;
	off_t size;

	if (fd < 0)
		return false;
	size = lseek(fd, 0, SEEK_END);
	if (size >= 0 && size <= FILE_MAX && lseek(fd, 0, SEEK_SET) == 0) {
		text.length = (size_t)size;
		text.bytes = malloc(text.length + 1);
		done = text.bytes && read_whole(fd, &text);
	}
	close(fd);
	if (done)
		*ret_text = text;
	else
		free(text.bytes);
	return done;
}

/* Nobody sees a half of it: another process may be at the same. */
static bool write_file(const char *path, const char *head, const char *bytes,
		       size_t length)
{
	char made[CLAW_INSTRUMENT_PATH + 32];
	static uint32_t number;
	bool done;
	int fd;

	snprintf(made, sizeof(made), "%s.%d.%" PRIu32, path, (int)getpid(),
		 __atomic_fetch_add(&number, 1, __ATOMIC_RELAXED));
	fd = open(made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return false;
	done = claw_file_write(fd, head, strlen(head)) &&
		claw_file_write_at(fd, bytes, length, strlen(head));
	done = close(fd) == 0 && done && rename(made, path) == 0;
	if (!done)
		unlink(made);
	return done;
}

/* The line that stands before these bytes. */
static void head_of(const char *bytes, size_t length, char head[HEAD + 1])
{
	uint64_t hash[2];

	claw_trace_hash(bytes, length, hash);
	snprintf(head, HEAD + 1, "%s%016" PRIx64 "%016" PRIx64 "\n", mark,
		 hash[0], hash[1]);
}

/* Without that line. False: it is damaged. */
static bool take_head(struct claw_text *text)
{
	char head[HEAD + 1];

	if (text->length < HEAD)
		return false;
	head_of(text->bytes + HEAD, text->length - HEAD, head);
	if (memcmp(text->bytes, head, HEAD))
		return false;
	text->length -= HEAD;
	memmove(text->bytes, text->bytes + HEAD, text->length + 1);
	return true;
}

static bool read_entry(const char *path, struct claw_text *ret_text)
{
	struct claw_text text;

	if (!claw_file_read(path, &text))
		return false;
	if (take_head(&text)) {
		*ret_text = text;
		return true;
	}
	free(text.bytes);
	unlink(path);
	return false;
}

static void write_entry(const char *path, const char *bytes, size_t length)
{
	char head[HEAD + 1];

	head_of(bytes, length, head);
	write_file(path, head, bytes, length);
}

bool claw_cache_is_old(const char *key, const char *suffix)
{
	char path[CLAW_INSTRUMENT_PATH];
	struct statx st;

	return path_of(key, suffix, path) &&
	       !statx(AT_FDCWD, path, 0, STATX_MTIME, &st) &&
	       claw_reads_ns(st.stx_mtime) < began_ns;
}

bool claw_cache_read(const char *key, const char *suffix,
		     struct claw_text *ret_text)
{
	char path[CLAW_INSTRUMENT_PATH];

	return path_of(key, suffix, path) && read_entry(path, ret_text);
}

void claw_cache_write(const char *key, const char *suffix, const char *bytes,
		      size_t length)
{
	char path[CLAW_INSTRUMENT_PATH];

	if (path_of(key, suffix, path))
		write_entry(path, bytes, length);
}

void claw_cache_remove(const char *key, const char *suffix)
{
	char path[CLAW_INSTRUMENT_PATH];

	if (path_of(key, suffix, path))
		unlink(path);
}

static bool unit_path(const char *key, char path[CLAW_INSTRUMENT_PATH])
{
	return snprintf(path, CLAW_INSTRUMENT_PATH, "%s/units/%s.unit",
			claw_instrument_config.programs, key) <
	       CLAW_INSTRUMENT_PATH;
}

bool claw_units_read(const char *key, struct claw_text *ret_text)
{
	char path[CLAW_INSTRUMENT_PATH];

	return unit_path(key, path) && read_entry(path, ret_text);
}

void claw_units_write(const char *key, const char *bytes, size_t length)
{
	char path[CLAW_INSTRUMENT_PATH];

	if (unit_path(key, path))
		write_entry(path, bytes, length);
}

bool claw_blob_write(const char *key, const char *suffix, const char *bytes,
		     size_t length)
{
	char path[CLAW_INSTRUMENT_PATH];

	return claw_blob_path(key, suffix, path) &&
	       (access(path, F_OK) == 0 ||
		write_file(path, "", bytes, length));
}

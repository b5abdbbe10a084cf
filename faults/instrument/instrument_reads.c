/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that a text includes: which they are, as its map says ("reads"
 * lines), and what is in them now.
 */
#include "config.h"

#include "instrument_private.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "faults/shared/trace_hash.h"

enum { TICK_NS = 10 * 1000 * 1000 };	/* of a file's times, at most */

uint64_t claw_reads_ns(struct statx_timestamp time)
{
	return (uint64_t)time.tv_sec * UINT64_C(1000000000) + time.tv_nsec;
}

uint64_t claw_reads_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) +
	       (uint64_t)now.tv_nsec - TICK_NS;
}

bool claw_reads_list(const char *map, struct claw_text *ret_list)
{
	static const char word[] = "reads ";
	FILE *out = open_memstream(&ret_list->bytes, &ret_list->length);

	if (!out)
		return false;
	for (size_t length; *map; map += length + (map[length] == '\n')) {
		length = strcspn(map, "\n");
		if (!strncmp(map, word, sizeof(word) - 1))
			fprintf(out, "%.*s\n", (int)(length - sizeof(word) + 1),
				map + sizeof(word) - 1);
	}
	if (fclose(out) == 0 && ret_list->length > 0)
		return true;
	free(ret_list->bytes);
	ret_list->bytes = NULL;
	return false;
}

/* A file as it goes into the hash: one step of it. */
struct read {
	uint64_t path[2];
	uint64_t text[2];	/* { 0, 0 }: there is no such file */
};

/* False: written since, or what it reads is not all on the list: a file that
 * __has_include found. */
static bool look(const char *path, uint64_t since_ns, struct read *ret_read)
{
	struct claw_text text;
	struct statx st;
	bool is_good;

	memset(ret_read, 0, sizeof(*ret_read));
	claw_trace_hash(path, strlen(path), ret_read->path);
	if (statx(AT_FDCWD, path, 0, STATX_MTIME | STATX_CTIME, &st))
		return true;
	if (claw_reads_ns(st.stx_mtime) >= since_ns ||
	    claw_reads_ns(st.stx_ctime) >= since_ns || !claw_file_read(path, &text))
		return false;
	is_good = !strstr(text.bytes, "__has_include");
	claw_trace_hash(text.bytes, text.length, ret_read->text);
	ret_read->text[0] |= 1;
	free(text.bytes);
	return is_good;
}

bool claw_reads_print(const struct claw_text *list, uint64_t since_ns,
		      char print[CLAW_PROBE_KEY])
{
	struct claw_trace_hasher hasher;
	char path[CLAW_INSTRUMENT_PATH];
	const char *at = list->bytes;
	struct read read;
	uint64_t hash[2];

	_Static_assert(sizeof(read) == CLAW_TRACE_HASH_STEP, "one step a file");
	claw_trace_hash_begin(&hasher, list->length, NULL);
	for (size_t length; *at; at += length + (at[length] == '\n')) {
		length = strcspn(at, "\n");
		if (length >= sizeof(path))
			return false;
		memcpy(path, at, length);
		path[length] = '\0';
		if (!look(path, since_ns, &read))
			return false;
		claw_trace_hash_add(&hasher, &read, sizeof(read));
	}
	claw_trace_hash_end(&hasher, hash);
	snprintf(print, CLAW_PROBE_KEY, "%016" PRIx64 "%016" PRIx64, hash[0],
		 hash[1]);
	return true;
}

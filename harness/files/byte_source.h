/* SPDX-License-Identifier: Apache-2.0 */
/* What a journal or a ledger is read from: a file, or bytes. */
#ifndef CLAW_BYTE_SOURCE_H
#define CLAW_BYTE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct claw_source {
	int fd;				/* -1: bytes */
	const unsigned char *bytes;	/* borrowed */
	uint64_t size;			/* bytes */
};

/* Open a file that is one, without waiting for it. 0, or -CLAW_E_IO (errno
 * set); the caller closes it. */
int claw_source_open(const char *path, struct claw_source *ret_source);
/* The same of a file of a session, where a link is none (ELOOP). */
int claw_source_open_own(const char *path, struct claw_source *ret_source);
/* errno stays. */
void claw_source_close(struct claw_source *source);

/* Bytes from offset on, as many as there are. Returns how many. */
size_t claw_source_read(const struct claw_source *source, uint64_t offset,
			void *buffer, size_t bytes);

/*
 * The header that such a file begins with, of size bytes, whose own begin is
 * struct claw_source_head. 0, -CLAW_E_DAMAGED (it is none, or shorter), or
 * -CLAW_E_VERSION (another version's, or byte order's).
 */
struct claw_source_head {
	char magic[8];
	uint32_t version, header_bytes, endian;
};
int claw_source_read_head(const struct claw_source *source, void *header,
			  size_t size, const char *magic, uint32_t version);

/* The file of a process that runs grows: look how large it is now. */
void claw_source_look(struct claw_source *source);

/* The first bytes of a file that is no link, at most max, with a NUL behind
 * them; malloced. There is none: 0 and NULL. */
void claw_source_read_own(const char *path, size_t max, char **ret_bytes,
			  size_t *ret_size);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libmd does the work.
 */
#include "config.h"

#include "hash.h"

#include <errno.h>
#include <stdio.h>

#include <sha256.h>

#include "outside_file.h"

_Static_assert(CLAW_HASH_TEXT_BYTES == SHA256_DIGEST_STRING_LENGTH,
	       "a digest does not fit");

bool claw_hash_file(const char *path, char text[CLAW_HASH_TEXT_BYTES],
		    uint64_t *ret_bytes)
{
	FILE *in = claw_outside_stream(path);
	unsigned char bytes[16384];
	uint64_t all = 0;
	SHA2_CTX context;
	size_t size;
	int error;

	if (!in)
		return false;
	SHA256Init(&context);
	while ((size = fread(bytes, 1, sizeof(bytes), in)) > 0) {
		SHA256Update(&context, bytes, size);
		all += size;
	}
	error = ferror(in) ? errno : 0;
	fclose(in);
	if (error) {
		errno = error;
		return false;
	}
	SHA256End(&context, text);
	*ret_bytes = all;
	return true;
}

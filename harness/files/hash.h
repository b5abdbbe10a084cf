/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA-256 of files, as sha256sum prints it: for people, who compare it by eye
 * or with that program.
 */
#ifndef CLAW_HASH_H
#define CLAW_HASH_H

#include <stdbool.h>
#include <stdint.h>

enum { CLAW_HASH_TEXT_BYTES = 2 * 32 + 1 };

/* false: it cannot be read; errno is set. ret_bytes: how long it is. */
bool claw_hash_file(const char *path, char text[CLAW_HASH_TEXT_BYTES],
		    uint64_t *ret_bytes);

#endif

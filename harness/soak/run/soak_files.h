/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dumps and logs that a soak keeps, each of one signature: how much they take,
 * and which may go.
 */
#ifndef CLAW_SOAK_FILES_H
#define CLAW_SOAK_FILES_H

#include <stddef.h>
#include <stdint.h>

struct claw_soak_files;

struct claw_soak_files *claw_soak_files_new(const char *directory);
void claw_soak_files_free(struct claw_soak_files *files);

/* A file or folder in the directory; a path that leads out of it is left
 * out. */
void claw_soak_files_add(struct claw_soak_files *files, const char *signature,
			 const char *path);

/* Of everything in the directory but records.jsonl. */
uint64_t claw_soak_files_bytes(const struct claw_soak_files *files);

/* Remove the oldest, but never a signature's first and its newest, until all
 * take max_bytes at most. How many went. */
size_t claw_soak_files_trim(struct claw_soak_files *files, uint64_t max_bytes);

#endif

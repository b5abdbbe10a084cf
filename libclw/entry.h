/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is in a file of a program (cache.h): a word, the key, what is known of
 * the kernels' arguments, the binary, and a sum of all of these.
 */
#ifndef CLW_ENTRY_H
#define CLW_ENTRY_H

#include "wire.h"

#pragma GCC visibility push(hidden)

/* The parts lie in the entry or where they were made. */
struct clw_entry {
	const void *described, *binary;
	size_t described_size, binary_size;
};

/* FNV-1a */
uint64_t clw_entry_sum(uint64_t sum, const void *bytes, size_t size);
void clw_entry_write(struct clw_wire *wire, const struct clw_wire *key,
		     const struct clw_entry *entry);
/* The parts of a whole entry of this key; false: it is not one. */
bool clw_entry_read(struct clw_wire *wire, const struct clw_wire *key,
		    struct clw_entry *ret_entry);
/* In what is described, before the name and the type of each of so many
 * arguments of this kernel; false: it is not there. */
bool clw_entry_find(struct clw_wire *described, const char *kernel,
		    uint64_t count);

#pragma GCC visibility pop

#endif

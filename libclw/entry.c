/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is in a file of a program. Nobody knows who wrote what is read.
 */
#include "config.h"

#include "entry.h"

#include <string.h>

static const char MAGIC[] = "openclaw program 1";

uint64_t clw_entry_sum(uint64_t sum, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < size; i++)
		sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
	return sum;
}

void clw_entry_write(struct clw_wire *wire, const struct clw_wire *key,
		     const struct clw_entry *entry)
{
	clw_put_text(wire, MAGIC);
	clw_put_bytes(wire, key->data, key->size);
	clw_put_bytes(wire, entry->described, entry->described_size);
	clw_put_bytes(wire, entry->binary, entry->binary_size);
	clw_put(wire, clw_entry_sum(0, wire->data, wire->size));
}

bool clw_entry_read(struct clw_wire *wire, const struct clw_wire *key,
		    struct clw_entry *ret_entry)
{
	uint64_t sum = clw_entry_sum(0, wire->data, wire->size -
				     (wire->size < 8 ? wire->size : 8)), told;
	const void *known;
	size_t size;

	if (strcmp(clw_get_text(wire), MAGIC) != 0)
		return false;
	known = clw_get_bytes(wire, &size);
	if (size != key->size || memcmp(known, key->data, size) != 0)
		return false;
	ret_entry->described = clw_get_bytes(wire, &ret_entry->described_size);
	ret_entry->binary = clw_get_bytes(wire, &ret_entry->binary_size);
	told = clw_get(wire);
	return !wire->is_bad && wire->at == wire->size && told == sum;
}

bool clw_entry_find(struct clw_wire *described, const char *kernel,
		    uint64_t count)
{
	const char *name;

	while (*(name = clw_get_text(described))) {
		uint64_t has = clw_get(described);

		if (strcmp(name, kernel) == 0 && has == count)
			return !described->is_bad;
		for (uint64_t i = 0; i < has && !described->is_bad; i++) {
			clw_get_text(described);
			clw_get_text(described);
		}
	}
	return false;
}

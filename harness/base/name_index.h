/* SPDX-License-Identifier: Apache-2.0 */
/* Which item of an array has a name: of several that have it, the first. */
#ifndef CLAW_NAME_INDEX_H
#define CLAW_NAME_INDEX_H

#include <stdbool.h>
#include <stddef.h>

struct claw_name_index {
	void *tree;		/* tsearch(): names of its own */
};

/* number: the item's. */
void claw_name_index_add(struct claw_name_index *index, const char *name,
			 size_t number);
bool claw_name_index_find(const struct claw_name_index *index,
			  const char *name, size_t *ret_number);
/* That item is not there any more; what it is not entered as stays. */
void claw_name_index_drop(struct claw_name_index *index, const char *name,
			  size_t number);
void claw_name_index_clear(struct claw_name_index *index);

#endif

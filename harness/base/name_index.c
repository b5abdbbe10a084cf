/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of names. */
#include "config.h"

#include "name_index.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct named {
	const char *name;
	size_t number;
	char text[];
};

static int compare(const void *a, const void *b)
{
	const struct named *left = a, *right = b;

	return strcmp(left->name, right->name);
}

static struct named *find(const struct claw_name_index *index, const char *name)
{
	struct named key = { .name = name };
	struct named **found = tfind(&key, &index->tree, compare);

	return found ? *found : NULL;
}

void claw_name_index_add(struct claw_name_index *index, const char *name,
			 size_t number)
{
	size_t size = strlen(name) + 1;
	struct named *named;

	if (find(index, name))
		return;
	named = claw_malloc(sizeof(*named) + size);
	memcpy(named->text, name, size);
	named->name = named->text;
	named->number = number;
	claw_made(tsearch(named, &index->tree, compare));
}

bool claw_name_index_find(const struct claw_name_index *index,
			  const char *name, size_t *ret_number)
{
	const struct named *named = find(index, name);

	if (named)
		*ret_number = named->number;
	return named != NULL;
}

void claw_name_index_drop(struct claw_name_index *index, const char *name,
			  size_t number)
{
	struct named *named = find(index, name);

	if (!named || named->number != number)
		return;
	tdelete(named, &index->tree, compare);
	free(named);
}

void claw_name_index_clear(struct claw_name_index *index)
{
	tdestroy(index->tree, free);
	index->tree = NULL;
}

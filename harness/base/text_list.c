/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NULL-terminated lists of texts.
 */
#include "config.h"

#include "text_list.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

void claw_list_add(char ***list, char *text)
{
	size_t count = 0;
	char **grown;

	while (*list && (*list)[count])
		count++;
	grown = claw_grow(*list, count + 2, sizeof(*grown));
	grown[count] = claw_made(text);
	grown[count + 1] = NULL;
	*list = grown;
}

char **claw_list_copy(char *const *list)
{
	char **copy = NULL;

	for (; list && *list; list++)
		claw_list_add(&copy, claw_strdup(*list));
	return copy;
}

size_t claw_list_count(char *const *list)
{
	size_t count = 0;

	while (list && list[count])
		count++;
	return count;
}

bool claw_list_has(char *const *list, const char *text)
{
	for (; list && *list; list++)
		if (strcmp(*list, text) == 0)
			return true;
	return false;
}

void claw_list_free(char **list)
{
	for (char **text = list; text && *text; text++)
		free(*text);
	free(list);
}

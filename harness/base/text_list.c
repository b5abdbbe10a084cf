/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NULL-terminated lists of texts.
 */
#include "config.h"

#include "text_list.h"

#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "memory.h"

int claw_list_add(char ***list, char *text)
{
	size_t count = 0;
	char **grown;

	while (*list && (*list)[count])
		count++;
	grown = text ? claw_grow(*list, count + 2, sizeof(*grown)) : NULL;
	if (!grown) {
		free(text);
		return -CLAW_E_NO_MEMORY;
	}
	grown[count] = text;
	grown[count + 1] = NULL;
	*list = grown;
	return 0;
}

int claw_list_copy(char *const *list, char ***ret_copy)
{
	char **copy = NULL;
	int ret = 0;

	for (; ret == 0 && list && *list; list++)
		ret = claw_list_add(&copy, claw_strdup(*list));
	if (ret < 0)
		claw_list_free(copy);
	else
		*ret_copy = copy;
	return ret;
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

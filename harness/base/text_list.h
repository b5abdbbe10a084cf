/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NULL-terminated lists of texts, both levels malloced; NULL is an empty one.
 */
#ifndef CLAW_TEXT_LIST_H
#define CLAW_TEXT_LIST_H

#include <stdbool.h>

/* Append to a NULL-terminated list. text is taken over, NULL is "no memory".
 * 0 or -CLAW_E_NO_MEMORY. */
int claw_list_add(char ***list, char *text);
/* A copy; NULL of NULL. 0 or -CLAW_E_NO_MEMORY. */
int claw_list_copy(char *const *list, char ***ret_copy);
bool claw_list_has(char *const *list, const char *text);
void claw_list_free(char **list);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NULL-terminated lists of texts, both levels malloced; NULL is an empty one.
 */
#ifndef CLAW_TEXT_LIST_H
#define CLAW_TEXT_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Append to a NULL-terminated list. text, never NULL, is taken over. */
void claw_list_add(char ***list, char *text);
/* A copy; NULL of NULL. */
char **claw_list_copy(char *const *list);
size_t claw_list_count(char *const *list);
bool claw_list_has(char *const *list, const char *text);
void claw_list_free(char **list);

#endif

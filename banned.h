/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that no file of this project calls: each has a bounded, checked
 * or reentrant sibling (snprintf, strtok_r, strtoull, gmtime_r, memcpy with a
 * length). config.h includes this last, so that it holds everywhere.
 */
#ifndef CLAW_BANNED_H
#define CLAW_BANNED_H

/* Their declarations must be read before the names are poisoned. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok atoi atol gmtime localtime

#endif

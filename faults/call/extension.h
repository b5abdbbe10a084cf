/* SPDX-License-Identifier: Apache-2.0 */
/* Extension functions: the drivers', by the handles that they are called with. */
#ifndef CLAW_EXTENSION_H
#define CLAW_EXTENSION_H

#include "guest.h"

/* In a forked child. */
CLAW_HIDDEN void claw_extension_reset(void);
/* A driver gave it out; table: the dispatch table that its objects begin with,
 * NULL when it was looked up without a platform. */
CLAW_HIDDEN void claw_extension_remember(enum claw_api api, const void *table,
					 void *function);
/* The driver's own function for the driver that this handle belongs to. */
CLAW_HIDDEN void *claw_extension_driver(enum claw_api api, const void *key);
/* That, or what stands before it: claw_extension_alias says, if it is set
 * (model_alias.h). */
CLAW_HIDDEN void *claw_extension_next(enum claw_api api, const void *key);
extern void *(*claw_extension_alias)(enum claw_api api) CLAW_HIDDEN;

#endif

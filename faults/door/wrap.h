/* SPDX-License-Identifier: Apache-2.0 */
/* The wrappers as tables: dispatch slots and extension functions. */
#ifndef CLAW_WRAP_H
#define CLAW_WRAP_H

#include "faults/call/guest.h"

typedef void (*claw_function)(void);

/* Put our wrapper into every slot of table that we know and that is not
 * NULL. Returns how many. */
unsigned int claw_wrap_fill(struct _cl_icd_dispatch *table);

void *CL_API_CALL wrap_clGetExtensionFunctionAddress(const char *func_name);

/* The wrapper of an entry point. */
claw_function claw_wrap_get(enum claw_api api);

/* Does the table below have this slot? */
bool claw_wrap_has_next(enum claw_api api);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the program that a driver will call, where ours stand in their
 * places: what the driver is given as user data leads back to the program's.
 */
#ifndef CLAW_CALLBACK_PLACES_H
#define CLAW_CALLBACK_PLACES_H

#include "guest.h"

/* Of any type; whoever takes it back casts it to what it was. */
typedef void (*claw_any_notify)(void);

/* In a forked child. */
CLAW_HIDDEN void claw_callback_places_begin(void);
/* Keep a function and its user data. The name for the driver; NULL: no room. */
CLAW_HIDDEN void *claw_callback_place_take(claw_any_notify notify, void *user);
/* What is kept under the name, whose place is free again; false: it was so
 * before, and nobody is to be called. */
CLAW_HIDDEN bool claw_callback_place_give_back(const void *name,
					       claw_any_notify *ret_notify,
					       void **ret_user);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The attach method: how a program's OpenCL loader finds the guest. As a layer
 * (OPENCL_LAYERS), or, if the loader does not support layers, as the only ICD
 * (driver), which calls the real drivers (OPENCLAW_ICD_TARGET).
 */
#ifndef CLAW_DOOR_H
#define CLAW_DOOR_H

#include <stdbool.h>

#include "faults/shared/journal_format.h"

struct claw_program;
struct claw_session;

/* --via of every command that makes sessions; NULL: it was not given. */
extern const char *claw_via_given;
#define CLAW_VIA_OPTION							\
	{ "via", 0, OPT_CHOICE, "layer|icd",				\
	  "attach as an OpenCL layer, or as a driver in front of the real " \
	  "ones [default: layer; icd where the program's loader has no " \
	  "layers]", &claw_via_given }

/* Choose the attach method of all later sessions: --via, or what the program's
 * loader supports. program: NULL for one of ours. For a program that is not
 * linked with a loader, our own loader decides. */
void claw_via_choose(const struct claw_program *program);
/* Set it for one session, regardless of the choice. */
void claw_via_force(enum claw_door door);
enum claw_door claw_via_get(void);
/* " --via icd" for lines to paste, or "". */
const char *claw_via_option(void);

/* Attach as an ICD: set the variables of a session (or of a set of variables:
 * directory NULL). layer: path. Returns 0, -CLAW_E_IO, or -CLAW_E_ICD_PATH if a
 * driver's path contains a ':'. */
int claw_door_set_icd(struct claw_session *session, const char *layer);
/* In such a session these are the real drivers: is that one of the variables
 * that name them? Then it has been seen to, or *reterr is as above. */
bool claw_door_takes(struct claw_session *session, const char *name,
		     const char *value, int *reterr);

/* The same for a list of "NAME=VALUE"s or "NAME"s: what such a session has
 * seen to, the program is not to be given. */
int claw_door_take_drivers(struct claw_session *session, char *const *list);
bool claw_door_sees_to(const struct claw_session *session, const char *entry);

#endif

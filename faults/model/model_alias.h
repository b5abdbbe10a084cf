/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices that there are not. Where there are more models than real devices,
 * the rest are shown by handles of ours, each over a real device. It is done
 * beneath everything else in the guest: claw_next is changed where a call has
 * or gives devices, so that the rest of the guest takes them for real ones,
 * as the program does.
 *
 *	model_alias.c		who stands for whom; what objects were made for
 *	model_alias_calls.c	the calls that stand in claw_next
 *	model_alias_programs.c	... and those about programs' binaries
 */
#ifndef CLAW_MODEL_ALIAS_H
#define CLAW_MODEL_ALIAS_H

#include "faults/shared/api_sig.h"
#include "faults/call/guest.h"

/* When claw_next is made: may aliases be needed? */
CLAW_HIDDEN void claw_alias_begin(void);
/* In a forked child. */
CLAW_HIDDEN void claw_alias_reset(void);

extern bool claw_alias_is_begun CLAW_HIDDEN;
extern struct _cl_icd_dispatch claw_alias_beneath CLAW_HIDDEN;

/* The table that knows nothing of them: for the loader's and the drivers' own
 * calls. */
static inline const struct _cl_icd_dispatch *claw_alias_driver(void)
{
	return claw_alias_is_begun ? &claw_alias_beneath : &claw_next;
}


/* ---- between the files */

enum { CLAW_ALIAS_LIST = 64 };

struct claw_alias_list {
	cl_uint count;
	cl_device_id devices[CLAW_ALIAS_LIST];
};

/* The devices of a call. */
struct claw_alias_given {
	bool has_list;		/* devices, or a list of them, were given */
	bool has_alias;		/* ... and one of them is ours */
	struct claw_alias_list shown;	/* as the program gave them */
	struct claw_alias_list real;	/* what the driver is given */
};

/* The real device, or itself. */
CLAW_HIDDEN cl_device_id claw_alias_real(cl_device_id device);
/* The device that this one of ours is a part of, or NULL. */
CLAW_HIDDEN cl_device_id claw_alias_parent(cl_device_id device);
CLAW_HIDDEN bool claw_alias_is(const void *device);
/* A part of an alias; the real part itself when there is no room. */
CLAW_HIDDEN cl_device_id claw_alias_part(cl_device_id parent,
					 cl_device_id real);
/* Put ours behind the real devices of a list with room for max that they
 * stand over; returns how many there are then. */
CLAW_HIDDEN cl_uint claw_alias_append(cl_device_id *devices, cl_uint count,
				      cl_uint max);

/* A list becomes one of real devices: two that stand over the same one become
 * one. */
CLAW_HIDDEN void claw_alias_translate(const cl_device_id *devices,
				      cl_uint count,
				      struct claw_alias_given *ret_given);
/* A context, queue or program was made: of devices, or of none that it was
 * given. context: that it is in, or NULL. */
CLAW_HIDDEN void claw_alias_made(const void *object, const void *context,
				 const struct claw_alias_given *given);
/* What it was made for; false: what the driver says is right. */
CLAW_HIDDEN bool claw_alias_shown(const void *object,
				  struct claw_alias_list *ret_shown);
/* The program's last reference goes: its place may be used again when there
 * is no other. */
CLAW_HIDDEN void claw_alias_gone(const void *object);

/* A query's answer: size, value and size_ret of the call. */
CLAW_HIDDEN cl_int claw_alias_give(const void *value, size_t bytes, size_t room,
				   void *out, size_t *ret_bytes);
CLAW_HIDDEN cl_int CL_API_CALL
claw_alias_program_info CLAW_PARAMS(clGetProgramInfo);
CLAW_HIDDEN cl_program CL_API_CALL
claw_alias_program_of_binaries CLAW_PARAMS(clCreateProgramWithBinary);

#endif

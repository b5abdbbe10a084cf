/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device models in the guest: what the devices present themselves as
 * (model_info.c), how much memory they have and who has it (model_memory.c,
 * model_extents.c). What follows a fault is elsewhere (failure.h).
 *
 * The models are in the session's file "models", which the host has checked:
 *
 *	device N
 *	KEY VALUE		one row of model_keys.def a line, in its unit
 *	failure ...		claw_failure_read_line()
 *
 * Device i, as claw_device_index() counts, is model i; a single model is all of
 * them. Each has its own memory. Models that no real device is left for are
 * shown by handles of ours (model_alias.h).
 */
#ifndef CLAW_MODEL_H
#define CLAW_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "faults/call/guest.h"
#include "faults/ledger/ledger.h"
#include "faults/ledger/ledger_turn.h"
#include "faults/call/model_table.h"

/* ---- the models (model.c) */

/* Read the session's file; text NULL: there are none. It is changed. The
 * ledger is to be on by then. */
CLAW_HIDDEN void claw_models_begin(char *text);
/* In a forked child: the same models, no memory taken. */
CLAW_HIDDEN void claw_models_reset(void);
/* Does it look at calls of this function at all? */
CLAW_HIDDEN bool claw_model_interest(enum claw_api api);

/* As claw_model_of_device(), of a context's first or only device. */
CLAW_HIDDEN unsigned int claw_model_of_context(cl_context context);

/*
 * Around the driver. before may answer the call (call->injected), with
 * guarded set when the program takes it that the driver did it; after
 * changes call->ret, call->err and what queries said.
 */
CLAW_HIDDEN void claw_model_before(struct claw_call *call);
CLAW_HIDDEN void claw_model_after(struct claw_call *call);

/* ---- which devices there are (model_devices.c) */

/* The device type that it presents; 0: that of the real device. */
CLAW_HIDDEN cl_device_type claw_model_type(const struct claw_model *model);
/* CLW_DEVICE_ID: the one device that is shown, with models or without, as
 * claw_device_index() counts; a number that there is not shows none. */
CLAW_HIDDEN void claw_device_choose(void);
CLAW_HIDDEN bool claw_device_choice_interest(enum claw_api api);
/* clGetDeviceIDs and clCreateContextFromType. */
CLAW_HIDDEN void claw_model_ask_devices(struct claw_call *call);

/* ---- presentation (model_info.c) */

CLAW_HIDDEN void claw_model_ask(struct claw_call *call);
CLAW_HIDDEN void claw_model_present(struct claw_call *call);
/* Answer a query whose size, value and size_ret are parameters from that one
 * on, as the specification describes it. */
CLAW_HIDDEN void claw_model_answer(struct claw_call *call,
				   unsigned int first_param,
				   const void *value, size_t size);

/* ---- memory (model_memory.c) */

CLAW_HIDDEN void claw_model_memory_begin(void);
/* The ledger asks for what objects have from now on. */
CLAW_HIDDEN void claw_model_memory_account(void);
/* Set the account up, once; id: its real device, or NULL. */
CLAW_HIDDEN void claw_model_memory_prepare(unsigned int device,
					   cl_device_id id);
/* Creations, first uses, maps. */
CLAW_HIDDEN void claw_model_memory_before(struct claw_call *call);
CLAW_HIDDEN void claw_model_memory_after(struct claw_call *call);
/*
 * clCreateBuffer without the long way: memory for it, before the driver is
 * asked; false: there is more to do about it, which the long way does. When
 * the driver refuses, untake, and then the same. untake is also for any call
 * with model_bits that the driver is not asked for after all.
 */
CLAW_HIDDEN bool claw_model_take(struct claw_call *call);
CLAW_HIDDEN void claw_model_untake(struct claw_call *call);
/* State of the device's memory. */
struct claw_model_memory {
	uint64_t total, used;	/* used: the program's, to the byte */
	uint64_t others;	/* of other processes, and the driver's own */
	uint64_t free, largest;	/* that can be had in all, and at once */
	uint64_t pinned;
	uint64_t utilisation;	/* permille of total that is not free */
};
CLAW_HIDDEN void claw_model_memory_look(unsigned int device,
					struct claw_model_memory *ret_memory);

/* The most that one allocation may have; 0: what the real device says. */
CLAW_HIDDEN uint64_t claw_model_largest(const struct claw_model *model);

/* Count a taken object's bytes as free again. */
CLAW_HIDDEN void claw_model_give_back(enum claw_turn turn, uint64_t bits,
				      uint32_t place, uint64_t bytes);

/* ---- what commands still use (model_pending.c) */

CLAW_HIDDEN void claw_pending_begin(void);
extern bool claw_pending_wanted CLAW_HIDDEN;	/* some model releases so */
/* Around a command: its event is looked at later. */
CLAW_HIDDEN void claw_pending_before(struct claw_call *call);
CLAW_HIDDEN void claw_pending_after(struct claw_call *call);
/* An event's count of references, without ours. */
CLAW_HIDDEN void claw_pending_answer(const struct claw_call *call);
/* An entry ends: does what it has taken stay taken? */
CLAW_HIDDEN bool claw_pending_holds(enum claw_turn turn,
				    const struct claw_ledger_entry *entry);
/* Ask the driver what is done, and give back what waited for that. Not within
 * a turn. */
CLAW_HIDDEN void claw_pending_look(void);

/* ---- what the driver does not have (model_phantom.c) */

/* Would that many real bytes be too much for this machine? */
extern int64_t claw_phantom_above CLAW_HIDDEN;
static inline bool claw_phantom_is_wanted(int64_t live_bytes)
{
	return live_bytes > claw_phantom_above;
}
CLAW_HIDDEN void claw_phantom_begin(void);
/* Answer a creation with a small buffer; false: that cannot be had either. */
CLAW_HIDDEN bool claw_phantom_create(struct claw_call *call);
/* Answer a call about one, if it is. */
CLAW_HIDDEN void claw_phantom_before(struct claw_call *call);
CLAW_HIDDEN void claw_phantom_after(struct claw_call *call);
CLAW_HIDDEN bool claw_phantom_is(const void *mem);

/* clawDeviceInfoOPENCLAW (beneath.c), or NULL. */
CLAW_HIDDEN void *claw_beneath_find(const char *name);

#endif

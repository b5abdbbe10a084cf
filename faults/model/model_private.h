/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files about the models' memory share: the accounts of the devices
 * (model_accounts.c). An account is under a lock of its own, which is taken
 * within a turn at the ledger, also under the lock of an entry's place, and
 * takes no other.
 */
#ifndef CLAW_MODEL_PRIVATE_H
#define CLAW_MODEL_PRIVATE_H

#include "model.h"
#include "model_extents.h"

struct claw_account {
	uint32_t lock;
	bool is_ready;
	uint64_t total;		/* the device's memory */
	uint64_t most;		/* that one allocation may have */
	uint64_t free_first;	/* of it, when the program began */
	uint64_t used;		/* the program's, to the byte */
	uint64_t pinned;	/* so is this; atomic, also under the lock */
	uint64_t allocations;	/* that were asked for */
	uint64_t begun_ns;
	struct claw_extents extents;
};
extern struct claw_account claw_accounts[CLAW_MODELS_MAX] CLAW_HIDDEN;

/* Of all devices: objects that have yet to take their memory; bytes that the
 * driver was given. */
extern int64_t claw_model_later_count CLAW_HIDDEN;
extern int64_t claw_model_live_bytes CLAW_HIDDEN;

enum { CLAW_MODEL_UNIT = 256 };	/* bytes: places are whole numbers of these */

/* What the program could have in all, now. */
CLAW_HIDDEN uint64_t claw_account_limit(const struct claw_account *account,
					const struct claw_model *model);

static inline uint64_t claw_account_units(uint64_t bytes)
{
	return bytes / CLAW_MODEL_UNIT + (bytes % CLAW_MODEL_UNIT != 0);
}

/* Under the account's lock, these two. *ret_place is the entry's hold. */
static inline bool claw_account_take(struct claw_account *account,
				     const struct claw_model *model,
				     uint64_t bytes, uint32_t *ret_place)
{
	uint64_t limit = model->shrink ? claw_account_limit(account, model) :
		account->free_first;
	uint64_t units = claw_account_units(bytes);
	uint32_t start;

	account->allocations++;
	if (bytes > limit || account->used > limit - bytes ||
	    units > UINT32_MAX ||
	    !claw_extents_take(&account->extents, (uint32_t)units, &start))
		return false;
	account->used += bytes;
	*ret_place = start + 1;
	return true;
}

static inline void claw_account_give(struct claw_account *account,
				     uint64_t bytes, uint32_t place)
{
	account->used -= bytes;
	claw_extents_give(&account->extents, place - 1,
			  (uint32_t)claw_account_units(bytes));
}

/* Reserve pinned memory, with the lock or without it. False: there is less. */
CLAW_HIDDEN bool claw_account_take_pinned(struct claw_account *account,
					  const struct claw_model *model,
					  uint64_t bytes);

/* So much more of it, or (0 - bytes) less. */
static inline void claw_account_add_pinned(struct claw_account *account,
					   uint64_t bytes)
{
	__atomic_add_fetch(&account->pinned, bytes, __ATOMIC_RELAXED);
}

/* A counter of all devices. */
static inline void claw_account_add(enum claw_turn turn, int64_t *count,
				    int64_t more)
{
	if (turn == CLAW_TURN_ALONE)
		*count += more;
	else
		__atomic_add_fetch(count, more, __ATOMIC_RELAXED);
}

/* What the driver was given, and what is yet to be taken, of an object with
 * these bits: once more, or (-1) not any more. */
static inline void claw_account_count(enum claw_turn turn, uint64_t bits,
				      uint64_t bytes, int sign)
{
	if (!(bits & (CLAW_MODEL_TAKEN | CLAW_MODEL_LATER)))
		return;
	if (!(bits & CLAW_MODEL_PHANTOM))
		claw_account_add(turn, &claw_model_live_bytes,
				 sign * (int64_t)bytes);
	if (bits & CLAW_MODEL_LATER)
		claw_account_add(turn, &claw_model_later_count, sign);
}

/* Under a turn: what an object with these bits has goes back. */
CLAW_HIDDEN void claw_account_take_back(enum claw_turn turn, uint64_t bits,
					uint32_t place, uint64_t bytes);

static inline uint64_t claw_model_device_bits(unsigned int device)
{
	return CLAW_MODEL_KNOWN | (uint64_t)device << CLAW_MODEL_DEVICE_SHIFT;
}

static inline unsigned int claw_model_device_of(uint64_t mem_flags)
{
	return mem_flags >> CLAW_MODEL_DEVICE_SHIFT & (CLAW_MODELS_MAX - 1);
}

/* ---- what the driver does not have (model_phantom.c) */

/* The program takes it that the driver said so. */
CLAW_HIDDEN void claw_phantom_answer(struct claw_call *call, void *ret,
				     cl_int err);
/* Answer a map with that much memory. */
CLAW_HIDDEN void claw_phantom_map(struct claw_call *call, size_t bytes);

/* Images (model_phantom_image.c): is it their creation? */
CLAW_HIDDEN void claw_phantom_images_begin(void);
/* A small one; NULL: the driver is to say why not. */
CLAW_HIDDEN cl_mem claw_phantom_image_create(const struct claw_call *call);
/* The memory object that it is made on, or NULL. */
CLAW_HIDDEN const void *
claw_phantom_image_parent(const struct claw_call *call);
/* Of a region of a phantom; false: it is none that is known, or no region. */
CLAW_HIDDEN bool claw_phantom_image_bytes(const void *mem, const size_t *region,
					  size_t *ret_bytes);
CLAW_HIDDEN void claw_phantom_image_map(struct claw_call *call);
/* clGetImageInfo: what the program asked for. */
CLAW_HIDDEN void claw_phantom_image_patch(struct claw_call *call);

/* ---- calls */

/* Answer it, and write that down. */
CLAW_HIDDEN void claw_model_refuse(struct claw_call *call, cl_int code);
/* A command: memory for what it uses first (model_use.c). */
CLAW_HIDDEN void claw_model_use(struct claw_call *call);

#endif

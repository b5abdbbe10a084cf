/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The accounts of the devices: how much memory each has, how much of it is
 * taken and where, and how that becomes less.
 */
#include "config.h"

#include "model_private.h"

#include <pthread.h>
#include <string.h>

struct claw_account claw_accounts[CLAW_MODELS_MAX] CLAW_HIDDEN;
int64_t claw_model_later_count CLAW_HIDDEN;
int64_t claw_model_live_bytes CLAW_HIDDEN;

static pthread_mutex_t begin_lock = PTHREAD_MUTEX_INITIALIZER;

void claw_model_memory_begin(void)
{
	pthread_mutex_init(&begin_lock, NULL);
	for (unsigned int i = 0; i < CLAW_MODELS_MAX; i++) {
		claw_accounts[i].is_ready = false;
		claw_accounts[i].lock = 0;
		claw_accounts[i].used = claw_accounts[i].pinned = 0;
		claw_accounts[i].allocations = 0;
	}
	claw_model_later_count = claw_model_live_bytes = 0;
	claw_phantom_begin();
	claw_pending_begin();
}

static uint64_t part_of(uint64_t bytes, uint64_t permille)
{
	return bytes / 1000 * permille + bytes % 1000 * permille / 1000;
}

/* Free space in pieces, with something of somebody's between them. */
static void lay_out(struct claw_account *account, uint64_t pieces)
{
	uint64_t units = account->free_first / CLAW_MODEL_UNIT, each;
	uint32_t start = 0;

	if (units > UINT32_MAX - 8192)
		units = UINT32_MAX - 8192;
	each = units / pieces;
	for (uint64_t i = 0; i < pieces; i++) {
		claw_extents_give(&account->extents, start, (uint32_t)each);
		start += (uint32_t)each + 1;
	}
}

/* A limit that is the real device's own is the driver's to tell, but all of
 * its memory is one, too. */
static uint64_t most_of(const struct claw_account *account,
			const struct claw_model *model)
{
	uint64_t most = claw_model_largest(model);

	if (!model->max_allocation_check)
		return UINT64_MAX;
	return most ? most : account->total;
}

static void set_up(struct claw_account *account, const struct claw_model *model,
		   cl_device_id device)
{
	cl_ulong real = 0;
	uint64_t taken;

	claw_ours_begin();
	if (!model->memory && device &&
	    claw_next.clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE,
				      sizeof(real), &real, NULL))
		real = 0;
	claw_ours_end();
	account->total = model->memory ? model->memory :
		real ? real : UINT64_C(1) << 40;
	account->most = most_of(account, model);
	taken = model->reserved + part_of(account->total, model->pressure);
	account->free_first = taken < account->total ? account->total - taken :
		0;
	account->begun_ns = claw_now_ns();
	if (claw_extents_begin(&account->extents))
		lay_out(account, model->fragments ? model->fragments : 1);
	else
		claw_say("no memory for a device model: its device has none");
}

void claw_model_memory_prepare(unsigned int device, cl_device_id id)
{
	struct claw_account *account = &claw_accounts[device];

	if (__atomic_load_n(&account->is_ready, __ATOMIC_ACQUIRE))
		return;
	pthread_mutex_lock(&begin_lock);
	if (!account->is_ready) {
		set_up(account, claw_model_get(device), id);
		__atomic_store_n(&account->is_ready, true, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&begin_lock);
}

/* Bytes that other processes have taken since. */
static uint64_t shrunk(const struct claw_account *account,
		       const struct claw_model *model)
{
	uint64_t steps = 0;

	if (!model->shrink)
		return 0;
	if (model->shrink_every)
		steps = (claw_now_ns() - account->begun_ns) /
			model->shrink_every;
	if (model->shrink_every_allocations)
		steps += account->allocations /
			 model->shrink_every_allocations;
	if (steps > model->shrink_steps)
		steps = model->shrink_steps;
	return part_of(account->total, model->shrink) * steps;
}

/* What the program could have in all. */
uint64_t claw_account_limit(const struct claw_account *account,
			    const struct claw_model *model)
{
	uint64_t gone = shrunk(account, model);

	return gone < account->free_first ? account->free_first - gone : 0;
}

bool claw_account_take_pinned(struct claw_account *account,
			      const struct claw_model *model, uint64_t bytes)
{
	uint64_t pinned = __atomic_load_n(&account->pinned, __ATOMIC_RELAXED);

	do {
		if (model->pinned_memory &&
		    (bytes > model->pinned_memory ||
		     pinned > model->pinned_memory - bytes))
			return false;
	} while (!__atomic_compare_exchange_n(&account->pinned, &pinned,
			pinned + bytes, true, __ATOMIC_RELAXED,
			__ATOMIC_RELAXED));
	return true;
}

/* Under a turn: what a reservation has goes back. */
void claw_account_take_back(enum claw_turn turn, uint64_t bits, uint32_t place,
		      uint64_t bytes)
{
	struct claw_account *account = &claw_accounts[claw_model_device_of(bits)];

	if (!claw_lock(turn, &account->lock))
		return;
	if (bits & CLAW_MODEL_TAKEN)
		claw_account_give(account, bytes, place);
	if (bits & CLAW_MODEL_PINNED)
		claw_account_add_pinned(account, 0 - bytes);
	claw_unlock(turn, &account->lock);
	claw_account_count(turn, bits, bytes, -1);
}

void claw_model_memory_look(unsigned int device,
			    struct claw_model_memory *ret_memory)
{
	struct claw_account *account = &claw_accounts[device];
	const struct claw_model *model = claw_model_get(device);
	enum claw_turn turn;
	uint64_t limit;

	memset(ret_memory, 0, sizeof(*ret_memory));
	claw_pending_look();
	turn = claw_turn_begin();
	if (turn == CLAW_TURN_NONE)
		return;
	if (account->is_ready && claw_lock(turn, &account->lock)) {
		limit = claw_account_limit(account, model);
		ret_memory->total = account->total;
		ret_memory->used = account->used;
		ret_memory->others = account->total - limit;
		ret_memory->free = limit > account->used ?
			limit - account->used : 0;
		ret_memory->largest = (uint64_t)CLAW_MODEL_UNIT *
			claw_extents_largest(&account->extents);
		if (ret_memory->largest > ret_memory->free)
			ret_memory->largest = ret_memory->free;
		ret_memory->pinned = __atomic_load_n(&account->pinned,
						     __ATOMIC_RELAXED);
		claw_unlock(turn, &account->lock);
	}
	claw_turn_end(turn);
	if (ret_memory->total)
		ret_memory->utilisation = 1000 - ret_memory->free /
			(ret_memory->total / 1000 ? ret_memory->total / 1000 : 1);
}

uint64_t claw_model_largest(const struct claw_model *model)
{
	uint64_t most = model->max_allocation ? model->max_allocation :
		model->memory / 4;

	return model->memory && most > model->memory ? model->memory : most;
}

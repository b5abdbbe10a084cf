/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of new objects: before the driver makes one, it is taken of the
 * device, and what an object has is kept in its entry of the ledger, and goes
 * with that.
 */
#include "config.h"

#include "model_private.h"

#include <string.h>

#include "faults/life/kept.h"

/* ---- creation */

/* Bytes of a new object that the device has to have; false: it has none of
 * its own. */
static bool is_of_device(const struct claw_call *call, cl_mem_flags *ret_flags)
{
	const struct claw_api_info *info = &claw_api_table[call->api];
	const cl_image_desc *desc = claw_arg_pointer(call, CLAW_P_IMAGE_DESC);

	if (info->effect != CLAW_CREATES || claw_api_makes_part(call->api) ||
	    (info->object != CLAW_OBJ_MEM && info->object != CLAW_OBJ_SVM))
		return false;
	*ret_flags = claw_call_flags(call);
	if (info->object == CLAW_OBJ_MEM && *ret_flags & CL_MEM_USE_HOST_PTR)
		return false;
	return !desc || !desc->mem_object;
}

/* Are that many bytes more than one allocation may have? */
static bool is_too_large(const struct claw_call *call,
			 const struct claw_account *account, uint64_t bytes)
{
	return bytes > account->most &&
	       (claw_api_makes_buffer(call->api) ||
		claw_api_table[call->api].object == CLAW_OBJ_SVM);
}

/* Under a turn and the account's lock: what the new object has, *bits. */
static bool reserve(enum claw_turn turn, struct claw_account *account,
		    const struct claw_model *model, uint64_t bytes,
		    cl_mem_flags flags, uint64_t *bits, uint32_t *ret_place)
{
	bool pins = flags & CL_MEM_ALLOC_HOST_PTR;

	if (pins && !claw_account_take_pinned(account, model, bytes))
		return false;
	*bits |= pins ? CLAW_MODEL_PINNED : 0;
	if (*bits & CLAW_MODEL_LATER ||
	    claw_account_take(account, model, bytes, ret_place)) {
		if (!(*bits & CLAW_MODEL_LATER))
			*bits |= CLAW_MODEL_TAKEN;
		claw_account_count(turn, *bits, bytes, 1);
		return true;
	}
	if (pins)
		claw_account_add_pinned(account, 0 - bytes);
	*bits &= ~CLAW_MODEL_PINNED;
	return false;
}

/* Shared memory is used by whoever has the pointer, also without a command
 * that names it: it is taken at once. */
static bool waits_for_use(const struct claw_call *call,
			  const struct claw_model *model)
{
	return model->allocation == CLAW_MODEL_LAZY &&
	       claw_api_table[call->api].object == CLAW_OBJ_MEM;
}

static bool may_be_phantom(enum claw_api api)
{
	return claw_api_makes_buffer(api) || claw_api_makes_image(api);
}

/* The driver's share of it is small. */
static void make_phantom(struct claw_call *call)
{
	uint64_t bits = call->model.bits;

	if (claw_phantom_create(call) && bits)
		__atomic_sub_fetch(&claw_model_live_bytes,
				   (int64_t)claw_call_bytes(call),
				   __ATOMIC_RELAXED);
}

/* Of shared memory for a device that is named, that one. */
static unsigned int device_of_new(const struct claw_call *call)
{
	if (claw_arg_pointer(call, CLAW_P_DEVICE) ||
	    claw_arg_pointer(call, CLAW_P_OPTIONAL_DEVICE))
		return claw_model_of_call(call);
	return claw_model_of_context(claw_arg_pointer(call, CLAW_P_CONTEXT));
}

/* As the function says that there is none. */
static cl_int code_of_none(enum claw_api api)
{
	if (claw_api_allows(api, CL_MEM_OBJECT_ALLOCATION_FAILURE))
		return CL_MEM_OBJECT_ALLOCATION_FAILURE;
	return api == CLAW_API_clHostMemAllocINTEL ? CL_OUT_OF_HOST_MEMORY :
		CL_OUT_OF_RESOURCES;
}

static void before_creation(struct claw_call *call, cl_mem_flags flags)
{
	unsigned int device = device_of_new(call);
	struct claw_account *account = &claw_accounts[device];
	const struct claw_model *model = claw_model_get(device);
	uint64_t bits = claw_model_device_bits(device);
	uint64_t bytes = claw_call_bytes(call);
	enum claw_turn turn;
	bool given = false;

	if (!bytes)		/* an error, which is the driver's to tell */
		return;
	claw_model_memory_prepare(device, NULL);
	claw_pending_look();
	if (is_too_large(call, account, bytes)) {
		claw_model_refuse(call, CL_INVALID_BUFFER_SIZE);
		return;
	}
	turn = claw_turn_begin();
	if (turn == CLAW_TURN_NONE)
		return;
	if (waits_for_use(call, model))
		bits |= CLAW_MODEL_LATER;
	if (call->api == CLAW_API_clHostMemAllocINTEL) {
		/* The host's, and none of the device's. */
		given = claw_account_take_pinned(account, model, bytes);
		bits |= CLAW_MODEL_PINNED;
	} else if (claw_lock(turn, &account->lock)) {
		given = reserve(turn, account, model, bytes, flags, &bits,
				&call->model.place);
		claw_unlock(turn, &account->lock);
	}
	claw_turn_end(turn);
	if (!given) {
		claw_model_refuse(call, code_of_none(call->api));
		return;
	}
	call->model.bits = bits;
	if (may_be_phantom(call->api) &&
	    claw_phantom_is_wanted(claw_model_live_bytes))
		make_phantom(call);
}

bool claw_model_take(struct claw_call *call)
{
	unsigned int device =
		claw_model_of_context(CLAW_ARG(call, clCreateBuffer, context));
	struct claw_account *account = &claw_accounts[device];
	const struct claw_model *model = claw_model_get(device);
	cl_mem_flags flags = CLAW_ARG(call, clCreateBuffer, flags);
	uint64_t bytes = CLAW_ARG(call, clCreateBuffer, size),
		 bits = claw_model_device_bits(device);
	enum claw_turn turn;
	bool given = false;

	if (!bytes || !account->is_ready ||
	    flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR) ||
	    claw_pending_wanted || is_too_large(call, account, bytes) ||
	    claw_phantom_is_wanted(claw_model_live_bytes + (int64_t)bytes))
		return false;
	turn = claw_turn_begin();
	if (turn == CLAW_TURN_NONE)
		return false;
	if (model->allocation == CLAW_MODEL_LAZY)
		bits |= CLAW_MODEL_LATER;
	if (claw_lock(turn, &account->lock)) {
		given = reserve(turn, account, model, bytes, flags, &bits,
				&call->model.place);
		claw_unlock(turn, &account->lock);
	}
	claw_turn_end(turn);
	call->model.bits = given ? bits : 0;
	return given;
}

/* What before_map() took: of an image, in units. */
static uint64_t map_bytes(const struct claw_call *call)
{
	return call->api == CLAW_API_clEnqueueMapBuffer ?
		CLAW_ARG(call, clEnqueueMapBuffer, size) :
		(uint64_t)call->model.place * CLAW_MODEL_UNIT;
}

void claw_model_untake(struct claw_call *call)
{
	enum claw_turn turn;

	if (claw_api_is_map(call->api)) {
		claw_account_add_pinned(
			&claw_accounts[claw_model_device_of(call->model.bits)],
			0 - map_bytes(call));
		call->model.bits = 0;
		return;
	}
	turn = claw_turn_begin();
	if (turn != CLAW_TURN_NONE) {
		claw_account_take_back(turn, call->model.bits, call->model.place,
			  claw_call_bytes(call));
		claw_turn_end(turn);
	}
	call->model.bits = 0;
}

/* The driver's refusal stands where the model says nothing of sizes. */
static void after_creation(struct claw_call *call)
{
	const struct claw_model *model =
		claw_model_get(claw_model_device_of(call->model.bits));
	const cl_int *errcode = claw_arg_pointer(call, CLAW_P_ERRCODE);

	if (!call->ret && may_be_phantom(call->api) && errcode &&
	    claw_model_largest(model) &&
	    (*errcode == CL_INVALID_BUFFER_SIZE ||
	     *errcode == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
	     *errcode == CL_OUT_OF_RESOURCES ||
	     *errcode == CL_OUT_OF_HOST_MEMORY))
		make_phantom(call);
	if (!call->ret)
		claw_model_untake(call);
}

/* ---- the ledger's entries */

static void entering(const struct claw_call *call,
			 struct claw_ledger_new *made)
{
	unsigned int device = claw_model_device_of(call->model.bits);
	struct claw_account *account = &claw_accounts[device];

	made->mem_flags = (made->mem_flags & ~CLAW_MODEL_BITS) |
			  call->model.bits;
	made->place = call->model.place;
	if (made->object != CLAW_OBJ_MAPPING)
		return;
	/* Of an image the driver has said by now how much it is. */
	made->place = 0;
	claw_account_add_pinned(account, made->bytes - map_bytes(call));
}

void claw_model_give_back(enum claw_turn turn, uint64_t bits, uint32_t place,
			  uint64_t bytes)
{
	claw_account_take_back(turn, bits, place, bytes);
}

static void not_entered(enum claw_turn turn,
			    const struct claw_ledger_new *made)
{
	if (turn != CLAW_TURN_NONE)
		claw_account_take_back(turn, made->mem_flags, made->place, made->bytes);
}

static void ending(enum claw_turn turn, struct claw_ledger_entry *entry)
{
	uint64_t bits = entry->mem_flags;

	if (claw_pending_wanted && claw_pending_holds(turn, entry))
		bits &= ~(CLAW_MODEL_TAKEN | CLAW_MODEL_PINNED);
	claw_account_take_back(turn, bits, entry->hold, entry->bytes);
	entry->hold = 0;
}

/* It takes what it can have again. */
static void restored(enum claw_turn turn, struct claw_ledger_entry *entry)
{
	unsigned int device = claw_model_device_of(entry->mem_flags);
	struct claw_account *account = &claw_accounts[device];
	const struct claw_model *model = claw_model_get(device);

	entry->hold = 0;
	if (!claw_lock(turn, &account->lock))
		return;
	if (entry->mem_flags & CLAW_MODEL_TAKEN &&
	    !claw_account_take(account, model, entry->bytes, &entry->hold))
		entry->mem_flags &= ~CLAW_MODEL_TAKEN;
	if (entry->mem_flags & CLAW_MODEL_PINNED)
		claw_account_add_pinned(account, entry->bytes);
	claw_unlock(turn, &account->lock);
	claw_account_count(turn, entry->mem_flags, entry->bytes, 1);
}

static bool is_retained(const struct claw_ledger_entry *entry)
{
	unsigned int device = claw_model_device_of(entry->mem_flags);

	return claw_model_get(device)->events_retain_memory == CLAW_MODEL_YES;
}

void claw_model_memory_account(void)
{
	static const struct claw_ledger_memory memory = {
		entering, not_entered, ending, restored, is_retained,
	};

	claw_ledger_account(&memory);
}

/* ---- maps */

/* What is mapped of memory that is the host's already is not pinned again. */
static void before_map(struct claw_call *call)
{
	struct claw_ledger_entry entry;
	const struct claw_model *model;
	unsigned int device;

	if (!claw_ledger_copy(CLAW_OBJ_MEM,
			      CLAW_ARG(call, clEnqueueMapBuffer, buffer),
			      &entry) ||
	    !(entry.mem_flags & CLAW_MODEL_KNOWN) ||
	    entry.mem_flags & CLAW_MODEL_PINNED)
		return;
	device = claw_model_device_of(entry.mem_flags);
	model = claw_model_get(device);
	if (!model->pinned_memory)
		return;
	call->model.place = (uint32_t)claw_account_units(entry.bytes);
	if (!claw_account_take_pinned(&claw_accounts[device], model,
				      map_bytes(call)))
		claw_model_refuse(call, CL_MAP_FAILURE);
	else
		call->model.bits = claw_model_device_bits(device) | CLAW_MODEL_PINNED;
}

/* ---- calls */

void claw_model_memory_before(struct claw_call *call)
{
	cl_mem_flags flags;

	if (claw_kept_shows(call))
		claw_pending_look();
	if (claw_api_table[call->api].groups & CLAW_G_ENQUEUE) {
		claw_model_use(call);
		if (!call->injected && claw_api_is_map(call->api))
			before_map(call);
		if (!call->injected)
			claw_pending_before(call);
	} else if (is_of_device(call, &flags)) {
		before_creation(call, flags);
	}
	if (!call->injected)
		claw_phantom_before(call);
}

void claw_model_memory_after(struct claw_call *call)
{
	if (call->model.bits && !claw_api_is_map(call->api))
		after_creation(call);
	else if (call->model.bits && !call->ret)
		claw_model_untake(call);
	if (claw_api_table[call->api].groups & CLAW_G_ENQUEUE)
		claw_pending_after(call);
	else if (call->api == CLAW_API_clGetEventInfo)
		claw_pending_answer(call);
	claw_phantom_after(call);
}

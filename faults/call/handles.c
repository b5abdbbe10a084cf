/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles that are not what they seem: invalid ones that the guest made,
 * NULLs that it handed out as a success, and the live memory objects among
 * which null=arg chooses. Drivers crash on the first two, so the guest
 * answers for them.
 */
#include "config.h"

#include "guest.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

enum { MAX_INVALID = 4096, MEM_SLOTS = 1 << 16 };

/* What a driver's object begins with, and nothing behind it. */
struct invalid_object {
	const void *dispatch;
	_Atomic uint64_t told;	/* how often a call was refused because of it */
	uint64_t zero[6];
};

static struct invalid_object invalid_objects[MAX_INVALID];
static _Atomic unsigned int invalid_count;
static _Atomic bool gave_null, gave_invalid;

/* Live memory objects: an open-addressed set, with the references that the
 * program has (the driver counts its own among them). */
enum { FREE, FREED };
struct mem {
	uintptr_t handle;	/* FREE, FREED or one */
	uint32_t references;
};
static struct mem *_Atomic mems;
static unsigned int mem_count;
static pthread_mutex_t mems_lock = PTHREAD_MUTEX_INITIALIZER;

/* The code for a bad handle of each role (OpenCL 3.0, error tables). */
cl_int claw_handles_code(enum claw_role role)
{
	switch (role) {
	case CLAW_P_PLATFORM: return CL_INVALID_PLATFORM;
	case CLAW_P_DEVICE:
	case CLAW_P_DEVICES:
	case CLAW_P_OPTIONAL_DEVICE: return CL_INVALID_DEVICE;
	case CLAW_P_CONTEXT: return CL_INVALID_CONTEXT;
	case CLAW_P_QUEUE:
	case CLAW_P_QUEUES:
	case CLAW_P_OPTIONAL_QUEUE: return CL_INVALID_COMMAND_QUEUE;
	case CLAW_P_MEM:
	case CLAW_P_MEMS: return CL_INVALID_MEM_OBJECT;
	case CLAW_P_SAMPLER: return CL_INVALID_SAMPLER;
	case CLAW_P_PROGRAM:
	case CLAW_P_PROGRAMS: return CL_INVALID_PROGRAM;
	case CLAW_P_KERNEL: return CL_INVALID_KERNEL;
	case CLAW_P_EVENT:
	case CLAW_P_EVENTS: return CL_INVALID_EVENT;
	case CLAW_P_WAIT_LIST: return CL_INVALID_EVENT_WAIT_LIST;
	case CLAW_P_SEMAPHORE:
	case CLAW_P_SEMAPHORES: return -1142;	/* CL_INVALID_SEMAPHORE_KHR */
	case CLAW_P_COMMAND_BUFFER:
	case CLAW_P_COMMAND_BUFFERS: return -1138; /* CL_INVALID_COMMAND_BUFFER_KHR */
	default: return 0;
	}
}

static bool is_invalid(const void *handle)
{
	const char *p = handle;

	return p >= (const char *)invalid_objects &&
	       p < (const char *)(invalid_objects + MAX_INVALID);
}

/* NULL is legal there, or it is no handle at all. */
static bool null_is_legal(enum claw_role role)
{
	return role == CLAW_P_PLATFORM || role == CLAW_P_OPTIONAL_DEVICE ||
	       role == CLAW_P_OPTIONAL_QUEUE;
}

static bool bad(const void *handle, enum claw_role role)
{
	if (!handle)
		return gave_null && !null_is_legal(role);
	return is_invalid(handle);
}

static bool bad_in_list(const struct claw_call *call, unsigned int param,
			void **ret_handle)
{
	void *const *list = *(void *const *const *)call->args[param];
	cl_uint count = param ? *(const cl_uint *)call->args[param - 1] : 0;

	if (!list)
		return false;
	for (cl_uint i = 0; i < count; i++)
		if (bad(list[i], (enum claw_role)
			claw_api_table[call->api].roles[param])) {
			*ret_handle = list[i];
			return true;
		}
	return false;
}

/* clSetKernelArg: the value may be an invalid memory object or sampler. */
static cl_int check_arg_value(const struct claw_call *call, void **ret_handle)
{
	size_t size = CLAW_ARG(call, clSetKernelArg, arg_size);
	const void *value = CLAW_ARG(call, clSetKernelArg, arg_value);
	void *handle;

	if (size != sizeof(handle) || !value)
		return 0;
	memcpy(&handle, value, sizeof(handle));
	*ret_handle = handle;
	return is_invalid(handle) ? CL_INVALID_MEM_OBJECT : 0;
}

static cl_int check_params(const struct claw_call *call, void **ret_handle)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	for (unsigned int i = 0; i < info->param_count; i++) {
		enum claw_role role = (enum claw_role)info->roles[i];
		bool found = false;

		if (role >= CLAW_P_PLATFORM && role <= CLAW_P_OPTIONAL_QUEUE)
			found = bad(*ret_handle = *(void *const *)call->args[i],
				    role);
		else if (role >= CLAW_P_DEVICES && role <= CLAW_P_WAIT_LIST)
			found = bad_in_list(call, i, ret_handle);
		if (found)
			return claw_handles_code(role);
	}
	if (call->api == CLAW_API_clSetKernelArg)
		return check_arg_value(call, ret_handle);
	return 0;
}

/*
 * What the use of the handle says of the program. NULL: it was not looked
 * at. An invalid one came with CL_SUCCESS, so that the first refusal is the
 * fault's own consequence; to go on with it after that is misuse. Giving
 * either back is clumsy at most.
 */
static uint16_t judge_use(const struct claw_call *call, void *handle)
{
	struct invalid_object *object = handle;

	if (claw_api_table[call->api].groups & CLAW_G_RELEASE)
		return CLAW_REC_CONSEQUENCE;
	if (handle && !atomic_fetch_add(&object->told, 1))
		return CLAW_REC_CONSEQUENCE;
	return CLAW_REC_MISUSE;
}

bool claw_handles_check(struct claw_call *call)
{
	void *handle = NULL;
	cl_int code;

	if (!gave_null && !gave_invalid)
		return false;
	code = check_params(call, &handle);
	if (!code)
		return false;
	claw_fail(call, code);
	call->flags |= judge_use(call, handle);
	claw_write_event(call, 0);
	return true;
}

void *claw_handles_make_invalid(const void *parent)
{
	unsigned int i = parent ? atomic_fetch_add(&invalid_count, 1) :
		MAX_INVALID;

	if (i >= MAX_INVALID) {
		claw_journal_add_damaged();
		if (i == MAX_INVALID)
			claw_say("no more than %d invalid handles; the calls "
				 "that should give one succeed", MAX_INVALID);
		return NULL;
	}
	invalid_objects[i].dispatch = *(const void *const *)parent;
	atomic_store(&gave_invalid, true);
	claw_watch_all();
	return &invalid_objects[i];
}

void claw_handles_gave_null(void)
{
	atomic_store(&gave_null, true);
	claw_watch_all();
}

/* ------------------------------------------------- live memory objects */

static unsigned int mem_slot(const void *mem)
{
	return (unsigned int)(((uintptr_t)mem >> 4) *
			      UINT64_C(0x9e3779b97f4a7c15) >> 48) % MEM_SLOTS;
}

void claw_handles_track_mems(void)
{
	void *map;

	if (atomic_load(&mems))
		return;
	map = mmap(NULL, MEM_SLOTS * sizeof(*mems), PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		claw_say("no memory to track buffers: null=arg cannot fire");
	else
		atomic_store(&mems, map);
}

/* Under the lock: the slot that holds mem, or NULL. */
static struct mem *find_mem(const void *mem)
{
	for (unsigned int i = 0, slot = mem_slot(mem); i < MEM_SLOTS;
	     i++, slot = (slot + 1) % MEM_SLOTS) {
		if (mems[slot].handle == FREE)
			return NULL;
		if (mems[slot].handle == (uintptr_t)mem)
			return &mems[slot];
	}
	return NULL;
}

static void add_mem(const void *mem)
{
	unsigned int slot = mem_slot(mem);

	while (mems[slot].handle > FREED)
		slot = (slot + 1) % MEM_SLOTS;
	mems[slot] = (struct mem){ (uintptr_t)mem, 1 };
	mem_count++;
}

/* Freed slots at the end of a chain are free again: chains stay short. */
static void remove_mem(struct mem *found)
{
	unsigned int slot = (unsigned int)(found - mems);

	found->handle = FREED;
	mem_count--;
	if (mems[(slot + 1) % MEM_SLOTS].handle != FREE)
		return;
	for (; mems[slot].handle == FREED;
	     slot = (slot + MEM_SLOTS - 1) % MEM_SLOTS)
		mems[slot].handle = FREE;
}

static void created_mem(const void *mem)
{
	static bool said;
	struct mem *found;
	bool full;

	if (!atomic_load(&mems))
		return;
	pthread_mutex_lock(&mems_lock);
	found = find_mem(mem);
	full = !found && mem_count >= MEM_SLOTS / 2 && !said;
	said = said || full;
	if (found)
		found->references = 1;
	else if (mem_count < MEM_SLOTS / 2)
		add_mem(mem);
	pthread_mutex_unlock(&mems_lock);
	if (full) {
		claw_journal_add_damaged();
		claw_say("more than %d buffers: null=arg does not know the rest",
			 MEM_SLOTS / 2);
	}
}

static void retained_mem(const void *mem)
{
	struct mem *found;

	if (!atomic_load(&mems) || (uintptr_t)mem <= FREED)
		return;
	pthread_mutex_lock(&mems_lock);
	found = find_mem(mem);
	if (found)
		found->references++;
	pthread_mutex_unlock(&mems_lock);
}

void claw_handles_after(const struct claw_call *call)
{
	const struct claw_api_info *info = &claw_api_table[call->api];

	if (info->object != CLAW_OBJ_MEM)
		return;
	if (info->effect == CLAW_CREATES && call->ret)
		created_mem(call->ret);
	else if (info->effect == CLAW_RETAINS)
		retained_mem(claw_arg_pointer(call, CLAW_P_MEM));
}

bool claw_handles_releasing_mem(void *mem)
{
	struct mem *found;

	if (!atomic_load(&mems) || (uintptr_t)mem <= FREED)
		return false;
	pthread_mutex_lock(&mems_lock);
	found = find_mem(mem);
	if (found && !--found->references)
		remove_mem(found);
	pthread_mutex_unlock(&mems_lock);
	return found != NULL;
}

void claw_handles_kept_mem(void *mem)
{
	struct mem *found;

	pthread_mutex_lock(&mems_lock);
	found = find_mem(mem);
	if (found)
		found->references++;
	else if (mem_count < MEM_SLOTS / 2)
		add_mem(mem);
	pthread_mutex_unlock(&mems_lock);
}

bool claw_handles_is_live_mem(const void *mem)
{
	bool found;

	if (!atomic_load(&mems) || (uintptr_t)mem <= FREED)
		return false;
	pthread_mutex_lock(&mems_lock);
	found = find_mem(mem) != NULL;
	pthread_mutex_unlock(&mems_lock);
	return found;
}

bool claw_handles_are_tracked(void)
{
	return atomic_load(&mems) != NULL;
}

void claw_handles_reset(void)
{
	pthread_mutex_init(&mems_lock, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels: their names, which arguments they only read, and what shared
 * memory they were given. The driver is asked once a kernel. Memory objects
 * among the arguments are the ledger's to know.
 */
#include "config.h"

#include <string.h>

#include "commands_private.h"

enum {
	KERNEL_BITS = 17,
	KERNELS = 1 << KERNEL_BITS,	/* pages that nobody needs are not there */
	WAYS = 4,
	GIVEN = 1024,		/* kernels that were given pointers */
	NAMES = 1024,
	NAME_BYTES = 64,
	ARGUMENTS = 64,
	SHARED = 16,
};

struct kernel {
	uint64_t handle, serial;	/* handle 0: free */
	uint64_t reads;		/* bits of arguments that it only reads */
	uint16_t name;
	uint16_t given;		/* its pointers: index + 1, 0: none */
};

struct given {
	struct kernel *kernel;	/* whose; NULL: nobody's */
	uint8_t shared_count, extra_count;
	uint8_t shared_index[SHARED];
	uint64_t shared[SHARED];	/* arguments that are pointers */
	uint64_t extra[SHARED];	/* of clSetKernelExecInfo */
};

static struct {
	struct kernel kernels[KERNELS] __attribute__((aligned(64)));
	struct given given[GIVEN];
	char names[NAMES][NAME_BYTES];
	unsigned int name_count;
	unsigned int turn, given_turn;
	bool used;
} own;
bool claw_kernels_shared;

void claw_kernels_begin(void)
{
	if (own.used) {
		memset(own.kernels, 0, sizeof(own.kernels));
		memset(own.given, 0, sizeof(own.given));
	}
	own.used = false;
}

const char *claw_kernels_name(uint16_t name)
{
	return name ? own.names[name - 1] : "";
}

/* ---- under the lock */

static uint16_t find_name(const char *text)
{
	for (unsigned int i = 0; i < own.name_count; i++)
		if (!strcmp(own.names[i], text))
			return (uint16_t)(i + 1);
	if (own.name_count == NAMES)
		return 0;
	memcpy(own.names[own.name_count], text, NAME_BYTES);
	own.names[own.name_count][NAME_BYTES - 1] = '\0';
	return (uint16_t)++own.name_count;
}

static struct kernel *ways_of(uint64_t handle)
{
	uint64_t mix = handle * UINT64_C(0x9e3779b97f4a7c15);

	return &own.kernels[(mix >> (64 - KERNEL_BITS)) &
			    ~(uint64_t)(WAYS - 1)];
}

void claw_kernels_prefetch(const void *handle)
{
	const struct kernel *way = ways_of(claw_number(handle));

	__builtin_prefetch(way);
	__builtin_prefetch(way + WAYS - 1);
}

static struct kernel *find(uint64_t handle, uint64_t serial)
{
	struct kernel *way = ways_of(handle);

	for (unsigned int i = 0; i < WAYS; i++)
		if (way[i].handle == handle && way[i].serial == serial)
			return &way[i];
	return NULL;
}

static struct kernel *put(const struct kernel *kernel, const char *name)
{
	struct kernel *way = ways_of(kernel->handle);
	struct kernel *place = NULL;

	for (unsigned int i = 0; i < WAYS && !place; i++)
		if (!way[i].handle || way[i].handle == kernel->handle)
			place = &way[i];
	if (!place)
		place = &way[own.turn++ % WAYS];
	if (place->given)
		own.given[place->given - 1].kernel = NULL;
	*place = *kernel;
	place->name = find_name(name);
	own.used = true;
	return place;
}

/* The kernel's pointers; without room, in place of another's. */
static struct given *given_to(struct kernel *kernel)
{
	struct given *given;

	if (!kernel->given) {
		kernel->given = (uint16_t)(own.given_turn++ % GIVEN + 1);
		given = &own.given[kernel->given - 1];
		if (given->kernel)
			given->kernel->given = 0;
		*given = (struct given){ .kernel = kernel };
	}
	return &own.given[kernel->given - 1];
}

/* ---- outside of it */

static bool is_read_only(cl_kernel handle, cl_uint index)
{
	cl_kernel_arg_address_qualifier where = 0;
	cl_kernel_arg_type_qualifier type = 0;
	cl_kernel_arg_access_qualifier access = 0;

	if (claw_next.clGetKernelArgInfo(handle, index,
			CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(where), &where,
			NULL) ||
	    claw_next.clGetKernelArgInfo(handle, index,
			CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(type), &type,
			NULL) ||
	    claw_next.clGetKernelArgInfo(handle, index,
			CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof(access),
			&access, NULL))
		return false;
	return where == CL_KERNEL_ARG_ADDRESS_CONSTANT ||
	       type & CL_KERNEL_ARG_TYPE_CONST ||
	       access == CL_KERNEL_ARG_ACCESS_READ_ONLY;
}

static void ask(cl_kernel handle, struct kernel *kernel, char *name)
{
	cl_uint count = 0;

	claw_ours_begin();
	if (claw_next.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME,
				      NAME_BYTES, name, NULL))
		name[0] = '\0';
	if (claw_next.clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS,
				      sizeof(count), &count, NULL))
		count = 0;
	if (count > ARGUMENTS)
		count = ARGUMENTS;
	for (cl_uint i = 0; claw_next.clGetKernelArgInfo && i < count; i++)
		if (is_read_only(handle, i))
			kernel->reads |= UINT64_C(1) << i;
	claw_ours_end();
}

/* What is known of it now, a copy; asked for when it is new. */
static bool get(cl_kernel handle, uint64_t serial, struct kernel *ret,
		struct given *ret_given)
{
	char name[NAME_BYTES] = "";
	const struct kernel *found;

	ret_given->shared_count = ret_given->extra_count = 0;
	if (!claw_commands_enter())
		return false;
	found = find(claw_number(handle), serial);
	if (found)
		*ret = *found;
	if (found && found->given)
		*ret_given = own.given[found->given - 1];
	claw_commands_leave();
	if (found)
		return true;
	memset(ret, 0, sizeof(*ret));
	ret->handle = claw_number(handle);
	ret->serial = serial;
	ask(handle, ret, name);
	if (!claw_commands_enter())
		return false;
	*ret = *put(ret, name);
	claw_commands_leave();
	return true;
}

/* The memory objects among the arguments. */
static unsigned int copy_holds(uint64_t handle, uint64_t serial,
			       struct claw_ledger_hold *holds, bool *ret_more)
{
	enum claw_turn turn = claw_turn_begin();
	const struct claw_ledger_entry *entry;
	struct claw_ledger_place *place;
	unsigned int count = 0;

	*ret_more = turn == CLAW_TURN_NONE;
	if (turn == CLAW_TURN_NONE)
		return 0;
	entry = claw_entry_meet(turn, handle, CLAW_OBJ_KERNEL, &place);
	if (entry && entry->serial == serial)
		count = claw_holds_copy(turn, entry->hold, holds,
					CLAW_CALL_ACCESSES, ret_more);
	claw_entry_part(place);
	claw_turn_end(turn);
	return count;
}

static void add_used(struct claw_demand *demand, const struct kernel *kernel,
		     const struct claw_ledger_used *used)
{
	uint64_t flags = used->mem_flags;
	struct claw_ledger_entry parent;
	struct claw_access *access;

	demand->lost |= demand->count == CLAW_CALL_ACCESSES;
	if (demand->count == CLAW_CALL_ACCESSES)
		return;
	if (used->api == CLAW_API_clCreateSubBuffer &&
	    claw_memory_look(CLAW_OBJ_MEM, used->parent, &parent))
		flags |= parent.mem_flags;
	access = &demand->accesses[demand->count++];
	claw_access_begin(access, CLAW_IN_IMAGE, CLAW_BY_KERNEL | CLAW_READS);
	access->object = access->root = used->handle;
	access->serial = used->serial;
	if (!(flags & CL_MEM_READ_ONLY) &&
	    !(used->argument < ARGUMENTS &&
	      kernel->reads & UINT64_C(1) << used->argument))
		access->use |= CLAW_MAY_WRITE;
	if (used->api == CLAW_API_clCreateBuffer ||
	    used->api == CLAW_API_clCreateBufferWithProperties ||
	    used->api == CLAW_API_clCreateSubBuffer) {
		access->where = CLAW_IN_BUFFER;
		access->span.row_bytes = used->bytes;
		access->span.rows = access->span.slices = 1;
	}
}

static void add_object(struct claw_demand *demand, const struct kernel *kernel,
		       const struct claw_ledger_hold *hold)
{
	struct claw_ledger_entry entry;

	if (!claw_memory_look(CLAW_OBJ_MEM, hold->handle, &entry) ||
	    entry.serial != hold->serial)
		return;
	add_used(demand, kernel, &(struct claw_ledger_used){
		.handle = entry.handle, .serial = entry.serial,
		.bytes = entry.bytes, .mem_flags = entry.mem_flags,
		.parent = entry.parent, .argument = hold->argument,
		.api = entry.api,
	});
}

static void add_shared(struct claw_demand *demand, uint64_t pointer)
{
	struct claw_access *access;

	demand->lost |= pointer && demand->count == CLAW_CALL_ACCESSES;
	if (demand->count == CLAW_CALL_ACCESSES || !pointer)
		return;
	access = &demand->accesses[demand->count++];
	claw_access_begin(access, CLAW_IN_SVM, CLAW_BY_KERNEL);
	access->object = pointer;
	access->span.start = pointer;
	access->span.row_bytes = 1;
	access->span.rows = access->span.slices = 1;
}

void claw_kernels_look(const struct claw_call *call, struct claw_demand *demand)
{
	struct claw_ledger_hold holds[CLAW_CALL_ACCESSES];
	cl_kernel handle = CLAW_ARG(call, clEnqueueNDRangeKernel, kernel);
	struct claw_ledger_entry entry;
	struct kernel kernel;
	struct given given;
	unsigned int count;
	bool more;

	if (!claw_memory_look(CLAW_OBJ_KERNEL, claw_number(handle), &entry) ||
	    !get(handle, entry.serial, &kernel, &given))
		return;
	demand->name = kernel.name;
	count = copy_holds(entry.handle, entry.serial, holds, &more);
	demand->lost = more;
	for (unsigned int i = 0; i < count; i++)
		add_object(demand, &kernel, &holds[i]);
	for (unsigned int i = 0; i < given.shared_count; i++)
		add_shared(demand, given.shared[i]);
	for (unsigned int i = 0; i < given.extra_count; i++)
		add_shared(demand, given.extra[i]);
}

bool claw_kernels_demand(const struct claw_launch *launch,
			 struct claw_demand *demand)
{
	const struct kernel *kernel = find(launch->kernel, launch->serial);

	if (!kernel || kernel->given)
		return false;
	demand->count = 0;
	demand->name = kernel->name;
	demand->lost = demand->opaque = false;
	for (unsigned int i = 0; i < launch->count; i++)
		add_used(demand, kernel, &launch->used[i]);
	return true;
}

/* ---- arguments that are pointers */

/* pointer 0: it is something else now. */
static void set_shared(struct given *given, cl_uint index, uint64_t pointer)
{
	unsigned int i = 0;

	while (i < given->shared_count && given->shared_index[i] != index)
		i++;
	if (i == SHARED || index > UINT8_MAX ||
	    (i == given->shared_count && !pointer))
		return;
	given->shared_index[i] = (uint8_t)index;
	given->shared[i] = pointer;
	if (i == given->shared_count)
		given->shared_count++;
}

static void set_extra(struct given *given, const struct claw_call *call)
{
	size_t count = CLAW_ARG(call, clSetKernelExecInfo, param_value_size) /
		       sizeof(void *);
	void *const *list = CLAW_ARG(call, clSetKernelExecInfo, param_value);

	if (CLAW_ARG(call, clSetKernelExecInfo, param_name) !=
	    CL_KERNEL_EXEC_INFO_SVM_PTRS) {
		claw_memory_system_svm();
		return;
	}
	given->extra_count = 0;
	for (size_t i = 0; list && i < count && i < SHARED; i++)
		given->extra[given->extra_count++] = claw_number(list[i]);
}

void claw_kernels_set_arg(const struct claw_call *call)
{
	cl_kernel handle = CLAW_ARG(call, clSetKernelArg, kernel);
	bool is_pointer = call->api != CLAW_API_clSetKernelArg;
	const void *pointer =
		CLAW_ARG(call, clSetKernelArgSVMPointer, arg_value);
	struct claw_ledger_entry entry;
	struct kernel copy, *kernel;
	struct given given;

	if ((!is_pointer && !claw_kernels_have_shared()) ||
	    !claw_memory_look(CLAW_OBJ_KERNEL, claw_number(handle), &entry))
		return;
	if (is_pointer)
		__atomic_store_n(&claw_kernels_shared, true, __ATOMIC_RELAXED);
	if (is_pointer && !get(handle, entry.serial, &copy, &given))
		return;
	if (!claw_commands_enter())
		return;
	kernel = find(claw_number(handle), entry.serial);
	if (kernel && call->api == CLAW_API_clSetKernelExecInfo)
		set_extra(given_to(kernel), call);
	else if (kernel && (is_pointer || kernel->given))
		set_shared(given_to(kernel),
			   CLAW_ARG(call, clSetKernelArg, arg_index),
			   is_pointer ? claw_number(pointer) : 0);
	claw_commands_leave();
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the arguments of each kernel are now, for the record of its next
 * launch. Small values lie in the table itself; longer ones in units of it
 * behind each other. Which of them are handles is looked up at the launch.
 */
#include "config.h"

#include "trace_private.h"

#include <string.h>

enum {
	KERNELS = 1 << 14,
	BUCKETS = 1 << 14,
	UNITS = 1 << 14,
	UNIT_ARGS = 15,
	INLINE = 16,			/* bytes of a value */
	UNIT_BYTES = 496,		/* of a longer one */
	VALUE_MAX = 4096,
	RECORD_ROOM = 16 << 10,		/* for all of a launch's */
	ARGS_MAX = 200,			/* of a launch's record */
};

struct arg {
	uint64_t size;			/* as it was given; 0: not set */
	uint32_t unit;			/* of a longer value, or 0 */
	uint16_t flags;			/* IS_LOCAL, IS_SVM, CUT */
	uint16_t shown;			/* flags that the base's record has */
	unsigned char value[INLINE];
};

struct unit {
	uint32_t next;			/* of the same kernel or value, or free */
	uint32_t pad[3];
	union {
		struct arg args[UNIT_ARGS];
		unsigned char bytes[UNIT_BYTES];
	};
};

struct claw_trace_kernel {
	uint64_t handle;
	uint32_t next;			/* in its bucket, or free: index + 1 */
	uint32_t units;			/* of arguments */
	uint16_t count;			/* arguments, up to the last that is set */
	bool lost;			/* there was no room for some */
	bool chosen;
	bool has_svm;			/* may be given shared memory */
	bool steady;			/* launched more than once with these */
	/* The launch whose record has all the arguments as they still are; 0:
	 * none. What they are was last looked at in that epoch. */
	uint64_t base, epoch;
	uint64_t named;			/* the last base that was named */
};

static struct {
	struct claw_trace_kernel *kernels;
	uint32_t *buckets;
	struct unit *units;
	uint32_t fresh, free, fresh_unit, free_unit;
} own;

/* ---- under the lock */

static uint32_t *bucket_of(uint64_t handle)
{
	return &own.buckets[claw_entry_mix(handle, 0) >> 32 & (BUCKETS - 1)];
}

static inline struct claw_trace_kernel *find(uint64_t handle)
{
	uint32_t i = *bucket_of(handle);

	while (i && own.kernels[i - 1].handle != handle)
		i = own.kernels[i - 1].next;
	return i ? &own.kernels[i - 1] : NULL;
}

static uint32_t take_unit(void)
{
	uint32_t number = own.free_unit;

	if (number)
		own.free_unit = own.units[number - 1].next;
	else if (own.fresh_unit < UNITS)
		number = ++own.fresh_unit;
	if (number)
		memset(&own.units[number - 1], 0, sizeof(*own.units));
	return number;
}

static void free_chain(uint32_t number)
{
	while (number) {
		uint32_t next = own.units[number - 1].next;

		own.units[number - 1].next = own.free_unit;
		own.free_unit = number;
		number = next;
	}
}

static void free_args(struct claw_trace_kernel *kernel)
{
	for (uint32_t i = kernel->units; i; i = own.units[i - 1].next)
		for (unsigned int j = 0; j < UNIT_ARGS; j++)
			free_chain(own.units[i - 1].args[j].unit);
	free_chain(kernel->units);
	kernel->units = 0;
	kernel->count = 0;
}

void claw_args_gone(uint64_t handle)
{
	uint32_t *link = bucket_of(handle), number;

	while (*link && own.kernels[*link - 1].handle != handle)
		link = &own.kernels[*link - 1].next;
	number = *link;
	if (!number)
		return;
	*link = own.kernels[number - 1].next;
	free_args(&own.kernels[number - 1]);
	own.kernels[number - 1].handle = 0;
	own.kernels[number - 1].next = own.free;
	own.free = number;
}

void claw_args_new(uint64_t handle, bool chosen)
{
	uint32_t number;

	claw_args_gone(handle);
	number = own.free;
	if (number)
		own.free = own.kernels[number - 1].next;
	else if (own.fresh < KERNELS)
		number = ++own.fresh;
	if (!number)
		return;
	own.kernels[number - 1] = (struct claw_trace_kernel){
		.handle = handle, .next = *bucket_of(handle), .chosen = chosen,
	};
	*bucket_of(handle) = number;
}

/* The place of an argument, made where it is not there. */
static inline struct arg *arg_at(struct claw_trace_kernel *kernel,
				 uint32_t index)
{
	uint32_t *link = &kernel->units;

	for (;; index -= UNIT_ARGS) {
		if (!*link)
			*link = take_unit();
		if (!*link)
			return NULL;
		if (index < UNIT_ARGS)
			return &own.units[*link - 1].args[index];
		link = &own.units[*link - 1].next;
	}
}

static bool set_long(struct arg *arg, const unsigned char *value, uint64_t size)
{
	uint32_t *link = &arg->unit;

	for (uint64_t at = 0; at < size; at += UNIT_BYTES) {
		uint64_t piece = size - at < UNIT_BYTES ? size - at :
			UNIT_BYTES;

		*link = take_unit();
		if (!*link)
			return false;
		if (!claw_source_copy(own.units[*link - 1].bytes, value + at,
				      piece))
			return false;
		link = &own.units[*link - 1].next;
	}
	return true;
}

/* Is that what it was? Of longer values nobody knows. */
static inline bool is_same(const struct arg *arg, uint64_t size,
			   const void *value, uint16_t flags)
{
	if (arg->size != size || arg->flags != flags)
		return false;
	if (!value)
		return true;
	if (size == 8)
		return !memcmp(arg->value, value, 8);
	return size == 4 && !memcmp(arg->value, value, 4);
}

void claw_args_set(uint64_t handle, uint32_t index, uint64_t size,
		   const void *value, uint16_t flags)
{
	struct claw_trace_kernel *kernel = find(handle);
	struct arg *arg = kernel && index < 256 ? arg_at(kernel, index) : NULL;

	if (!arg) {
		if (kernel)
			kernel->lost = true;
		return;
	}
	if (index >= kernel->count)
		kernel->count = (uint16_t)(index + 1);
	if (__builtin_expect(arg->unit != 0, 0)) {
		free_chain(arg->unit);
		arg->unit = 0;
	}
	if (kernel->base && !is_same(arg, size, value, flags)) {
		kernel->base = 0;
		kernel->steady = false;
	}
	kernel->has_svm |= flags & CLAW_PAYLOAD_IS_SVM;
	arg->size = size;
	arg->flags = flags;
	if (!value)
		return;
	if (size == 8) {
		memcpy(arg->value, value, 8);
	} else if (size == 4) {
		memcpy(arg->value, value, 4);
	} else if (size <= INLINE) {
		claw_source_copy(arg->value, value, size);
	} else if (size > VALUE_MAX || !set_long(arg, value, size)) {
		free_chain(arg->unit);
		arg->unit = 0;
		arg->flags |= CLAW_PAYLOAD_CUT;
	}
}

/* ---- launches */

static struct arg *next_arg(const struct claw_trace_kernel *kernel,
			    uint32_t index)
{
	uint32_t number = kernel->units;

	for (; index >= UNIT_ARGS && number; index -= UNIT_ARGS)
		number = own.units[number - 1].next;
	return number ? &own.units[number - 1].args[index] : NULL;
}

static bool is_bytes(const struct arg *arg)
{
	return !(arg->flags & (CLAW_PAYLOAD_IS_LOCAL | CLAW_PAYLOAD_IS_SVM |
			       CLAW_PAYLOAD_CUT));
}

static uint16_t flags_of(const struct arg *arg)
{
	uint16_t flags = arg->flags;
	uint64_t handle;

	if (arg->size != sizeof(handle) || !is_bytes(arg))
		return flags;
	memcpy(&handle, arg->value, sizeof(handle));
	switch (claw_slots_find(handle)) {
	case CLAW_OBJ_MEM:
		return flags | CLAW_PAYLOAD_IS_MEM;
	case CLAW_OBJ_SAMPLER: case CLAW_OBJ_QUEUE:
		return flags | CLAW_PAYLOAD_IS_HANDLE;
	default:
		break;
	}
	/* The program says so; that is all that may be known of a number. */
	return claw_own_trace.config.redact ? flags | CLAW_PAYLOAD_CUT : flags;
}

static uint32_t bytes_of(const struct arg *arg, uint16_t flags)
{
	if (flags & CLAW_PAYLOAD_IS_SVM)
		return sizeof(uint64_t);
	if (flags & (CLAW_PAYLOAD_IS_LOCAL | CLAW_PAYLOAD_CUT))
		return 0;
	if (claw_own_trace.config.redact &&
	    !(flags & (CLAW_PAYLOAD_IS_MEM | CLAW_PAYLOAD_IS_HANDLE)))
		return 0;
	return (uint32_t)arg->size;
}

/* The arguments that fit are the same ones each time. */
static void measure(const struct claw_trace_kernel *kernel,
		    struct claw_trace_plan *plan)
{
	for (uint32_t i = 0; i < kernel->count && i < ARGS_MAX; i++) {
		const struct arg *arg = next_arg(kernel, i);
		uint32_t room;

		if (!arg || !arg->size)
			continue;
		room = claw_payload_room(bytes_of(arg, flags_of(arg)));
		if (plan->bytes + room > RECORD_ROOM)
			break;
		plan->bytes += room;
		plan->count++;
	}
}

/* Its memory is changed by a launch. */
static void note_changed(const struct arg *arg, uint16_t flags,
			 uint64_t position)
{
	uint64_t mem;

	if (!(flags & CLAW_PAYLOAD_IS_MEM))
		return;
	memcpy(&mem, arg->value, sizeof(mem));
	claw_slots_changed(mem, position);
}

/* Are handles still handles, and all else what it was? Then the launch that
 * comes next changes the memory. */
static __attribute__((noinline)) bool
is_still_so(const struct claw_trace_kernel *kernel)
{
	uint64_t position = claw_ring_used();

	for (uint32_t i = 0; i < kernel->count && i < ARGS_MAX; i++) {
		const struct arg *arg = next_arg(kernel, i);

		if (arg && arg->size && flags_of(arg) != arg->shown)
			return false;
	}
	for (uint32_t i = 0; i < kernel->count && i < ARGS_MAX; i++) {
		const struct arg *arg = next_arg(kernel, i);

		if (arg && arg->size)
			note_changed(arg, arg->shown, position);
	}
	return true;
}

/* Arguments that are launched twice are written twice: what is named is
 * written once more when it goes, which is to be less than all of them. */
static __attribute__((noinline)) bool
name_base(struct claw_trace_kernel *kernel)
{
	if (!kernel->steady) {
		kernel->steady = true;
		return false;
	}
	if (!claw_bases_add(kernel->base))
		return false;
	kernel->named = kernel->base;
	return true;
}

static inline bool has_base(struct claw_trace_kernel *kernel)
{
	uint64_t epoch = claw_slots_epoch();

	if (!kernel->base || claw_ring_used() - kernel->base >
	    claw_own_trace.ring_bytes / CLAW_TRACE_SAME_PART)
		return false;
	if (__builtin_expect(kernel->epoch != epoch, 0)) {
		if (!is_still_so(kernel))
			return false;
		kernel->epoch = epoch;
	}
	return __builtin_expect(kernel->named == kernel->base, 1) ||
	       name_base(kernel);
}

static void plan_for(struct claw_trace_kernel *kernel, uint64_t base,
		     struct claw_trace_plan *plan)
{
	*plan = (struct claw_trace_plan){ .kernel = kernel, .base = base };
	if (!kernel)
		return;
	if (base) {
		plan->bytes = sizeof(struct claw_trace_payload);
		plan->count = 1;
	} else {
		measure(kernel, plan);
	}
}

void claw_args_plan(uint64_t handle, bool alone,
		    struct claw_trace_plan *ret_plan)
{
	struct claw_trace_kernel *kernel = find(handle);

	plan_for(kernel, kernel && !alone && has_base(kernel) ? kernel->base :
		 0, ret_plan);
}

uint64_t claw_args_base(uint64_t handle)
{
	struct claw_trace_kernel *kernel = find(handle);

	return kernel && !kernel->has_svm && has_base(kernel) ? kernel->base :
		0;
}

bool claw_args_plan_short(uint64_t handle, uint64_t base,
			  struct claw_trace_plan *ret_plan)
{
	struct claw_trace_kernel *kernel = find(handle);

	if (kernel && kernel->has_svm)
		return false;
	plan_for(kernel, base, ret_plan);
	return true;
}

static void copy_value(const struct arg *arg, unsigned char *to,
		       uint32_t bytes)
{
	if (bytes <= INLINE) {
		memcpy(to, arg->value, bytes);
		return;
	}
	for (uint32_t i = arg->unit; i && bytes; i = own.units[i - 1].next) {
		uint32_t piece = bytes < UNIT_BYTES ? bytes : UNIT_BYTES;

		memcpy(to, own.units[i - 1].bytes, piece);
		to += piece;
		bytes -= piece;
	}
}

static unsigned char *write_args(struct claw_trace_kernel *kernel,
				 unsigned char *to, uint64_t position)
{
	uint32_t bytes = 0;

	for (uint32_t i = 0; i < kernel->count && i < ARGS_MAX; i++) {
		struct arg *arg = next_arg(kernel, i);
		struct claw_trace_payload payload = {
			.kind = CLAW_PAYLOAD_ARGUMENT, .param = 1, .index = i,
		};
		unsigned char *at = to;

		if (!arg || !arg->size)
			continue;
		payload.flags = arg->shown = flags_of(arg);
		payload.value = arg->size;
		payload.bytes = bytes_of(arg, payload.flags);
		bytes += claw_payload_room(payload.bytes);
		if (bytes > RECORD_ROOM)
			break;
		to = claw_payload_write(to, &payload);
		copy_value(arg, at + sizeof(payload), payload.bytes);
		note_changed(arg, payload.flags, position);
	}
	return to;
}

unsigned char *claw_args_write(const struct claw_trace_plan *plan,
			       unsigned char *to, uint64_t position,
			       bool alone)
{
	const struct claw_trace_payload same = {
		.kind = CLAW_PAYLOAD_SAME, .param = 1, .value = plan->base,
	};

	if (!plan->kernel)
		return to;
	if (__builtin_expect(plan->base != 0, 1)) {
		memcpy(to, &same, sizeof(same));
		return to + sizeof(same);
	}
	plan->kernel->base = alone ? 0 : position;
	plan->kernel->epoch = claw_slots_epoch();
	return write_args(plan->kernel, to, position);
}

unsigned int claw_args_held(uint64_t handle, struct claw_trace_held *held,
			    unsigned int max)
{
	const struct claw_trace_kernel *kernel = find(handle);
	unsigned int count = 0;

	for (uint32_t i = 0; kernel && i < kernel->count && count < max; i++) {
		const struct arg *arg = next_arg(kernel, i);
		uint16_t flags = arg && arg->size ? flags_of(arg) : 0;

		if (!(flags & (CLAW_PAYLOAD_IS_MEM | CLAW_PAYLOAD_IS_SVM)))
			continue;
		held[count].index = i;
		held[count].flags = flags;
		memcpy(&held[count++].value, arg->value, sizeof(uint64_t));
	}
	return count;
}

bool claw_args_is_chosen(uint64_t handle)
{
	const struct claw_trace_kernel *kernel = find(handle);

	return kernel && kernel->chosen;
}

/* A clone begins with what its source has. */
void claw_args_copy(uint64_t from, uint64_t to)
{
	const struct claw_trace_kernel *source = find(from);
	unsigned char value[VALUE_MAX];

	claw_args_new(to, source && source->chosen);
	for (uint32_t i = 0; source && i < source->count; i++) {
		const struct arg *arg = next_arg(source, i);

		if (!arg || !arg->size)
			continue;
		if (is_bytes(arg) && arg->size <= VALUE_MAX)
			copy_value(arg, value, (uint32_t)arg->size);
		else if (arg->flags & CLAW_PAYLOAD_IS_SVM)
			memcpy(value, arg->value, INLINE);
		claw_args_set(to, i, arg->size,
			      arg->flags & (CLAW_PAYLOAD_IS_LOCAL |
					    CLAW_PAYLOAD_CUT) ? NULL : value,
			      arg->flags);
	}
}

/* ---- the process */

bool claw_args_begin(void)
{
	struct claw_trace_kernel *kernels = own.kernels;
	uint32_t *buckets = own.buckets;
	struct unit *units = own.units;

	memset(&own, 0, sizeof(own));
	own.kernels = claw_trace_memory(kernels, KERNELS * sizeof(*kernels));
	own.buckets = claw_trace_memory(buckets, BUCKETS * sizeof(*buckets));
	own.units = claw_trace_memory(units, UNITS * sizeof(*units));
	return own.kernels && own.buckets && own.units;
}

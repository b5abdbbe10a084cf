/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels and their twins: whatever the program sets on one is set on the
 * other, too. A kernel whose twin does not take it runs without probes from
 * then on.
 */
#include "config.h"

#include "instrument_private.h"

#include <stdlib.h>
#include <string.h>

#include "api_sig.h"
#include "ledger.h"

enum { SVM_MAX = 4096 };

static struct claw_probed_table kernels;

/* Shared memory, the newest last. */
static struct { uintptr_t start; uint64_t bytes; } svm[SVM_MAX];
static uint32_t svm_count;
static pthread_mutex_t svm_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- the table */

static struct claw_probed_kernel *kernel_of(struct claw_probed_entry *entry)
{
	return (struct claw_probed_kernel *)entry;
}

static void drop_twin(struct claw_kernel_twin *twin)
{
	if (twin->kernel)
		claw_next.clReleaseKernel(twin->kernel);
	twin->kernel = NULL;
}

static void free_kernel(struct claw_probed_entry *entry)
{
	struct claw_probed_kernel *kernel = kernel_of(entry);

	for (unsigned int i = 0; i < kernel->count; i++) {
		drop_twin(&kernel->twins[i]);
		claw_twin_put(kernel->twins[i].twin);
	}
	if (kernel->program)
		claw_probed_put(kernel->program);
	pthread_mutex_destroy(&kernel->lock);
	free(kernel->twins);
	free(kernel);
}

void claw_probed_kernel_put(struct claw_probed_kernel *kernel)
{
	claw_probed_leave(&kernels, &kernel->entry);
}

struct claw_probed_kernel *claw_probed_kernel_get(cl_kernel handle)
{
	return kernel_of(claw_probed_hold(&kernels, handle));
}

void claw_probed_kernel_retained(cl_kernel handle)
{
	claw_probed_retain(&kernels, handle);
}

void claw_probed_kernel_released(cl_kernel handle)
{
	claw_probed_release(&kernels, handle);
}

static void enter(struct claw_probed_kernel *kernel, cl_kernel handle)
{
	if (!claw_probed_add(&kernels, &kernel->entry, handle))
		free_kernel(&kernel->entry);
}

static struct claw_probed_kernel *new_kernel(void)
{
	struct claw_probed_kernel *kernel = calloc(1, sizeof(*kernel));

	if (kernel)
		pthread_mutex_init(&kernel->lock, NULL);
	return kernel;
}

/* ---- making twins */

/* The words, once for all. Its number of arguments has to be the map's: a
 * hidden one that is none would be the program's. */
static bool furnish(struct claw_kernel_twin *twin)
{
	const struct claw_words *words = twin->twin->words;
	cl_uint arguments = 0;
	cl_mem buffer = words->buffer;

	claw_next.clGetKernelInfo(twin->kernel, CL_KERNEL_NUM_ARGS,
				  sizeof(arguments), &arguments, NULL);
	if (arguments != twin->hidden.words + 1 +
	    (twin->hidden.launch >= 0) + twin->hidden.size_count)
		return false;
	for (unsigned int i = 0; i < twin->hidden.size_count; i++)
		twin->sizes[i] = UINT64_MAX - 1;	/* is not set */
	return !claw_next.clSetKernelArg(twin->kernel, twin->hidden.words,
					 sizeof(buffer), &buffer);
}

static bool find_hidden(struct claw_kernel_twin *twin, const char *name,
			char why[CLAW_PROBE_WHY])
{
	struct claw_words *words = twin->twin->words;

	for (uint32_t i = 0; i < words->file->parts; i++)
		if (words->maps[i] && claw_map_kernel(words->maps[i], name,
						      &twin->hidden, why)) {
			twin->complete = claw_complete_of(words, i, name);
			return true;
		}
	return false;
}

static void make_twin(struct claw_kernel_twin *twin, const char *name)
{
	char why[CLAW_PROBE_WHY] = "it has no twin";
	struct claw_probe_header *file;
	cl_int err;

	if (!twin->twin->program || !twin->twin->words)
		return;
	file = twin->twin->words->file;
	if (find_hidden(twin, name, why)) {
		if (claw_complete_is(twin->complete, twin->twin->words))
			return;
		twin->kernel = claw_next.clCreateKernel(twin->twin->program,
							name, &err);
		if (twin->kernel && furnish(twin))
			return;
		twin->complete = NULL;
		claw_probe_why(why, "kernel %s: the driver makes no twin",
			       name);
	}
	drop_twin(twin);
	if (!*file->why)
		memcpy(file->why, why, sizeof(why));
}

static bool is_wanted(const char *name)
{
	const char *glob = claw_instrument_config.kernel;

	return !*glob || claw_glob_match(glob, name);
}

static void make_twins(struct claw_probed_kernel *kernel)
{
	struct claw_twin *twins[CLAW_PROBE_DEVICES];
	unsigned int number = claw_twins_get(kernel->program, kernel->is_wanted,
					     twins);

	kernel->twins = number ? calloc(number, sizeof(*kernel->twins)) : NULL;
	for (unsigned int i = 0; i < number; i++) {
		if (!kernel->twins) {
			claw_twin_put(twins[i]);
			continue;
		}
		kernel->twins[i].twin = twins[i];
		make_twin(&kernel->twins[i], kernel->name);
		kernel->count++;
	}
}

void claw_probed_kernel_made(cl_program program, cl_kernel handle)
{
	struct claw_probed_kernel *kernel = new_kernel();

	if (!kernel)
		return;
	kernel->program = claw_probed_get(program);
	if (claw_next.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME,
				      sizeof(kernel->name), kernel->name, NULL))
		kernel->name[0] = '\0';
	kernel->is_wanted = *kernel->name && is_wanted(kernel->name);
	if (kernel->program)
		make_twins(kernel);
	enter(kernel, handle);
}

static void clone_twin(const struct claw_kernel_twin *from,
		       struct claw_kernel_twin *to)
{
	cl_int err;

	*to = *from;
	__atomic_add_fetch(&to->twin->users, 1, __ATOMIC_RELAXED);
	if (from->kernel)
		to->kernel = claw_next.clCloneKernel(from->kernel, &err);
}

void claw_probed_kernel_cloned(cl_kernel from, cl_kernel handle)
{
	struct claw_probed_kernel *source = claw_probed_kernel_get(from);
	struct claw_probed_kernel *kernel = source ? new_kernel() : NULL;

	if (kernel) {
		memcpy(kernel->name, source->name, sizeof(kernel->name));
		kernel->is_wanted = source->is_wanted;
		kernel->twins = source->count ?
			calloc(source->count, sizeof(*kernel->twins)) : NULL;
		for (; kernel->twins && kernel->count < source->count;
		     kernel->count++)
			clone_twin(&source->twins[kernel->count],
				   &kernel->twins[kernel->count]);
		enter(kernel, handle);
	}
	if (source)
		claw_probed_kernel_put(source);
}

/* ---- sizes of what pointers point at */

void claw_probed_svm_made(const void *start, uint64_t bytes)
{
	pthread_mutex_lock(&svm_lock);
	if (svm_count < SVM_MAX) {
		svm[svm_count].start = (uintptr_t)start;
		svm[svm_count++].bytes = bytes;
	}
	pthread_mutex_unlock(&svm_lock);
}

void claw_probed_svm_freed(const void *start)
{
	pthread_mutex_lock(&svm_lock);
	for (uint32_t i = svm_count; i--;)
		if (svm[i].start == (uintptr_t)start) {
			svm[i] = svm[--svm_count];
			break;
		}
	pthread_mutex_unlock(&svm_lock);
}

/* From there to the end of the shared memory that it is in. */
static uint64_t svm_bytes(const void *pointer)
{
	uint64_t bytes = pointer ? UINT64_MAX : 0;

	pthread_mutex_lock(&svm_lock);
	for (uint32_t i = 0; i < svm_count; i++)
		if ((uintptr_t)pointer - svm[i].start < svm[i].bytes)
			bytes = svm[i].bytes - ((uintptr_t)pointer -
						svm[i].start);
	pthread_mutex_unlock(&svm_lock);
	return bytes;
}

static uint64_t buffer_bytes(const void *value)
{
	size_t bytes = 0;
	cl_mem mem;

	memcpy(&mem, value, sizeof(mem));
	if (!mem)
		return 0;
	return claw_next.clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(bytes),
					    &bytes, NULL) ? UINT64_MAX : bytes;
}

/* What was set as an argument. */
struct value {
	cl_uint index;
	bool is_pointer;		/* of shared memory */
	size_t size;
	const void *value;
};

static uint64_t bytes_of(const struct value *value)
{
	if (value->is_pointer)
		return svm_bytes(value->value);
	if (!value->value)
		return 0;		/* a buffer that is NULL */
	return value->size == sizeof(cl_mem) ? buffer_bytes(value->value) :
		UINT64_MAX;
}

static struct claw_found_place made_at(const struct value *value)
{
	struct claw_ledger_entry entry;
	const void *handle;

	if (value->is_pointer || !value->value ||
	    value->size != sizeof(handle) || !claw_ledger_is_on())
		return claw_found_nowhere();
	memcpy(&handle, value->value, sizeof(handle));
	if (!handle || !claw_ledger_copy(CLAW_OBJ_MEM, handle, &entry))
		return claw_found_nowhere();
	return claw_found_place(entry.site, entry.api,
				(enum claw_obj)entry.object);
}

static bool set_size(struct claw_kernel_twin *twin, const struct value *value)
{
	for (unsigned int i = 0; i < twin->hidden.size_count; i++) {
		const struct claw_map_size *size = &twin->hidden.sizes[i];
		cl_ulong bytes;

		if (size->argument != value->index)
			continue;
		bytes = size->is_local ? value->size : bytes_of(value);
		twin->made[i] = made_at(value);
		if (twin->sizes[i] == bytes)
			continue;
		twin->sizes[i] = bytes;
		if (claw_next.clSetKernelArg(twin->kernel, size->index,
					     sizeof(bytes), &bytes))
			return false;
	}
	return true;
}

/* ---- what the program sets */

static cl_int set_pointer(const struct claw_call *call, cl_kernel kernel,
			  const struct value *value)
{
	claw_pfn_clSetKernelArgMemPointerINTEL set;

	if (call->api == CLAW_API_clSetKernelArgSVMPointer)
		return claw_next.clSetKernelArgSVMPointer(kernel, value->index,
							  value->value);
	set = __extension__ (claw_pfn_clSetKernelArgMemPointerINTEL)
		claw_extension_next(call->api, kernel);
	return set ? set(kernel, value->index, value->value) :
		CL_INVALID_OPERATION;
}

static bool set(const struct claw_call *call, struct claw_kernel_twin *twin)
{
	struct value value;

	if (claw_complete_is(twin->complete, twin->twin->words))
		return false;		/* it is not launched any more */

	if (call->api == CLAW_API_clSetKernelExecInfo)
		return !claw_next.clSetKernelExecInfo(twin->kernel,
			*(const cl_kernel_exec_info *)call->args[1],
			*(const size_t *)call->args[2],
			*(const void *const *)call->args[3]);
	value.index = *(const cl_uint *)call->args[1];
	value.is_pointer = call->api != CLAW_API_clSetKernelArg;
	value.size = value.is_pointer ? 0 : *(const size_t *)call->args[2];
	value.value = *(const void *const *)
		call->args[value.is_pointer ? 2 : 3];
	if (value.is_pointer ?
	    set_pointer(call, twin->kernel, &value) :
	    claw_next.clSetKernelArg(twin->kernel, value.index, value.size,
				     value.value))
		return false;
	return set_size(twin, &value);
}

void claw_probed_kernel_set(const struct claw_call *call)
{
	struct claw_probed_kernel *kernel =
		claw_probed_kernel_get(*(const cl_kernel *)call->args[0]);

	if (!kernel)
		return;
	for (unsigned int i = 0; i < kernel->count; i++)
		if (kernel->twins[i].kernel && !set(call, &kernel->twins[i])) {
			pthread_mutex_lock(&kernel->lock);
			drop_twin(&kernel->twins[i]);
			pthread_mutex_unlock(&kernel->lock);
		}
	claw_probed_kernel_put(kernel);
}

void claw_probed_kernels_begin(void)
{
	claw_probed_table_begin(&kernels, free_kernel);
	pthread_mutex_init(&svm_lock, NULL);
	svm_count = 0;
}

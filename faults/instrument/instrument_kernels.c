/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels and their twins: whatever the program sets on one is set on the
 * other, too. A kernel whose twin does not take it runs without probes from
 * then on.
 */
#include "config.h"

#include "instrument_valid.h"
#include "instrument_verify.h"

#include <stdlib.h>
#include <string.h>

#include "faults/shared/api_sig.h"
#include "faults/call/extension.h"
#include "faults/ledger/ledger.h"

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

/* A buffer's shadow has two, that of local memory one. */
static cl_uint cell_arguments(const struct claw_map_kernel *hidden)
{
	cl_uint count = hidden->cells >= 0 ? 2 : 0;

	for (unsigned int i = 0; i < hidden->cell_count; i++)
		count += hidden->cell[i].is_local ? 1 : 2;
	return count;
}

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
	    (twin->hidden.launch >= 0) + twin->hidden.size_count +
	    (twin->hidden.shadow >= 0 ? 3 : 0) + twin->hidden.shade_count +
	    cell_arguments(&twin->hidden))
		return false;
	for (unsigned int i = 0; i < twin->hidden.size_count; i++)
		twin->sizes[i] = UINT64_MAX - 1;	/* is not set */
	return !claw_next.clSetKernelArg(twin->kernel, twin->hidden.words,
					 sizeof(buffer), &buffer);
}

bool claw_twin_fits(const struct claw_kernel_twin *twin)
{
	cl_device_id device = twin->twin->device;
	cl_ulong used = 0, there = 0;

	if (twin->hidden.shadow < 0 && twin->hidden.cells < 0)
		return true;
	return claw_next.clGetKernelWorkGroupInfo(twin->kernel, device,
			CL_KERNEL_LOCAL_MEM_SIZE, sizeof(used), &used, NULL) ||
		claw_next.clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE,
			sizeof(there), &there, NULL) ||
		used <= there;
}

static bool find_hidden(struct claw_kernel_twin *twin, const char *name,
			char why[CLAW_PROBE_WHY])
{
	struct claw_words *words = twin->twin->words;

	for (uint32_t i = 0; i < words->file->parts; i++) {
		const char *map = words->maps[i];

		if (!map || !claw_map_kernel(map, name, &twin->hidden, why))
			continue;
		twin->complete = claw_complete_of(words, i, name);
		twin->verified = claw_verified_of(words, name);
		twin->hidden.is_blind = claw_map_blind(map, name, why);
		if (twin->hidden.is_blind)
			claw_words_why(words, why);
		twin->hidden.is_partly = claw_map_partly(map, name, why);
		if (twin->hidden.is_partly && !*words->file->partly_why)
			memcpy(words->file->partly_why, why, CLAW_PROBE_WHY);
		return true;
	}
	return false;
}

static void make_twin(struct claw_kernel_twin *twin, const char *name)
{
	char why[CLAW_PROBE_WHY] = "it has no twin";
	cl_int err;

	if (!twin->twin->program || !twin->twin->words)
		return;
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
	claw_words_why(twin->twin->words, why);
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
	to->shadow = NULL;
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
		memcpy(kernel->given, source->given, sizeof(kernel->given));
		memcpy(kernel->is_shared, source->is_shared,
		       sizeof(kernel->is_shared));
		memcpy(kernel->shared, source->shared, sizeof(kernel->shared));
		kernel->has_extra = source->has_extra;
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

/* The shared memory that it is in; 0 bytes: in none. */
static uintptr_t find_svm(const void *pointer, uint64_t *ret_bytes)
{
	uintptr_t start = 0;

	*ret_bytes = 0;
	pthread_mutex_lock(&svm_lock);
	for (uint32_t i = 0; i < svm_count; i++)
		if ((uintptr_t)pointer - svm[i].start < svm[i].bytes) {
			start = svm[i].start;
			*ret_bytes = svm[i].bytes;
		}
	pthread_mutex_unlock(&svm_lock);
	return start;
}

const void *claw_probed_svm_find(const void *pointer, uint64_t *ret_bytes)
{
	uintptr_t start = find_svm(pointer, ret_bytes);
	const void *found;

	memcpy(&found, &start, sizeof(found));
	return found;
}

/* From there to its end. */
static uint64_t svm_bytes(const void *pointer)
{
	uint64_t bytes;
	uintptr_t start = find_svm(pointer, &bytes);

	return bytes ? bytes - ((uintptr_t)pointer - start) :
		pointer ? UINT64_MAX : 0;
}

/*
 * A buffer over shared memory (5.2.1, CL_MEM_USE_HOST_PTR) goes to the end of
 * that: its neighbours there are the kernel's, too, by their addresses.
 */
static uint64_t buffer_bytes(const void *value)
{
	size_t bytes = 0;
	uint64_t shared = UINT64_MAX;
	void *host = NULL;
	cl_mem mem;

	memcpy(&mem, value, sizeof(mem));
	if (!mem)
		return 0;
	if (claw_next.clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(bytes),
					 &bytes, NULL))
		return UINT64_MAX;
	if (!claw_next.clGetMemObjectInfo(mem, CL_MEM_HOST_PTR, sizeof(host),
					  &host, NULL) && host)
		shared = svm_bytes(host);
	return shared == UINT64_MAX ? bytes : shared;
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

/* enum claw_sampler_mode. */
static uint64_t sampler_mode(const struct value *value)
{
	cl_addressing_mode mode = CL_ADDRESS_CLAMP;
	cl_bool is_normalized = CL_FALSE;
	cl_sampler sampler;

	if (!value->value || value->size != sizeof(sampler))
		return 0;
	memcpy(&sampler, value->value, sizeof(sampler));
	if (claw_next.clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE,
				       sizeof(mode), &mode, NULL) ||
	    claw_next.clGetSamplerInfo(sampler, CL_SAMPLER_NORMALIZED_COORDS,
				       sizeof(is_normalized), &is_normalized,
				       NULL))
		return 0;
	return (mode == CL_ADDRESS_NONE ? CLAW_SAMPLER_NONE : 0) |
	       (is_normalized ? CLAW_SAMPLER_NORMALIZED : 0);
}

static cl_uint image_number(cl_mem image, cl_image_info what)
{
	size_t number = 0;

	return claw_next.clGetImageInfo(image, what, sizeof(number), &number,
					NULL) ? UINT32_MAX : (cl_uint)number;
}

/* What coordinates have to be below; what is not known is below all. */
static cl_uint4 image_size(const struct value *value)
{
	cl_uint4 size = { .s = { UINT32_MAX, UINT32_MAX, UINT32_MAX } };
	cl_mem_object_type type;
	cl_mem image;

	if (!value->value || value->size != sizeof(image))
		return size;
	memcpy(&image, value->value, sizeof(image));
	if (!image || claw_next.clGetMemObjectInfo(image, CL_MEM_TYPE,
						   sizeof(type), &type, NULL))
		return size;
	size.s[0] = image_number(image, CL_IMAGE_WIDTH);
	size.s[1] = type == CL_MEM_OBJECT_IMAGE1D ||
		type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? 0 :
		image_number(image, type == CL_MEM_OBJECT_IMAGE1D_ARRAY ?
			     CL_IMAGE_ARRAY_SIZE : CL_IMAGE_HEIGHT);
	size.s[2] = type == CL_MEM_OBJECT_IMAGE2D_ARRAY ?
		image_number(image, CL_IMAGE_ARRAY_SIZE) :
		type == CL_MEM_OBJECT_IMAGE3D ?
		image_number(image, CL_IMAGE_DEPTH) : 0;
	return size;
}

static uint64_t hidden_number(enum claw_map_space space,
			      const struct value *value)
{
	return space == CLAW_MAP_LOCAL ? value->size :
	       space == CLAW_MAP_SAMPLER ? sampler_mode(value) :
	       bytes_of(value);
}

/* A buffer's handle, or where the shared memory begins; NULL: neither. */
static const void *object_of(const struct value *value)
{
	const void *handle;
	uint64_t bytes;

	if (value->is_pointer) {
		uintptr_t start = find_svm(value->value, &bytes);

		memcpy(&handle, &start, sizeof(handle));
		return handle;
	}
	if (!value->value || value->size != sizeof(handle))
		return NULL;
	memcpy(&handle, value->value, sizeof(handle));
	return handle;
}

static struct claw_found_place made_at(const struct value *value)
{
	struct claw_ledger_entry entry;
	const void *object = claw_ledger_is_on() ? object_of(value) : NULL;

	if (!object || !claw_ledger_copy(value->is_pointer ? CLAW_OBJ_SVM :
					 CLAW_OBJ_MEM, object, &entry))
		return claw_found_nowhere();
	return claw_found_place(entry.site, entry.api,
				(enum claw_obj)entry.object);
}

static bool set_image(struct claw_kernel_twin *twin, unsigned int i,
		      const struct value *value)
{
	cl_uint4 size = image_size(value);

	twin->sizes[i] = 0;		/* it is known */
	return !claw_next.clSetKernelArg(twin->kernel,
					 twin->hidden.sizes[i].index,
					 sizeof(size), &size);
}

static bool set_size(struct claw_kernel_twin *twin, const struct value *value)
{
	for (unsigned int i = 0; i < twin->hidden.size_count; i++) {
		const struct claw_map_size *size = &twin->hidden.sizes[i];
		cl_ulong bytes;

		if (size->argument != value->index)
			continue;
		twin->made[i] = made_at(value);
		if (size->space == CLAW_MAP_IMAGE) {
			if (!set_image(twin, i, value))
				return false;
			continue;
		}
		bytes = hidden_number(size->space, value);
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

static struct value value_of(const struct claw_call *call)
{
	bool is_pointer = call->api != CLAW_API_clSetKernelArg;

	return (struct value){
		.index = CLAW_ARG(call, clSetKernelArg, arg_index),
		.is_pointer = is_pointer,
		.size = is_pointer ? 0 :
				     CLAW_ARG(call, clSetKernelArg, arg_size),
		.value = is_pointer ?
			CLAW_ARG(call, clSetKernelArgSVMPointer, arg_value) :
			CLAW_ARG(call, clSetKernelArg, arg_value),
	};
}

static bool set(const struct claw_call *call, struct claw_kernel_twin *twin)
{
	struct value value;

	if (claw_complete_is(twin->complete, twin->twin->words))
		return false;		/* it is not launched any more */

	if (call->api == CLAW_API_clSetKernelExecInfo)
		return !claw_next.clSetKernelExecInfo(twin->kernel,
			CLAW_ARG(call, clSetKernelExecInfo, param_name),
			CLAW_ARG(call, clSetKernelExecInfo, param_value_size),
			CLAW_ARG(call, clSetKernelExecInfo, param_value));
	value = value_of(call);
	if (value.is_pointer ?
	    set_pointer(call, twin->kernel, &value) :
	    claw_next.clSetKernelArg(twin->kernel, value.index, value.size,
				     value.value))
		return false;
	return set_size(twin, &value);
}

static void remember(const struct claw_call *call,
		     struct claw_probed_kernel *kernel)
{
	struct value value;
	cl_mem mem = NULL;

	if (call->api == CLAW_API_clSetKernelExecInfo) {
		kernel->has_extra = true;
		return;
	}
	value = value_of(call);
	if (!value.is_pointer && value.value && value.size == sizeof(cl_mem))
		memcpy(&mem, value.value, sizeof(cl_mem));
	if (value.index >= CLAW_PROBE_ARGUMENTS) {
		claw_valid_lose(mem, "init: an argument behind the 64th");
		return;
	}
	kernel->is_shared[value.index] = value.is_pointer;
	kernel->shared[value.index] = value.is_pointer ? value.value : NULL;
	kernel->given[value.index] = mem;
}

void claw_probed_kernel_set(const struct claw_call *call)
{
	struct claw_probed_kernel *kernel =
		claw_probed_kernel_get(CLAW_ARG(call, clSetKernelArg, kernel));

	if (!kernel)
		return;
	remember(call, kernel);
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

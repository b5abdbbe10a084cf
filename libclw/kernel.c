/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels: their arguments, and launches.
 */
#include "config.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clw_private.h"
#include "entry.h"

struct argument {
	bool is_set, is_asked;
	struct clw_buffer *buffer;	/* a reference, or NULL */
	size_t element;			/* bytes; 0: not known */
	struct clw_described is;	/* type: "float4*" */
};

struct clw_kernel {
	uint32_t magic;
	struct clw_kernel *next;	/* of clwEnqueueKernel(), of the context */
	struct clw_context *context;	/* a reference of those of a program alone */
	cl_kernel handle;
	uint64_t number;		/* of the program of those of the context */
	char *called;			/* what clwEnqueueKernel() calls it */
	char function[CLW_NAME];
	pthread_mutex_t lock;		/* of what follows */
	unsigned int count;
	struct argument *args;
};

/* ---- making ------------------------------------------------------------- */

static void free_kernel(struct clw_kernel *kernel)
{
	for (unsigned int i = 0; kernel->args && i < kernel->count; i++)
		if (kernel->args[i].buffer)
			clw_buffer_put(kernel->args[i].buffer);
	if (kernel->handle)
		clReleaseKernel(kernel->handle);
	pthread_mutex_destroy(&kernel->lock);
	free(kernel->called);
	free(kernel->args);
	kernel->magic = 0;
	free(kernel);
}

static int fail_function(const char *function, const char *names,
			 const char *what)
{
	if (*function)
		return clw_fail(CLW_KERNEL_NOT_FOUND, "there is no kernel "
				"function '%s' in %s, which has: %.600s",
				function, what, *names ? names : "none");
	return *names ? clw_fail(CLW_KERNEL_NOT_FOUND, "%s has several "
				 "kernels, %.600s: name one as FILE:FUNCTION",
				 what, names) :
	       clw_fail(CLW_KERNEL_NOT_FOUND, "%s has no kernel", what);
}

/* wanted: "": called as the file is, else the only one. */
static int choose(const char *names, const char *what, const char *wanted,
		  char function[CLW_NAME])
{
	const char *slash = strrchr(what, '/'), *name = names;
	const char *base = slash ? slash + 1 : what;
	size_t length = *wanted ? strlen(wanted) : strcspn(base, ".");

	if (*wanted)
		base = wanted;
	while (*name) {
		size_t name_length = strcspn(name, ";");

		if (name_length == length &&
		    memcmp(name, base, length) == 0)
			break;
		name += name_length;
		name += *name == ';';
	}
	if (!*name && (*wanted || !*names || strchr(names, ';')))
		return fail_function(wanted, names, what);
	if (!*name)
		name = names;
	snprintf(function, CLW_NAME, "%.*s", (int)strcspn(name, ";"), name);
	return CLW_OK;
}

static int find_function(struct clw_context *context, cl_program program,
			 const char *what, const char *wanted,
			 char function[CLW_NAME])
{
	size_t size = 0;
	cl_int err = clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0,
				      NULL, &size);
	char *names;
	int status;

	if (err)
		return clw_context_fail(context, err, false, "%s: the names of "
					"its kernels", what);
	names = calloc(1, size + 1);
	if (!names)
		return clw_fail_memory();
	err = clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, size, names,
			       NULL);
	status = err ? clw_context_fail(context, err, false, "%s: the names of "
					"its kernels", what) :
		 choose(names, what, wanted, function);
	free(names);
	return status;
}

/* "float4*": 16; 0: no type of OpenCL C. */
static size_t element_size(const char *type)
{
	static const struct {
		const char *name;
		size_t size;
	} types[] = {
		{ "char", 1 }, { "uchar", 1 }, { "bool", 1 }, { "short", 2 },
		{ "ushort", 2 }, { "half", 2 }, { "int", 4 }, { "uint", 4 },
		{ "float", 4 }, { "long", 8 }, { "ulong", 8 },
		{ "double", 8 }, { "unsigned char", 1 },
		{ "unsigned short", 2 }, { "unsigned int", 4 },
		{ "unsigned long", 8 },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		size_t length = strlen(types[i].name);
		unsigned long width = 1;
		char *end;

		if (strncmp(type, types[i].name, length) != 0)
			continue;
		end = (char *)type + length;
		if (*end >= '0' && *end <= '9')
			width = strtoul(end, &end, 10);
		end += strspn(end, " ");
		if (*end == '*')
			return types[i].size * (width == 3 ? 4 : width);
	}
	return 0;
}

/* What was known of its arguments where the program was built. */
static void recall(struct clw_kernel *kernel, const struct clw_wire *described)
{
	struct clw_wire all = *described;

	all.at = 0;
	if (!clw_entry_find(&all, kernel->function, kernel->count))
		return;
	for (unsigned int i = 0; i < kernel->count; i++) {
		struct argument *arg = &kernel->args[i];
		const char *name = clw_get_text(&all);
		const char *type = clw_get_text(&all);

		if (all.is_bad)
			return;
		snprintf(arg->is.name, sizeof(arg->is.name), "%s", name);
		snprintf(arg->is.type, sizeof(arg->is.type), "%s", type);
		arg->element = element_size(type);
		arg->is_asked = true;
	}
}

static int open_kernel(struct clw_kernel *kernel, const struct clw_built *built)
{
	cl_uint count = 0;
	cl_int err = CL_SUCCESS;

	kernel->handle = clCreateKernel(built->handle, kernel->function, &err);
	if (kernel->handle)
		err = clGetKernelInfo(kernel->handle, CL_KERNEL_NUM_ARGS,
				      sizeof(count), &count, NULL);
	if (!kernel->handle || err)
		return clw_context_fail(kernel->context, err ? err :
					CL_OUT_OF_HOST_MEMORY, false,
					"kernel %s cannot be made",
					kernel->function);
	kernel->args = calloc(count ? count : 1, sizeof(*kernel->args));
	if (!kernel->args)
		return clw_fail_memory();
	kernel->count = count;
	if (built->described.size)
		recall(kernel, &built->described);
	return CLW_OK;
}

static int new_kernel(struct clw_context *context, const struct clw_built *built,
		      const char *what, const char *wanted,
		      struct clw_kernel **ret_kernel)
{
	struct clw_kernel *kernel = calloc(1, sizeof(*kernel));
	int status;

	if (!kernel || pthread_mutex_init(&kernel->lock, NULL)) {
		free(kernel);
		return clw_fail_memory();
	}
	kernel->magic = CLW_MAGIC_KERNEL;
	kernel->context = context;
	status = find_function(context, built->handle, what, wanted,
			       kernel->function);
	if (!status)
		status = open_kernel(kernel, built);
	if (status)
		free_kernel(kernel);
	else
		*ret_kernel = kernel;
	return status;
}

/* By name, with build_lock held. */
static int find_program(struct clw_context *context, const char *name,
			char path[PATH_MAX], char function[CLW_NAME],
			const struct clw_built **ret_built, uint64_t *ret_number)
{
	int status = clw_source_find(name, path, PATH_MAX, function, CLW_NAME);

	return status ? status : clw_build_file(context, path, ret_built,
						ret_number);
}

int clwCreateKernel(struct clw_context *context, const char *name,
		    struct clw_kernel **ret_kernel)
{
	char path[PATH_MAX], function[CLW_NAME];
	const struct clw_built *built;
	uint64_t number;
	int status;

	clw_enter(__func__);
	status = clw_context_check(context);
	if (!status && !ret_kernel)
		status = clw_fail(CLW_INVALID_ARGUMENT, "ret_kernel is NULL");
	if (status)
		return status;
	pthread_mutex_lock(&context->build_lock);
	status = find_program(context, name, path, function, &built,
			      &number);
	if (!status)
		status = new_kernel(context, built, path, function,
				    ret_kernel);
	pthread_mutex_unlock(&context->build_lock);
	if (!status)
		clw_context_get(context);
	return status;
}

int clwCreateKernelFromSource(struct clw_context *context, const char *source,
			      const char *options, const char *function,
			      struct clw_kernel **ret_kernel)
{
	struct clw_built built;
	int status;

	clw_enter(__func__);
	status = clw_context_check(context);
	if (!status && (!source || !ret_kernel))
		status = clw_fail(CLW_INVALID_ARGUMENT, "%s is NULL", source ?
				  "ret_kernel" : "source");
	if (!status)
		status = clw_build_text(context, "the source", source,
					strlen(source), options, &built);
	if (status)
		return status;
	status = new_kernel(context, &built, "the source",
			    function ? function : "", ret_kernel);
	clw_built_clear(&built);
	if (!status)
		clw_context_get(context);
	return status;
}

void clwReleaseKernel(struct clw_kernel *kernel)
{
	struct clw_context *context;

	clw_enter(__func__);
	if (!kernel || kernel->magic != CLW_MAGIC_KERNEL)
		return;
	context = kernel->context;
	free_kernel(kernel);
	clw_context_put(context);
}

bool clw_kernels_have(const struct clw_context *context, const void *object)
{
	for (const struct clw_kernel *kernel = context->kernels; kernel;
	     kernel = kernel->next)
		if (kernel->handle == object)
			return true;
	return false;
}

void clw_kernels_free(struct clw_context *context)
{
	while (context->kernels) {
		struct clw_kernel *kernel = context->kernels;

		context->kernels = kernel->next;
		free_kernel(kernel);
	}
}

/* ---- arguments ------------------------------------------------------------ */

void clw_described_ask(cl_kernel kernel, unsigned int index,
		       struct clw_described *ret_described)
{
	memset(ret_described, 0, sizeof(*ret_described));
	if (clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_NAME,
			       sizeof(ret_described->name) - 1,
			       ret_described->name, NULL))
		ret_described->name[0] = '\0';
	if (clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME,
			       sizeof(ret_described->type) - 1,
			       ret_described->type, NULL))
		ret_described->type[0] = '\0';
}

/* With the lock; asked once, where somebody wants it. */
static struct argument *ask(struct clw_kernel *kernel, unsigned int index)
{
	struct argument *arg = &kernel->args[index];

	if (arg->is_asked)
		return arg;
	arg->is_asked = true;
	clw_described_ask(kernel->handle, index, &arg->is);
	arg->element = element_size(arg->is.type);
	return arg;
}

/* "argument 1 ('output') of kernel compute" */
static const char *describe(struct clw_kernel *kernel, unsigned int index,
			    char text[3 * CLW_NAME])
{
	const char *name = ask(kernel, index)->is.name;

	snprintf(text, 3 * CLW_NAME, "argument %u%s%s%s of kernel %s", index,
		 name[0] ? " ('" : "", name, name[0] ? "')" : "",
		 kernel->function);
	return text;
}

static int check(struct clw_kernel *kernel)
{
	if (!kernel || kernel->magic != CLW_MAGIC_KERNEL)
		return clw_fail(CLW_INVALID_HANDLE, "the kernel is %s", kernel ?
				"not a kernel of libclw, or was released" :
				"NULL");
	return clw_context_check(kernel->context);
}

static int check_index(struct clw_kernel *kernel, unsigned int index)
{
	return index < kernel->count ? CLW_OK :
	       clw_fail(CLW_INVALID_ARGUMENT, "argument %u: kernel %s has %u",
			index, kernel->function, kernel->count);
}

static int check_arg(struct clw_kernel *kernel, unsigned int index,
		     const struct clw_arg *arg)
{
	struct clw_context *context = kernel->context;
	char text[3 * CLW_NAME];
	int status = check_index(kernel, index);

	if (status)
		return status;
	switch (arg->kind) {
	case CLW_ARG_VALUE:
		return arg->size ? CLW_OK :
		       clw_fail(CLW_INVALID_SIZE, "%s: a value of 0 bytes",
				describe(kernel, index, text));
	case CLW_ARG_LOCAL:
		return arg->size && arg->size <= context->device.local ?
		       CLW_OK : clw_fail(CLW_INVALID_SIZE, "%s: %zu bytes of "
			"local memory; device '%s' has %" PRIu64,
			describe(kernel, index, text), arg->size,
			context->device.name, context->device.local);
	case CLW_ARG_BUFFER:
		if (clw_buffer_check(arg->buffer))
			return clw_fail(CLW_INVALID_HANDLE, "%s: the buffer is "
					"%s", describe(kernel, index, text),
					arg->buffer ? "not a buffer of libclw, "
					"or was released" : "NULL");
		return arg->buffer->context == context ? CLW_OK :
		       clw_fail(CLW_INVALID_HANDLE, "%s: the buffer is of "
				"another context", describe(kernel, index,
							    text));
	default:
		return clw_fail(CLW_INVALID_ARGUMENT, "%s: %d is no kind of "
				"argument", describe(kernel, index, text),
				arg->kind);
	}
}

/* With the lock. */
static int set(struct clw_kernel *kernel, unsigned int index,
	       const struct clw_arg *arg)
{
	struct argument *own;
	char text[3 * CLW_NAME];
	cl_int err;
	int status = check_arg(kernel, index, arg);

	if (status)
		return status;
	if (arg->kind == CLW_ARG_BUFFER)
		err = clSetKernelArg(kernel->handle, index, sizeof(cl_mem),
				     &arg->buffer->handle);
	else
		err = clSetKernelArg(kernel->handle, index, arg->size,
				     arg->kind == CLW_ARG_VALUE ? arg->value :
				     NULL);
	if (err)
		return clw_context_fail(kernel->context, err, false,
					"%s cannot be %s of %zu bytes",
					describe(kernel, index, text),
					arg->kind == CLW_ARG_BUFFER ?
					"a buffer's handle" :
					arg->kind == CLW_ARG_LOCAL ?
					"local memory" : "a value",
					arg->kind == CLW_ARG_BUFFER ?
					sizeof(cl_mem) : arg->size);
	own = &kernel->args[index];
	if (arg->kind == CLW_ARG_BUFFER)
		clw_buffer_get(arg->buffer);
	if (own->buffer)
		clw_buffer_put(own->buffer);
	own->buffer = arg->kind == CLW_ARG_BUFFER ? arg->buffer : NULL;
	own->is_set = true;
	return CLW_OK;
}

static int set_locked(struct clw_kernel *kernel, unsigned int index,
		      struct clw_arg arg)
{
	int status = check(kernel);

	if (status)
		return status;
	pthread_mutex_lock(&kernel->lock);
	status = set(kernel, index, &arg);
	pthread_mutex_unlock(&kernel->lock);
	return status;
}

int clwSetArg(struct clw_kernel *kernel, unsigned int index, size_t size,
	      const void *value)
{
	clw_enter(__func__);
	return set_locked(kernel, index, clwArgValue(size, value));
}

int clwSetArgBuffer(struct clw_kernel *kernel, unsigned int index,
		    struct clw_buffer *buffer)
{
	clw_enter(__func__);
	return set_locked(kernel, index, clwArgBuffer(buffer));
}

int clwSetArgLocal(struct clw_kernel *kernel, unsigned int index, size_t size)
{
	clw_enter(__func__);
	return set_locked(kernel, index, clwArgLocal(size));
}

/* ---- asking ------------------------------------------------------------- */

const char *clwKernelName(const struct clw_kernel *kernel)
{
	return kernel ? kernel->function : "";
}

struct clw_context *clwKernelContext(const struct clw_kernel *kernel)
{
	return kernel ? kernel->context : NULL;
}

int clwKernelArgCount(const struct clw_kernel *kernel)
{
	return kernel ? (int)kernel->count : 0;
}

static const struct argument *look(const struct clw_kernel *kernel,
				   unsigned int index)
{
	/* What is remembered is nothing that its users can change. */
	struct clw_kernel *own = (struct clw_kernel *)(uintptr_t)kernel;
	const struct argument *arg;

	if (!kernel || index >= kernel->count)
		return NULL;
	pthread_mutex_lock(&own->lock);
	arg = ask(own, index);
	pthread_mutex_unlock(&own->lock);
	return arg;
}

const char *clwKernelArgName(const struct clw_kernel *kernel,
			     unsigned int index)
{
	const struct argument *arg = look(kernel, index);

	return arg ? arg->is.name : "";
}

const char *clwKernelArgType(const struct clw_kernel *kernel,
			     unsigned int index)
{
	const struct argument *arg = look(kernel, index);

	return arg ? arg->is.type : "";
}

size_t clwKernelElementSize(const struct clw_kernel *kernel,
			    unsigned int index)
{
	const struct argument *arg = look(kernel, index);

	return arg ? arg->element : 0;
}

/* ---- launches ----------------------------------------------------------- */

static const char *sizes(unsigned int dimensions, const size_t *values,
			 char text[72])
{
	size_t length = 0;

	for (unsigned int i = 0; i < dimensions && length < 72; i++)
		length += (size_t)snprintf(text + length, 72 - length, "%s%zu",
					   i ? "x" : "", values[i]);
	return text;
}

static int fail_local(const struct clw_kernel *kernel, unsigned int dimensions,
		      const size_t *global, const size_t *local,
		      const char *why)
{
	char of[72], by[72];

	return clw_fail_cl(CLW_INVALID_WORK_SIZE, CL_INVALID_WORK_GROUP_SIZE,
			   "kernel %s: global size %s, local size %s: %s",
			   kernel->function, sizes(dimensions, global, of),
			   sizes(dimensions, local, by), why);
}

static int check_local(const struct clw_kernel *kernel, unsigned int dimensions,
		       const size_t *global, const size_t *local)
{
	uint64_t most = kernel->context->device.max_group, group = 1;
	char why[160];

	for (unsigned int i = 0; i < dimensions; i++) {
		if (!local[i])
			return fail_local(kernel, dimensions, global, local,
					  "a local size is 0");
		group *= local[i] < most ? local[i] : most + 1;
	}
	/* First: a rounded global size would not help. */
	if (group > most) {
		snprintf(why, sizeof(why), "a work-group of the device has at "
			 "most %" PRIu64 " work-items", most);
		return fail_local(kernel, dimensions, global, local, why);
	}
	for (unsigned int i = 0; i < dimensions; i++) {
		if (global[i] % local[i] == 0)
			continue;
		snprintf(why, sizeof(why), "the global size is not a multiple "
			 "of the local size in dimension %u; round the global "
			 "size up, and have the kernel test its bounds", i);
		return fail_local(kernel, dimensions, global, local, why);
	}
	return CLW_OK;
}

static int check_sizes(const struct clw_kernel *kernel, unsigned int dimensions,
		       const size_t *global, const size_t *local)
{
	if (dimensions < 1 || dimensions > 3 || !global)
		return clw_fail_cl(CLW_INVALID_WORK_SIZE, global ?
				   CL_INVALID_WORK_DIMENSION :
				   CL_INVALID_GLOBAL_WORK_SIZE, "kernel %s: "
				   "expected a global size of 1 to 3 "
				   "dimensions, found %s of %u",
				   kernel->function, global ? "one" : "NULL",
				   dimensions);
	for (unsigned int i = 0; i < dimensions; i++)
		if (!global[i])
			return clw_fail_cl(CLW_INVALID_WORK_SIZE,
					   CL_INVALID_GLOBAL_WORK_SIZE,
					   "kernel %s: the global size is 0 in "
					   "dimension %u", kernel->function, i);
	return local ? check_local(kernel, dimensions, global, local) : CLW_OK;
}

static int check_args(struct clw_kernel *kernel)
{
	char text[3 * CLW_NAME];

	for (unsigned int i = 0; i < kernel->count; i++) {
		const struct argument *arg = &kernel->args[i];

		if (!arg->is_set)
			return clw_fail_cl(CLW_ARGUMENT_NOT_SET,
					   CL_INVALID_KERNEL_ARGS,
					   "%s is not set",
					   describe(kernel, i, text));
		if (arg->buffer && !__atomic_load_n(&arg->buffer->handle,
						    __ATOMIC_ACQUIRE))
			return clw_fail(CLW_INVALID_HANDLE, "%s: its buffer "
					"was released", describe(kernel, i,
								 text));
	}
	return CLW_OK;
}

/* With the lock. */
static int launch(struct clw_kernel *kernel, unsigned int dimensions,
		  const size_t *global, const size_t *local)
{
	struct clw_context *context = kernel->context;
	struct clw_command *command;
	char text[72];
	cl_int err;
	int status = check_sizes(kernel, dimensions, global, local);

	if (!status)
		status = check_args(kernel);
	if (status)
		return status;
	command = clw_command_new(true, "kernel %.80s", kernel->function);
	if (!command)
		return clwLastStatus();
	err = clEnqueueNDRangeKernel(context->queue, kernel->handle, dimensions,
				     NULL, global, local, 0, NULL,
				     &command->event);
	if (!err) {
		clw_command_add(context, command);
		return CLW_OK;
	}
	free(command);
	return clw_context_fail(context, err, false, "kernel %s cannot be "
				"launched with global size %s",
				kernel->function, sizes(dimensions, global,
							text));
}

int clwLaunch(struct clw_kernel *kernel, unsigned int dimensions,
	      const size_t *global, const size_t *local)
{
	int status;

	clw_enter(__func__);
	status = check(kernel);
	if (status)
		return status;
	pthread_mutex_lock(&kernel->lock);
	status = launch(kernel, dimensions, global, local);
	pthread_mutex_unlock(&kernel->lock);
	return status;
}

/* ---- all at once ------------------------------------------------------------ */

/* With build_lock: the context's own of that name, made of that program. */
static int own_kernel(struct clw_context *context, const char *name,
		      struct clw_kernel **ret_kernel)
{
	char path[PATH_MAX], function[CLW_NAME];
	struct clw_kernel **link = &context->kernels, *kernel;
	const struct clw_built *built;
	uint64_t number;
	int status = find_program(context, name, path, function, &built,
				  &number);

	if (status)
		return status;
	while (*link && strcmp((*link)->called, name) != 0)
		link = &(*link)->next;
	kernel = *link;
	if (kernel && kernel->number == number) {
		*ret_kernel = kernel;
		return CLW_OK;
	}
	status = new_kernel(context, built, path, function, ret_kernel);
	if (status)
		return status;
	(*ret_kernel)->number = number;
	(*ret_kernel)->called = strdup(name);
	if (!(*ret_kernel)->called) {
		free_kernel(*ret_kernel);
		return clw_fail_memory();
	}
	(*ret_kernel)->next = kernel ? kernel->next : NULL;
	*link = *ret_kernel;
	if (kernel)
		free_kernel(kernel);
	return CLW_OK;
}

static int count_items(struct clw_kernel *kernel, unsigned int count,
		       const struct clw_arg *args, size_t *ret_items)
{
	char text[3 * CLW_NAME];

	for (unsigned int i = 0; i < count; i++) {
		size_t element;

		if (args[i].kind != CLW_ARG_BUFFER)
			continue;
		element = ask(kernel, i)->element;
		if (!element)
			return clw_fail(CLW_INVALID_WORK_SIZE, "%s: the size "
					"of its elements is not known: give a "
					"global size", describe(kernel, i,
								text));
		*ret_items = args[i].buffer->size / element;
		return CLW_OK;
	}
	return clw_fail(CLW_INVALID_WORK_SIZE, "kernel %s has no buffer to "
			"count the elements of: give a global size",
			kernel->function);
}

static int enqueue(struct clw_kernel *kernel, unsigned int dimensions,
		   const size_t *global, const size_t *local,
		   unsigned int count, const struct clw_arg *args)
{
	size_t items = 0;
	char text[3 * CLW_NAME];
	int status = CLW_OK;

	if (count < kernel->count)
		return clw_fail_cl(CLW_ARGUMENT_NOT_SET, CL_INVALID_KERNEL_ARGS,
				   "%s is not set: %u given",
				   describe(kernel, count, text), count);
	for (unsigned int i = 0; !status && i < count; i++)
		status = set(kernel, i, &args[i]);
	if (!status && !dimensions)
		status = count_items(kernel, count, args, &items);
	if (status)
		return status;
	return dimensions ? launch(kernel, dimensions, global, local) :
			    launch(kernel, 1, &items, NULL);
}

int clwEnqueueKernel(struct clw_context *context, const char *name,
		     unsigned int dimensions, const size_t *global,
		     const size_t *local, unsigned int count,
		     const struct clw_arg *args)
{
	struct clw_kernel *kernel;
	int status;

	clw_enter(__func__);
	status = clw_context_check(context);
	if (!status && count && !args)
		status = clw_fail(CLW_INVALID_ARGUMENT, "args is NULL");
	if (status)
		return status;
	/* One at a time: the arguments are the context's kernel's. */
	pthread_mutex_lock(&context->build_lock);
	status = own_kernel(context, name, &kernel);
	if (!status)
		status = enqueue(kernel, dimensions, global, local, count,
				 args);
	pthread_mutex_unlock(&context->build_lock);
	return status;
}

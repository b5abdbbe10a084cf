/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers, and many of them in place of a large one.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clw_private.h"

#define FLAGS_HOST	(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)
enum { LEAST_CHUNK = 1 << 20 };

/* ---- making ------------------------------------------------------------- */

static int check_size(size_t size, const char *name)
{
	if (!size)
		return clw_fail(CLW_INVALID_SIZE, "%s is 0; if it was written "
				"as 1<<28 * sizeof(float), that is 1 << 112, "
				"which is undefined: (size_t)1 << 30, or "
				"((size_t)1 << 28) * sizeof(float)", name);
	if (size > CLW_SIZE_MAX)
		return clw_fail(CLW_INVALID_SIZE, "%s is %zu, past 2^63: a "
				"negative number was converted, or a "
				"multiplication has overflowed", name, size);
	return CLW_OK;
}

static cl_mem_flags drop_flag(cl_mem_flags flags, cl_mem_flags flag,
			      const char *name, const char *why)
{
	if (!(flags & flag))
		return flags;
	clw_log_own(CLAW_LOG_WARN, "%s dropped: %s", name, why);
	return flags & ~flag;
}

static int mend_flags(cl_mem_flags *flags, const void *host)
{
	if (host && !(*flags & FLAGS_HOST))
		return clw_fail(CLW_INVALID_ARGUMENT, "a host pointer needs "
				"CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR");
	if (!host) {
		*flags = drop_flag(*flags, CL_MEM_COPY_HOST_PTR,
				   "CL_MEM_COPY_HOST_PTR", "there is no host "
				   "pointer to copy from");
		*flags = drop_flag(*flags, CL_MEM_USE_HOST_PTR,
				   "CL_MEM_USE_HOST_PTR", "there is no host "
				   "pointer to use");
	}
	if (*flags & CL_MEM_USE_HOST_PTR) {
		*flags = drop_flag(*flags, CL_MEM_ALLOC_HOST_PTR,
				   "CL_MEM_ALLOC_HOST_PTR",
				   "CL_MEM_USE_HOST_PTR excludes it");
		*flags = drop_flag(*flags, CL_MEM_COPY_HOST_PTR,
				   "CL_MEM_COPY_HOST_PTR",
				   "CL_MEM_USE_HOST_PTR excludes it");
	}
	return CLW_OK;
}

/* A thread may lock it twice. */
static int init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attributes;
	int ret = pthread_mutexattr_init(&attributes);

	if (ret)
		return ret;
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	ret = pthread_mutex_init(lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	return ret;
}

static int create(struct clw_context *context, struct clw_want *want,
		  struct clw_buffer **ret_buffer)
{
	struct clw_buffer *buffer;
	int status = clw_context_check(context);

	if (!status)
		status = mend_flags(&want->flags, want->host);
	if (status)
		return status;
	buffer = calloc(1, sizeof(*buffer));
	if (!buffer || init_lock(&buffer->lock)) {
		free(buffer);
		return clw_fail_memory();
	}
	status = clw_allocate(context, want, &buffer->handle, &buffer->size);
	if (status) {
		pthread_mutex_destroy(&buffer->lock);
		free(buffer);
		return status;
	}
	buffer->magic = CLW_MAGIC_BUFFER;
	buffer->references = 1;
	buffer->flags = want->flags;
	buffer->host = want->flags & CL_MEM_USE_HOST_PTR ? want->host : NULL;
	clw_context_get(context);
	buffer->context = context;
	*ret_buffer = buffer;
	return CLW_OK;
}

/* Of the caller's arguments. */
static int create_checked(struct clw_context *context, struct clw_want *want,
			  struct clw_buffer **ret_buffer)
{
	int status = check_size(want->size, "size");

	if (!status && !ret_buffer)
		status = clw_fail(CLW_INVALID_ARGUMENT, "ret_buffer is NULL");
	return status ? status : create(context, want, ret_buffer);
}

int clwCreateBuffer(struct clw_context *context, size_t size,
		    cl_mem_flags flags, struct clw_buffer **ret_buffer)
{
	struct clw_want want = { .size = size, .flags = flags };

	clw_enter(__func__);
	return create_checked(context, &want, ret_buffer);
}

int clwCreateBufferWith(struct clw_context *context, void *host, size_t size,
			cl_mem_flags flags, struct clw_buffer **ret_buffer)
{
	struct clw_want want = { .size = size, .flags = flags, .host = host };

	clw_enter(__func__);
	return create_checked(context, &want, ret_buffer);
}

int clwCreateBufferOrSmaller(struct clw_context *context, size_t size,
			     size_t least, cl_mem_flags flags,
			     struct clw_buffer **ret_buffer)
{
	struct clw_want want = { .size = size, .least = least, .flags = flags };
	int status;

	clw_enter(__func__);
	status = check_size(least, "least");
	if (!status && least > size)
		status = clw_fail(CLW_INVALID_ARGUMENT, "least is %zu, more "
				  "than size, %zu", least, size);
	return status ? status : create_checked(context, &want, ret_buffer);
}

/* ---- ending ------------------------------------------------------------- */

void clw_buffer_get(struct clw_buffer *buffer)
{
	__atomic_fetch_add(&buffer->references, 1, __ATOMIC_RELAXED);
}

void clw_buffer_put(struct clw_buffer *buffer)
{
	if (__atomic_sub_fetch(&buffer->references, 1, __ATOMIC_ACQ_REL))
		return;
	pthread_mutex_destroy(&buffer->lock);
	buffer->magic = 0;
	free(buffer);
}

/* The driver's part; kernels may still know the rest. */
static void release(struct clw_buffer *buffer)
{
	struct clw_context *context = buffer->context;
	cl_mem handle = __atomic_exchange_n(&buffer->handle, NULL,
					    __ATOMIC_ACQ_REL);

	if (!handle)
		return;
	if (context->pid == getpid()) {
		if (buffer->host && !context->is_lost)
			clw_commands_wait(context);
		clReleaseMemObject(handle);
		clw_allocated_free(context, buffer->size);
	}
	clw_context_put(context);
	clw_buffer_put(buffer);
}

void clwReleaseBuffer(struct clw_buffer *buffer)
{
	clw_enter(__func__);
	if (buffer && buffer->magic == CLW_MAGIC_BUFFER)
		release(buffer);
}

/* ---- asking ------------------------------------------------------------- */

int clw_buffer_check(const struct clw_buffer *buffer)
{
	if (!buffer)
		return clw_fail(CLW_INVALID_HANDLE, "the buffer is NULL");
	if (buffer->magic != CLW_MAGIC_BUFFER ||
	    !__atomic_load_n(&buffer->handle, __ATOMIC_ACQUIRE))
		return clw_fail(CLW_INVALID_HANDLE, "the buffer is not a "
				"buffer of libclw, or was released");
	return clw_context_check(buffer->context);
}

size_t clwBufferSize(const struct clw_buffer *buffer)
{
	return buffer ? buffer->size : 0;
}

cl_mem_flags clwBufferFlags(const struct clw_buffer *buffer)
{
	return buffer ? buffer->flags : 0;
}

uint64_t clwBufferAddress(const struct clw_buffer *buffer)
{
	return buffer ? (uint64_t)(uintptr_t)buffer->handle : 0;
}

cl_mem clwBufferHandle(const struct clw_buffer *buffer)
{
	return buffer ? buffer->handle : NULL;
}

struct clw_context *clwBufferContext(const struct clw_buffer *buffer)
{
	return buffer ? buffer->context : NULL;
}

/* ---- one thread at a time -------------------------------------------------- */

int clwLockBuffer(struct clw_buffer *buffer)
{
	int status;

	clw_enter(__func__);
	status = clw_buffer_check(buffer);
	if (status)
		return status;
	clw_buffer_get(buffer);
	if (pthread_mutex_lock(&buffer->lock) == 0)
		return CLW_OK;
	clw_buffer_put(buffer);
	return clw_fail(CLW_INVALID_ARGUMENT, "the buffer is locked too often");
}

int clwUnlockBuffer(struct clw_buffer *buffer)
{
	int status;

	clw_enter(__func__);
	if (!buffer || buffer->magic != CLW_MAGIC_BUFFER)
		return clw_fail(CLW_INVALID_HANDLE, "the buffer is %s", buffer ?
				"not a buffer of libclw, or was released" :
				"NULL");
	status = clw_buffer_check(buffer);
	if (!status)
		status = clw_commands_finish(buffer->context);
	/* Only who has locked it holds this reference. */
	if (pthread_mutex_unlock(&buffer->lock) == 0)
		clw_buffer_put(buffer);
	else
		status = clw_fail(CLW_INVALID_ARGUMENT, "the buffer is not "
				  "locked by this thread");
	return status;
}

/* ---- many --------------------------------------------------------------- */

struct clw_chunks {
	size_t count, room;
	struct piece {
		struct clw_buffer *buffer;
		size_t offset;
	} *pieces;
};

static void free_chunks(struct clw_chunks *chunks)
{
	while (chunks->count)
		release(chunks->pieces[--chunks->count].buffer);
	free(chunks->pieces);
	free(chunks);
}

static int add_piece(struct clw_chunks *chunks, struct clw_buffer *buffer,
		     size_t offset)
{
	size_t room = chunks->room ? 2 * chunks->room : 16;
	struct piece *pieces;

	if (chunks->count == chunks->room) {
		pieces = realloc(chunks->pieces, room * sizeof(*pieces));
		if (!pieces) {
			release(buffer);
			return clw_fail_memory();
		}
		chunks->pieces = pieces;
		chunks->room = room;
	}
	chunks->pieces[chunks->count++] = (struct piece){ buffer, offset };
	return CLW_OK;
}

static int fill(struct clw_context *context, struct clw_chunks *chunks,
		size_t total, size_t chunk, cl_mem_flags flags)
{
	size_t done = 0;
	int status = CLW_OK;

	while (!status && done < total) {
		size_t size = total - done < chunk ? total - done : chunk;
		struct clw_want want = {
			.size = size, .flags = flags,
			.least = size < LEAST_CHUNK ? size : LEAST_CHUNK,
		};
		struct clw_buffer *buffer;

		status = create(context, &want, &buffer);
		if (status)
			break;
		chunk = buffer->size < size ? buffer->size : chunk;
		status = add_piece(chunks, buffer, done);
		done += chunk < size ? chunk : size;
	}
	return status;
}

int clwCreateChunks(struct clw_context *context, size_t total, size_t chunk,
		    cl_mem_flags flags, struct clw_chunks **ret_chunks)
{
	struct clw_chunks *chunks;
	int status;

	clw_enter(__func__);
	status = check_size(total, "total");
	if (!status && !ret_chunks)
		status = clw_fail(CLW_INVALID_ARGUMENT, "ret_chunks is NULL");
	if (!status)
		status = clw_context_check(context);
	if (status)
		return status;
	if (!chunk)
		chunk = context->device.max_buffer / 4 > LEAST_CHUNK ?
			(size_t)(context->device.max_buffer / 4) : LEAST_CHUNK;
	chunks = calloc(1, sizeof(*chunks));
	if (!chunks)
		return clw_fail_memory();
	status = fill(context, chunks, total, chunk, flags);
	if (status)
		free_chunks(chunks);
	else
		*ret_chunks = chunks;
	return status;
}

void clwReleaseChunks(struct clw_chunks *chunks)
{
	clw_enter(__func__);
	if (chunks)
		free_chunks(chunks);
}

size_t clwChunkCount(const struct clw_chunks *chunks)
{
	return chunks ? chunks->count : 0;
}

struct clw_buffer *clwChunk(const struct clw_chunks *chunks, size_t index)
{
	return chunks && index < chunks->count ?
		chunks->pieces[index].buffer : NULL;
}

size_t clwChunkOffset(const struct clw_chunks *chunks, size_t index)
{
	return chunks && index < chunks->count ?
		chunks->pieces[index].offset : 0;
}

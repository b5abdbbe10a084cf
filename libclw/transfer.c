/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the host and buffers, and between buffers.
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "clw_private.h"

static int check_range(const struct clw_buffer *buffer, size_t offset,
		       size_t size, const char *what)
{
	int status = clw_buffer_check(buffer);

	if (status)
		return status;
	if (!size)
		return clw_fail(CLW_INVALID_SIZE, "%s of 0 bytes", what);
	if (offset <= buffer->size && size <= buffer->size - offset)
		return CLW_OK;
	return clw_fail(CLW_BUFFER_OVERFLOW, "%s of %zu bytes from byte %zu on "
			"is past the end of a buffer of %zu bytes", what, size,
			offset, buffer->size);
}

static int check_host(const struct clw_buffer *buffer, size_t offset,
		      size_t size, const void *host, unsigned int flags,
		      const char *what)
{
	int status = check_range(buffer, offset, size, what);

	if (!status && !host)
		status = clw_fail(CLW_INVALID_ARGUMENT, "%s: the host's memory "
				  "is NULL", what);
	if (!status && flags & ~CLW_ASYNC)
		status = clw_fail(CLW_INVALID_ARGUMENT, "%s: unknown flags "
				  "0x%x", what, flags);
	return status;
}

/* ---- one command ------------------------------------------------------------ */

/* The commands before one that waits, as long as they may take. */
static int wait_before(struct clw_context *context, bool waits)
{
	uint64_t timeout_ns;

	pthread_mutex_lock(&context->lock);
	timeout_ns = context->kernel_timeout_ns;
	pthread_mutex_unlock(&context->lock);
	return waits && timeout_ns ? clw_commands_wait(context) : CLW_OK;
}

/* A call that waited has returned err: it met what came before it, too. */
static int waited(struct clw_context *context, cl_int err, const char *what,
		  size_t size)
{
	char text[CLAW_SIZE_TEXT];
	int status;

	if (!err)
		return clw_commands_tell(context);
	status = clw_commands_finish(context);
	return status ? status : clw_context_fail(context, err, false,
						  "%s of %s failed", what,
						  claw_size_text(size, text));
}

/* A call that did not wait has returned err. */
static int enqueued(struct clw_context *context, struct clw_command *command,
		    cl_int err)
{
	int status;

	if (!err) {
		clw_command_add(context, command);
		return CLW_OK;
	}
	status = clw_context_fail(context, err, false, "%s failed",
				  command->what);
	free(command);
	return status;
}

static struct clw_command *new_command(const char *what, size_t size)
{
	char text[CLAW_SIZE_TEXT];

	return clw_command_new(false, "%s of %s", what,
			       claw_size_text(size, text));
}

/* ---- the buffer's own memory -------------------------------------------------- */

static bool is_own(const struct clw_buffer *buffer, size_t offset,
		   const void *host)
{
	return buffer->host && (const char *)host ==
			       (const char *)buffer->host + offset;
}

/*
 * Mapping makes the host's memory what the device has; with an invalidating
 * flag, unmapping makes the device's what the host has.
 */
static int map_own(struct clw_buffer *buffer, size_t offset, size_t size,
		   cl_map_flags flags, const char *what)
{
	struct clw_context *context = buffer->context;
	struct clw_command *command = new_command(what, size);
	cl_int err = CL_SUCCESS;
	void *pointer;
	int status;

	if (!command)
		return clwLastStatus();
	pointer = clEnqueueMapBuffer(context->queue, buffer->handle, CL_TRUE,
				     flags, offset, size, 0, NULL, NULL, &err);
	if (!pointer) {
		free(command);
		return waited(context, err ? err : CL_MAP_FAILURE, what, size);
	}
	err = clEnqueueUnmapMemObject(context->queue, buffer->handle, pointer,
				      0, NULL, &command->event);
	status = enqueued(context, command, err);
	return status ? status : clw_commands_tell(context);
}

/* ---- between a buffer and other memory ---------------------------------------- */

static cl_int enqueue(struct clw_buffer *buffer, size_t offset, size_t size,
		      void *host, bool writes, bool waits, cl_event *event)
{
	cl_command_queue queue = buffer->context->queue;

	return writes ?
		clEnqueueWriteBuffer(queue, buffer->handle, waits, offset,
				     size, host, 0, NULL, event) :
		clEnqueueReadBuffer(queue, buffer->handle, waits, offset,
				    size, host, 0, NULL, event);
}

static int transfer(struct clw_buffer *buffer, size_t offset, size_t size,
		    void *host, unsigned int flags, bool writes)
{
	const char *what = writes ? "write" : "read";
	struct clw_command *command;
	bool waits = !(flags & CLW_ASYNC);
	cl_int err;
	int status;

	status = check_host(buffer, offset, size, host, flags, what);
	if (!status)
		status = wait_before(buffer->context, waits);
	if (status)
		return status;
	if (is_own(buffer, offset, host))
		return map_own(buffer, offset, size, writes ?
			       CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ,
			       what);
	if (waits)
		return waited(buffer->context, enqueue(buffer, offset, size,
			      host, writes, true, NULL), what, size);
	command = new_command(what, size);
	if (!command)
		return clwLastStatus();
	err = enqueue(buffer, offset, size, host, writes, false,
		      &command->event);
	return enqueued(buffer->context, command, err);
}

/* ---- public ------------------------------------------------------------------ */

int clwEnqueueWrite(struct clw_buffer *buffer, size_t offset, size_t size,
		    const void *host, unsigned int flags)
{
	clw_enter(__func__);
	/* It is only read. */
	return transfer(buffer, offset, size, (void *)(uintptr_t)host, flags,
			true);
}

int clwEnqueueRead(struct clw_buffer *buffer, size_t offset, size_t size,
		   void *host, unsigned int flags)
{
	clw_enter(__func__);
	return transfer(buffer, offset, size, host, flags, false);
}

int clwEnqueueCopy(struct clw_buffer *from, size_t from_offset,
		   struct clw_buffer *to, size_t to_offset, size_t size)
{
	struct clw_command *command;
	cl_int err;
	int status;

	clw_enter(__func__);
	status = check_range(from, from_offset, size, "copy");
	if (!status)
		status = check_range(to, to_offset, size, "copy");
	if (!status && from->context != to->context)
		status = clw_fail(CLW_INVALID_HANDLE, "copy: the buffers are "
				  "of two contexts");
	if (!status && from == to && (from_offset < to_offset ?
	    to_offset - from_offset : from_offset - to_offset) < size)
		status = clw_fail(CLW_INVALID_ARGUMENT, "copy: the two parts "
				  "of the buffer overlap");
	if (status)
		return status;
	command = new_command("copy", size);
	if (!command)
		return clwLastStatus();
	err = clEnqueueCopyBuffer(from->context->queue, from->handle,
				  to->handle, from_offset, to_offset, size, 0,
				  NULL, &command->event);
	return enqueued(from->context, command, err);
}

int clwEnqueueFill(struct clw_buffer *buffer, size_t offset, size_t size,
		   const void *pattern, size_t pattern_size)
{
	struct clw_command *command;
	cl_int err;
	int status;

	clw_enter(__func__);
	status = check_range(buffer, offset, size, "fill");
	if (!status && (!pattern || !pattern_size || pattern_size > 128 ||
			pattern_size & (pattern_size - 1) ||
			offset % pattern_size || size % pattern_size))
		status = clw_fail(CLW_INVALID_ARGUMENT, "fill: expected a "
				  "pattern of 1, 2, 4 ... 128 bytes that "
				  "divides offset (%zu) and size (%zu), found "
				  "%s of %zu", offset, size, pattern ? "one" :
				  "NULL", pattern_size);
	if (status)
		return status;
	command = new_command("fill", size);
	if (!command)
		return clwLastStatus();
	err = clEnqueueFillBuffer(buffer->context->queue, buffer->handle,
				  pattern, pattern_size, offset, size, 0, NULL,
				  &command->event);
	return enqueued(buffer->context, command, err);
}

int clwMapBuffer(struct clw_buffer *buffer, size_t offset, size_t size,
		 cl_map_flags flags, void **ret_pointer)
{
	struct clw_context *context;
	cl_int err = CL_SUCCESS;
	void *pointer;
	int status;

	clw_enter(__func__);
	status = check_range(buffer, offset, size, "map");
	if (!status && !ret_pointer)
		status = clw_fail(CLW_INVALID_ARGUMENT, "ret_pointer is NULL");
	if (!status)
		status = wait_before(buffer->context, true);
	if (status)
		return status;
	context = buffer->context;
	pointer = clEnqueueMapBuffer(context->queue, buffer->handle, CL_TRUE,
				     flags, offset, size, 0, NULL, NULL, &err);
	status = waited(context, pointer ? CL_SUCCESS :
			err ? err : CL_MAP_FAILURE, "map", size);
	if (status && pointer)
		clEnqueueUnmapMemObject(context->queue, buffer->handle,
					pointer, 0, NULL, NULL);
	if (!status)
		*ret_pointer = pointer;
	return status;
}

int clwUnmapBuffer(struct clw_buffer *buffer, void *pointer)
{
	struct clw_command *command;
	cl_int err;
	int status;

	clw_enter(__func__);
	status = clw_buffer_check(buffer);
	if (!status && !pointer)
		status = clw_fail(CLW_INVALID_ARGUMENT, "unmap: the pointer is "
				  "NULL");
	if (status)
		return status;
	command = clw_command_new(false, "unmap");
	if (!command)
		return clwLastStatus();
	err = clEnqueueUnmapMemObject(buffer->context->queue, buffer->handle,
				      pointer, 0, NULL, &command->event);
	return enqueued(buffer->context, command, err);
}

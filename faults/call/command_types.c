/* SPDX-License-Identifier: Apache-2.0 */
/* What the event of each enqueue says its command is. */
#include "config.h"

#include "guest.h"

static const struct command_type {
	enum claw_api api;
	cl_command_type type;
	const char *name;
} types[] = {
#define TYPE(api_, type_) { CLAW_API_##api_, type_, #type_ },
	TYPE(clEnqueueNDRangeKernel, CL_COMMAND_NDRANGE_KERNEL)
	TYPE(clEnqueueTask, CL_COMMAND_TASK)
	TYPE(clEnqueueNativeKernel, CL_COMMAND_NATIVE_KERNEL)
	TYPE(clEnqueueReadBuffer, CL_COMMAND_READ_BUFFER)
	TYPE(clEnqueueWriteBuffer, CL_COMMAND_WRITE_BUFFER)
	TYPE(clEnqueueCopyBuffer, CL_COMMAND_COPY_BUFFER)
	TYPE(clEnqueueReadImage, CL_COMMAND_READ_IMAGE)
	TYPE(clEnqueueWriteImage, CL_COMMAND_WRITE_IMAGE)
	TYPE(clEnqueueCopyImage, CL_COMMAND_COPY_IMAGE)
	TYPE(clEnqueueCopyImageToBuffer, CL_COMMAND_COPY_IMAGE_TO_BUFFER)
	TYPE(clEnqueueCopyBufferToImage, CL_COMMAND_COPY_BUFFER_TO_IMAGE)
	TYPE(clEnqueueMapBuffer, CL_COMMAND_MAP_BUFFER)
	TYPE(clEnqueueMapImage, CL_COMMAND_MAP_IMAGE)
	TYPE(clEnqueueUnmapMemObject, CL_COMMAND_UNMAP_MEM_OBJECT)
	TYPE(clEnqueueMarker, CL_COMMAND_MARKER)
	TYPE(clEnqueueMarkerWithWaitList, CL_COMMAND_MARKER)
	TYPE(clEnqueueBarrierWithWaitList, CL_COMMAND_BARRIER)
	TYPE(clEnqueueReadBufferRect, CL_COMMAND_READ_BUFFER_RECT)
	TYPE(clEnqueueWriteBufferRect, CL_COMMAND_WRITE_BUFFER_RECT)
	TYPE(clEnqueueCopyBufferRect, CL_COMMAND_COPY_BUFFER_RECT)
	TYPE(clEnqueueFillBuffer, CL_COMMAND_FILL_BUFFER)
	TYPE(clEnqueueFillImage, CL_COMMAND_FILL_IMAGE)
	TYPE(clEnqueueMigrateMemObjects, CL_COMMAND_MIGRATE_MEM_OBJECTS)
	TYPE(clEnqueueSVMFree, CL_COMMAND_SVM_FREE)
	TYPE(clEnqueueSVMMemcpy, CL_COMMAND_SVM_MEMCPY)
	TYPE(clEnqueueSVMMemFill, CL_COMMAND_SVM_MEMFILL)
	TYPE(clEnqueueSVMMap, CL_COMMAND_SVM_MAP)
	TYPE(clEnqueueSVMUnmap, CL_COMMAND_SVM_UNMAP)
	TYPE(clEnqueueSVMMigrateMem, CL_COMMAND_SVM_MIGRATE_MEM)
	TYPE(clEnqueueAcquireGLObjects, CL_COMMAND_ACQUIRE_GL_OBJECTS)
	TYPE(clEnqueueReleaseGLObjects, CL_COMMAND_RELEASE_GL_OBJECTS)
#undef TYPE
};

static const struct command_type *find(enum claw_api api)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].api == api)
			return &types[i];
	return NULL;
}

cl_command_type claw_command_type(enum claw_api api)
{
	const struct command_type *found = find(api);

	return found ? found->type : CL_COMMAND_USER;
}

const char *claw_command_name(enum claw_api api)
{
	const struct command_type *found = find(api);

	return found ? found->name : NULL;
}

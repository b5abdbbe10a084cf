/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stub driver's entry points that need hands: DO(clX) has clX's own
 * parameters, which stub_icd.c has checked by role and counted; errcode_ret is
 * never NULL here. Included once, by stub_icd.c.
 */
#ifndef STUB_CALLS_H
#define STUB_CALLS_H

static void *find_extension(const char *name);

/* Copy up to num_entries items of a list out. */
static cl_int list_out(const void *items, cl_uint count, size_t item_bytes,
		       cl_uint num_entries, void *out, cl_uint *num_out)
{
	if ((!out && !num_out) || (out && num_entries == 0))
		return CL_INVALID_VALUE;
	if (out)
		memcpy(out, items, item_bytes *
		       (count < num_entries ? count : num_entries));
	if (num_out)
		*num_out = count;
	return CL_SUCCESS;
}

/* --- platform and devices --- */

DO(clGetPlatformIDs)
{
	cl_platform_id id = (cl_platform_id)&the_platform;

	return list_out(&id, 1, sizeof(id), num_entries, platforms,
			num_platforms);
}

DO(clGetPlatformInfo)
{
	return answer_fact(platform_facts, LENGTH(platform_facts), param_name,
			   param_value_size, param_value,
			   param_value_size_ret);
}

DO(clGetDeviceIDs)
{
	void *ids[STUB_DEVICES];

	if (device_type == 0)
		return CL_INVALID_DEVICE_TYPE;
	if (!(device_type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)))
		return CL_DEVICE_NOT_FOUND;
	for (int i = 0; i < STUB_DEVICES; i++)
		ids[i] = &root_devices[i];
	return list_out(ids, STUB_DEVICES, sizeof(ids[0]), num_entries,
			devices, num_devices);
}

DO(clGetDeviceInfo)
{
	static const size_t sizes[3] = { 256, 256, 64 };
	struct stub_object *object = OBJECT(device);

	switch (param_name) {
	case CL_DEVICE_MAX_WORK_ITEM_SIZES:
		ANSWER(sizes, sizeof(sizes));
	case CL_DEVICE_PLATFORM:
		ANSWER_AS(void *, &the_platform);
	case CL_DEVICE_PARENT_DEVICE:
		ANSWER_AS(void *, object->parent);
	case CL_DEVICE_REFERENCE_COUNT:
		ANSWER_AS(cl_uint, atomic_load(&object->refs));
	case CL_DEVICE_PARTITION_PROPERTIES:
		ANSWER_AS(cl_device_partition_property,
			  CL_DEVICE_PARTITION_EQUALLY);
	case CL_DEVICE_PARTITION_TYPE:
		if (!object->parent)
			ANSWER_NOTHING;
		ANSWER_PROPERTIES(object);
	default:
		return answer_fact(device_facts, LENGTH(device_facts),
				   param_name, param_value_size, param_value,
				   param_value_size_ret);
	}
}

static cl_int make_sub_devices(struct stub_object *device,
			       const void *properties, cl_uint num_entries,
			       cl_device_id *out, cl_uint *num_out)
{
	if (!properties || (!out && !num_out) || (out && num_entries < 2))
		return CL_INVALID_VALUE;
	for (int i = 0; out && i < 2; i++) {
		struct stub_object *made = object_new(CLAW_OBJ_DEVICE, NULL,
						      device);

		if (!made)
			return CL_OUT_OF_HOST_MEMORY;
		keep_properties(made, properties);
		out[i] = (cl_device_id)made;
	}
	if (num_out)
		*num_out = 2;
	return CL_SUCCESS;
}

DO(clCreateSubDevices)
{
	return make_sub_devices(OBJECT(in_device), properties, num_devices,
				out_devices, num_devices_ret);
}

DO(clCreateSubDevicesEXT)
{
	return make_sub_devices(OBJECT(in_device), properties, num_entries,
				out_devices, num_devices);
}

DO(clGetDeviceAndHostTimer)
{
	if (!device_timestamp || !host_timestamp)
		return CL_INVALID_VALUE;
	*device_timestamp = *host_timestamp = now_ns();
	return CL_SUCCESS;
}

DO(clGetHostTimer)
{
	if (!host_timestamp)
		return CL_INVALID_VALUE;
	*host_timestamp = now_ns();
	return CL_SUCCESS;
}

DO(clGetExtensionFunctionAddress)
{
	return func_name ? find_extension(func_name) : NULL;
}

DO(clGetExtensionFunctionAddressForPlatform)
{
	return func_name ? find_extension(func_name) : NULL;
}

/* --- contexts and queues --- */

static cl_context make_context(const void *properties, cl_uint count,
			       void *const *list, cl_int *errcode_ret)
{
	struct stub_object *context;

	if (count == 0 || count > STUB_MAX_DEVICES)
		FAIL(CL_INVALID_VALUE);
	context = object_new(CLAW_OBJ_CONTEXT, NULL, NULL);
	if (!context)
		FAIL(CL_OUT_OF_HOST_MEMORY);
	keep_properties(context, properties);
	context->device_count = count;
	memcpy(context->devices, list, count * sizeof(list[0]));
	return (cl_context)context;
}

DO(clCreateContext)
{
	return make_context(properties, num_devices, (void *const *)devices,
			    errcode_ret);
}

DO(clCreateContextFromType)
{
	void *all[STUB_DEVICES];

	if (!(device_type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)))
		FAIL(CL_DEVICE_NOT_FOUND);
	for (int i = 0; i < STUB_DEVICES; i++)
		all[i] = &root_devices[i];
	return make_context(properties, STUB_DEVICES, all, errcode_ret);
}

DO(clGetContextInfo)
{
	struct stub_object *object = OBJECT(context);

	switch (param_name) {
	case CL_CONTEXT_REFERENCE_COUNT:
		ANSWER_AS(cl_uint, atomic_load(&object->refs));
	case CL_CONTEXT_NUM_DEVICES:
		ANSWER_AS(cl_uint, object->device_count);
	case CL_CONTEXT_DEVICES:
		ANSWER(object->devices,
		       object->device_count * sizeof(object->devices[0]));
	case CL_CONTEXT_PROPERTIES:
		ANSWER_PROPERTIES(object);
	default:
		return CL_INVALID_VALUE;
	}
}

DO(clSetContextDestructorCallback)
{
	if (!pfn_notify)
		return CL_INVALID_VALUE;
	return add_callback(OBJECT(context), 0, (stub_function)pfn_notify,
			    user_data) < 0 ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
}

DO(clGetGLContextInfoKHR)
{
	if (param_name != CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR &&
	    param_name != CL_DEVICES_FOR_GL_CONTEXT_KHR)
		return CL_INVALID_VALUE;
	ANSWER_AS(void *, &root_devices[0]);
}

static bool context_has(const struct stub_object *context, const void *device)
{
	for (cl_uint i = 0; i < context->device_count; i++)
		if (context->devices[i] == device)
			return true;
	return false;
}

static cl_command_queue make_queue(cl_context context, cl_device_id device,
				   cl_ulong flags, cl_int *errcode_ret)
{
	struct stub_object *queue;

	if (!context_has(OBJECT(context), device))
		FAIL(CL_INVALID_DEVICE);
	queue = object_new(CLAW_OBJ_QUEUE, OBJECT(context), NULL);
	if (!queue)
		FAIL(CL_OUT_OF_HOST_MEMORY);
	queue->devices[0] = OBJECT(device);
	queue->flags = flags;
	return (cl_command_queue)queue;
}

DO(clCreateCommandQueue)
{
	return make_queue(context, device, properties, errcode_ret);
}

DO(clCreateCommandQueueWithProperties)
{
	cl_command_queue queue;
	cl_ulong flags = 0;

	for (const cl_queue_properties *pair = properties; pair && *pair;
	     pair += 2) {
		if (pair[0] != CL_QUEUE_PROPERTIES)
			FAIL(CL_INVALID_VALUE);
		flags = pair[1];
	}
	queue = make_queue(context, device, flags, errcode_ret);
	if (queue)
		keep_properties(OBJECT(queue), properties);
	return queue;
}

DO(clGetCommandQueueInfo)
{
	struct stub_object *object = OBJECT(command_queue);

	switch (param_name) {
	case CL_QUEUE_CONTEXT:
		ANSWER_AS(void *, object->context);
	case CL_QUEUE_DEVICE:
		ANSWER_AS(void *, object->devices[0]);
	case CL_QUEUE_REFERENCE_COUNT:
		ANSWER_AS(cl_uint, atomic_load(&object->refs));
	case CL_QUEUE_PROPERTIES:
		ANSWER_AS(cl_command_queue_properties, object->flags);
	case CL_QUEUE_PROPERTIES_ARRAY:
		ANSWER_PROPERTIES(object);
	case CL_QUEUE_DEVICE_DEFAULT:
		ANSWER_AS(void *, NULL);
	default:
		return CL_INVALID_VALUE;
	}
}

DO(clSetCommandQueueProperty)
{
	struct stub_object *object = OBJECT(command_queue);

	if (old_properties)
		*old_properties = object->flags;
	if (enable)
		object->flags |= properties;
	else
		object->flags &= ~properties;
	return CL_SUCCESS;
}

/* Some drivers call themselves through their own table. */
DO(clFinish)
{
	cl_int err = OBJECT(command_queue)->dispatch->clFlush(command_queue);

	if (err != CL_SUCCESS)
		return err;
	pthread_mutex_lock(&lock);
	while (queue_has_pending(OBJECT(command_queue)))
		pthread_cond_wait(&settled, &lock);
	pthread_mutex_unlock(&lock);
	return CL_SUCCESS;
}

/* --- memory --- */

static struct stub_object *make_memory(cl_context context, cl_ulong flags,
				       size_t size, void *host_ptr,
				       cl_mem_object_type type,
				       cl_int *errcode_ret)
{
	cl_ulong uses_host = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;
	struct stub_object *mem;

	if (!host_ptr != !(flags & uses_host))
		FAIL(CL_INVALID_HOST_PTR);
	mem = object_new(CLAW_OBJ_MEM, OBJECT(context), NULL);
	if (!mem)
		FAIL(CL_OUT_OF_HOST_MEMORY);
	mem->flags = flags ? flags : CL_MEM_READ_WRITE;
	mem->size = size;
	mem->mem_type = type;
	mem->host_ptr = flags & CL_MEM_USE_HOST_PTR ? host_ptr : NULL;
	if (mem->host_ptr) {
		mem->bytes = host_ptr;
		return mem;
	}
	mem->owns_bytes = true;
	mem->bytes = calloc(1, size);
	if (!mem->bytes) {
		atomic_store(&mem->refs, 0);
		destroy_when_unused(mem);
		FAIL(CL_MEM_OBJECT_ALLOCATION_FAILURE);
	}
	if (host_ptr)
		memcpy(mem->bytes, host_ptr, size);
	return mem;
}

DO(clCreateBuffer)
{
	if (size == 0 || size > STUB_MAX_ALLOC)
		FAIL(CL_INVALID_BUFFER_SIZE);
	return (cl_mem)make_memory(context, flags, size, host_ptr,
				   CL_MEM_OBJECT_BUFFER, errcode_ret);
}

DO(clCreateBufferWithProperties)
{
	struct stub_object *mem;

	if (size == 0 || size > STUB_MAX_ALLOC)
		FAIL(CL_INVALID_BUFFER_SIZE);
	mem = make_memory(context, flags, size, host_ptr,
			  CL_MEM_OBJECT_BUFFER, errcode_ret);
	if (mem)
		keep_properties(mem, properties);
	return (cl_mem)mem;
}

DO(clCreateSubBuffer)
{
	const cl_buffer_region *region = buffer_create_info;
	struct stub_object *whole = OBJECT(buffer), *part;

	if (buffer_create_type != CL_BUFFER_CREATE_TYPE_REGION || !region)
		FAIL(CL_INVALID_VALUE);
	if (region->size == 0)
		FAIL(CL_INVALID_BUFFER_SIZE);
	if (region->origin > whole->size ||
	    region->size > whole->size - region->origin)
		FAIL(CL_INVALID_VALUE);
	if (region->origin % 128)
		FAIL(CL_MISALIGNED_SUB_BUFFER_OFFSET);
	part = object_new(CLAW_OBJ_MEM, whole->context, whole);
	if (!part)
		FAIL(CL_OUT_OF_HOST_MEMORY);
	part->flags = flags ? flags : whole->flags;
	part->mem_type = CL_MEM_OBJECT_BUFFER;
	part->offset = region->origin;
	part->size = region->size;
	part->bytes = whole->bytes + region->origin;
	return (cl_mem)part;
}

static size_t pixel_bytes(const cl_image_format *format)
{
	size_t channels, bytes;

	switch (format->image_channel_order) {
	case CL_R: case CL_A: case CL_INTENSITY: case CL_LUMINANCE:
		channels = 1;
		break;
	case CL_RG: case CL_RA:
		channels = 2;
		break;
	case CL_RGBA: case CL_BGRA: case CL_ARGB:
		channels = 4;
		break;
	default:
		return 0;
	}
	switch (format->image_channel_data_type) {
	case CL_SNORM_INT8: case CL_UNORM_INT8: case CL_SIGNED_INT8:
	case CL_UNSIGNED_INT8:
		bytes = 1;
		break;
	case CL_SNORM_INT16: case CL_UNORM_INT16: case CL_SIGNED_INT16:
	case CL_UNSIGNED_INT16: case CL_HALF_FLOAT:
		bytes = 2;
		break;
	case CL_SIGNED_INT32: case CL_UNSIGNED_INT32: case CL_FLOAT:
		bytes = 4;
		break;
	default:
		return 0;
	}
	return channels * bytes;
}

/* Images are stored without padding; arrays as the next dimension. */
static cl_mem make_image(cl_context context, cl_ulong flags,
			 const cl_image_format *format,
			 const cl_image_desc *desc, void *host_ptr,
			 cl_int *errcode_ret)
{
	cl_image_desc box;
	struct stub_object *mem;
	size_t pixel;

	if (!format)
		FAIL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	if (!desc)
		FAIL(CL_INVALID_IMAGE_DESCRIPTOR);
	pixel = pixel_bytes(format);
	if (pixel == 0)
		FAIL(CL_IMAGE_FORMAT_NOT_SUPPORTED);
	box = *desc;
	if (box.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
		box.image_height = box.image_array_size;
	if (box.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
		box.image_depth = box.image_array_size;
	if (box.image_type == CL_MEM_OBJECT_IMAGE1D ||
	    box.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
		box.image_height = 1;
	if (box.image_type != CL_MEM_OBJECT_IMAGE3D &&
	    box.image_type != CL_MEM_OBJECT_IMAGE2D_ARRAY)
		box.image_depth = 1;
	if (box.image_width - 1 >= 8192 || box.image_height - 1 >= 8192 ||
	    box.image_depth - 1 >= 2048 ||
	    pixel * box.image_width * box.image_height >
	    STUB_MAX_ALLOC / box.image_depth)
		FAIL(CL_INVALID_IMAGE_SIZE);
	mem = make_memory(context, flags, pixel * box.image_width *
			  box.image_height * box.image_depth, host_ptr,
			  desc->image_type, errcode_ret);
	if (!mem)
		return NULL;
	mem->format = *format;
	mem->desc = box;
	mem->desc.image_row_pitch = pixel * box.image_width;
	mem->desc.image_slice_pitch = pixel * box.image_width *
				      box.image_height;
	return (cl_mem)mem;
}

DO(clCreateImage)
{
	return make_image(context, flags, image_format, image_desc, host_ptr,
			  errcode_ret);
}

DO(clCreateImageWithProperties)
{
	cl_mem mem = make_image(context, flags, image_format, image_desc,
				host_ptr, errcode_ret);

	if (mem)
		keep_properties(OBJECT(mem), properties);
	return mem;
}

DO(clCreateImage2D)
{
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = image_width, .image_height = image_height,
	};

	return make_image(context, flags, image_format, &desc, host_ptr,
			  errcode_ret);
}

DO(clCreateImage3D)
{
	cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE3D,
		.image_width = image_width, .image_height = image_height,
		.image_depth = image_depth,
	};

	return make_image(context, flags, image_format, &desc, host_ptr,
			  errcode_ret);
}

DO(clCreatePipe)
{
	struct stub_object *mem;

	if (pipe_packet_size == 0 || pipe_packet_size > 1024 ||
	    pipe_max_packets == 0)
		FAIL(CL_INVALID_PIPE_SIZE);
	mem = make_memory(context, flags,
			  (size_t)pipe_packet_size * pipe_max_packets, NULL,
			  CL_MEM_OBJECT_PIPE, errcode_ret);
	if (mem) {
		mem->packet_bytes = pipe_packet_size;
		mem->packet_count = pipe_max_packets;
	}
	return (cl_mem)mem;
}

DO(clGetPipeInfo)
{
	struct stub_object *object = OBJECT(pipe);

	switch (param_name) {
	case CL_PIPE_PACKET_SIZE:
		ANSWER_AS(cl_uint, object->packet_bytes);
	case CL_PIPE_MAX_PACKETS:
		ANSWER_AS(cl_uint, object->packet_count);
	case CL_PIPE_PROPERTIES:
		ANSWER_NOTHING;
	default:
		return CL_INVALID_VALUE;
	}
}

/* What OpenGL and EGL share: an image of one pixel, or 64 bytes. */
static cl_mem make_shared(cl_context context, cl_ulong flags,
			  cl_mem_object_type type, cl_int *errcode_ret)
{
	cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
	cl_image_desc desc = {
		.image_type = type, .image_width = 1, .image_height = 1,
		.image_depth = 1,
	};

	if (type == CL_MEM_OBJECT_BUFFER)
		return (cl_mem)make_memory(context, flags, 64, NULL, type,
					   errcode_ret);
	return make_image(context, flags, &format, &desc, NULL, errcode_ret);
}

DO(clCreateFromGLBuffer)
{
	return make_shared(context, flags, CL_MEM_OBJECT_BUFFER, errcode_ret);
}

DO(clCreateFromGLTexture2D)
{
	return make_shared(context, flags, CL_MEM_OBJECT_IMAGE2D, errcode_ret);
}

DO(clCreateFromGLTexture3D)
{
	return make_shared(context, flags, CL_MEM_OBJECT_IMAGE3D, errcode_ret);
}

DO(clCreateFromGLTexture)
{
	return make_shared(context, flags, CL_MEM_OBJECT_IMAGE2D, errcode_ret);
}

DO(clCreateFromGLRenderbuffer)
{
	return make_shared(context, flags, CL_MEM_OBJECT_IMAGE2D, errcode_ret);
}

DO(clCreateFromEGLImageKHR)
{
	return make_shared(context, flags, CL_MEM_OBJECT_IMAGE2D, errcode_ret);
}

DO(clGetGLObjectInfo)
{
	if (gl_object_type)
		*gl_object_type = CL_GL_OBJECT_BUFFER;
	if (gl_object_name)
		*gl_object_name = 1;
	return CL_SUCCESS;
}

DO(clGetGLTextureInfo)
{
	switch (param_name) {
	case CL_GL_TEXTURE_TARGET:
		ANSWER_AS(cl_GLenum, 0x0de1);	/* GL_TEXTURE_2D */
	case CL_GL_MIPMAP_LEVEL:
		ANSWER_AS(cl_GLint, 0);
	default:
		return CL_INVALID_VALUE;
	}
}

DO(clGetSupportedImageFormats)
{
	static const cl_image_format formats[] = {
		{ CL_RGBA, CL_UNORM_INT8 }, { CL_RGBA, CL_FLOAT },
		{ CL_R, CL_FLOAT }, { CL_R, CL_UNSIGNED_INT8 },
	};

	return list_out(formats, LENGTH(formats), sizeof(formats[0]),
			num_entries, image_formats, num_image_formats);
}

DO(clGetMemObjectInfo)
{
	struct stub_object *object = OBJECT(memobj);

	switch (param_name) {
	case CL_MEM_TYPE:
		ANSWER_AS(cl_mem_object_type, object->mem_type);
	case CL_MEM_FLAGS:
		ANSWER_AS(cl_mem_flags, object->flags);
	case CL_MEM_SIZE:
		ANSWER_AS(size_t, object->size);
	case CL_MEM_HOST_PTR:
		ANSWER_AS(void *, object->host_ptr);
	case CL_MEM_MAP_COUNT:
		ANSWER_AS(cl_uint, object->map_count);
	case CL_MEM_REFERENCE_COUNT:
		ANSWER_AS(cl_uint, atomic_load(&object->refs));
	case CL_MEM_CONTEXT:
		ANSWER_AS(void *, object->context);
	case CL_MEM_ASSOCIATED_MEMOBJECT:
		ANSWER_AS(void *, object->parent);
	case CL_MEM_OFFSET:
		ANSWER_AS(size_t, object->offset);
	case CL_MEM_USES_SVM_POINTER:
		ANSWER_AS(cl_bool, CL_FALSE);
	case CL_MEM_PROPERTIES:
		ANSWER_PROPERTIES(object);
	default:
		return CL_INVALID_VALUE;
	}
}

DO(clGetImageInfo)
{
	struct stub_object *object = OBJECT(image);

	switch (param_name) {
	case CL_IMAGE_FORMAT:
		ANSWER(&object->format, sizeof(object->format));
	case CL_IMAGE_ELEMENT_SIZE:
		ANSWER_AS(size_t, pixel_bytes(&object->format));
	case CL_IMAGE_ROW_PITCH:
		ANSWER_AS(size_t, object->desc.image_row_pitch);
	case CL_IMAGE_SLICE_PITCH:
		ANSWER_AS(size_t, object->desc.image_slice_pitch);
	case CL_IMAGE_WIDTH:
		ANSWER_AS(size_t, object->desc.image_width);
	case CL_IMAGE_HEIGHT:
		ANSWER_AS(size_t, object->desc.image_height);
	case CL_IMAGE_DEPTH:
		ANSWER_AS(size_t, object->desc.image_depth);
	case CL_IMAGE_ARRAY_SIZE:
		ANSWER_AS(size_t, object->desc.image_array_size);
	case CL_IMAGE_BUFFER:
		ANSWER_AS(void *, NULL);
	case CL_IMAGE_NUM_MIP_LEVELS:
	case CL_IMAGE_NUM_SAMPLES:
		ANSWER_AS(cl_uint, 0);
	default:
		return CL_INVALID_VALUE;
	}
}

DO(clSetMemObjectDestructorCallback)
{
	if (!pfn_notify)
		return CL_INVALID_VALUE;
	return add_callback(OBJECT(memobj), 0, (stub_function)pfn_notify,
			    user_data) < 0 ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
}

/* --- shared memory --- */

static void *allocate(size_t size, cl_uint type, cl_device_id device)
{
	struct stub_allocation *allocation = calloc(1, sizeof(*allocation));

	if (!allocation)
		return NULL;
	allocation->base = calloc(1, size);
	if (!allocation->base) {
		free(allocation);
		return NULL;
	}
	allocation->size = size;
	allocation->type = type;
	allocation->device = device;
	pthread_mutex_lock(&lock);
	allocation->next = allocations;
	allocations = allocation;
	pthread_mutex_unlock(&lock);
	return allocation->base;
}

static bool deallocate(void *base)
{
	struct stub_allocation *found = NULL;

	pthread_mutex_lock(&lock);
	for (struct stub_allocation **link = &allocations; *link;
	     link = &(*link)->next) {
		if ((*link)->base == base) {
			found = *link;
			*link = found->next;
			break;
		}
	}
	pthread_mutex_unlock(&lock);
	if (!found)
		return false;
	free(found->base);
	free(found);
	return true;
}

DO(clSVMAlloc)
{
	if (size == 0 || size > STUB_MAX_ALLOC || (alignment & (alignment - 1)))
		return NULL;
	return allocate(size, 0, NULL);
}

DO(clSVMFree)
{
	deallocate(svm_pointer);
}

DO(clEnqueueSVMFree)
{
	if (num_svm_pointers == 0 || !svm_pointers)
		return CL_INVALID_VALUE;
	if (pfn_free_func) {
		pfn_free_func(command_queue, num_svm_pointers, svm_pointers,
			      user_data);
		return CL_SUCCESS;
	}
	for (cl_uint i = 0; i < num_svm_pointers; i++)
		deallocate(svm_pointers[i]);
	return CL_SUCCESS;
}

static cl_int copy_bytes(void *to, const void *from, size_t size)
{
	const char *a = to, *b = from;

	if (!to || !from)
		return CL_INVALID_VALUE;
	if (a < b + size && b < a + size)
		return CL_MEM_COPY_OVERLAP;
	memcpy(to, from, size);
	return CL_SUCCESS;
}

static cl_int fill_bytes(void *to, const void *pattern, size_t pattern_size,
			 size_t size)
{
	if (!to || !pattern || pattern_size == 0 || size % pattern_size)
		return CL_INVALID_VALUE;
	for (size_t i = 0; i < size; i += pattern_size)
		memcpy((char *)to + i, pattern, pattern_size);
	return CL_SUCCESS;
}

DO(clEnqueueSVMMemcpy)
{
	return copy_bytes(dst_ptr, src_ptr, size);
}

DO(clEnqueueSVMMemFill)
{
	return fill_bytes(svm_ptr, pattern, pattern_size, size);
}

DO(clEnqueueSVMMap)
{
	return svm_ptr && size ? CL_SUCCESS : CL_INVALID_VALUE;
}

DO(clEnqueueSVMUnmap)
{
	return svm_ptr ? CL_SUCCESS : CL_INVALID_VALUE;
}

static void *usm(size_t size, cl_uint alignment, cl_uint type,
		 cl_device_id device, cl_int *errcode_ret)
{
	void *base;

	if (size == 0 || size > STUB_MAX_ALLOC)
		FAIL(CL_INVALID_BUFFER_SIZE);
	if (alignment & (alignment - 1))
		FAIL(CL_INVALID_VALUE);
	base = allocate(size, type, device);
	if (!base)
		FAIL(CL_OUT_OF_RESOURCES);
	return base;
}

DO(clHostMemAllocINTEL)
{
	return usm(size, alignment, 0x4197, NULL, errcode_ret);
}

DO(clDeviceMemAllocINTEL)
{
	return usm(size, alignment, 0x4198, device, errcode_ret);
}

DO(clSharedMemAllocINTEL)
{
	return usm(size, alignment, 0x4199, device, errcode_ret);
}

DO(clMemFreeINTEL)
{
	return !ptr || deallocate(ptr) ? CL_SUCCESS : CL_INVALID_VALUE;
}

DO(clMemBlockingFreeINTEL)
{
	return !ptr || deallocate(ptr) ? CL_SUCCESS : CL_INVALID_VALUE;
}

DO(clGetMemAllocInfoINTEL)
{
	struct stub_allocation found = { .type = 0x4196 };

	pthread_mutex_lock(&lock);
	for (struct stub_allocation *one = allocations; one; one = one->next)
		if ((const char *)ptr >= (char *)one->base &&
		    (const char *)ptr < (char *)one->base + one->size)
			found = *one;
	pthread_mutex_unlock(&lock);
	switch (param_name) {
	case 0x419a:			/* CL_MEM_ALLOC_TYPE_INTEL */
		ANSWER_AS(cl_uint, found.type);
	case 0x419b:			/* CL_MEM_ALLOC_BASE_PTR_INTEL */
		ANSWER_AS(void *, found.base);
	case 0x419c:			/* CL_MEM_ALLOC_SIZE_INTEL */
		ANSWER_AS(size_t, found.size);
	case 0x419d:			/* CL_MEM_ALLOC_DEVICE_INTEL */
		ANSWER_AS(cl_device_id, found.device);
	default:
		return CL_INVALID_VALUE;
	}
}

DO(clEnqueueMemFillINTEL)
{
	return fill_bytes(dst_ptr, pattern, pattern_size, size);
}

DO(clEnqueueMemsetINTEL)
{
	if (!dst_ptr)
		return CL_INVALID_VALUE;
	memset(dst_ptr, value, size);
	return CL_SUCCESS;
}

DO(clEnqueueMemcpyINTEL)
{
	return copy_bytes(dst_ptr, src_ptr, size);
}

/* --- transfers --- */

/* The bytes of a buffer's range, or NULL when it is not within. */
static unsigned char *range(cl_mem buffer, size_t offset, size_t size)
{
	struct stub_object *mem = OBJECT(buffer);

	if (size == 0 || offset > mem->size || size > mem->size - offset)
		return NULL;
	return mem->bytes + offset;
}

DO(clEnqueueReadBuffer)
{
	return copy_bytes(ptr, range(buffer, offset, size), size);
}

DO(clEnqueueWriteBuffer)
{
	return copy_bytes(range(buffer, offset, size), ptr, size);
}

DO(clEnqueueCopyBuffer)
{
	return copy_bytes(range(dst_buffer, dst_offset, size),
			  range(src_buffer, src_offset, size), size);
}

DO(clEnqueueFillBuffer)
{
	return fill_bytes(range(buffer, offset, size), pattern, pattern_size,
			  size);
}

/* One side of a copy of boxes: all in bytes but origin's y and z. */
struct side {
	unsigned char *bytes;
	size_t limit;			/* SIZE_MAX for the program's memory */
	const size_t *origin;
	size_t pixel, row, slice;
};

static bool side_holds(const struct side *side, const size_t *region)
{
	size_t end;

	if (!side->bytes || !side->origin)
		return false;
	end = (side->origin[2] + region[2] - 1) * side->slice +
	      (side->origin[1] + region[1] - 1) * side->row +
	      (side->origin[0] + region[0]) * side->pixel;
	return end <= side->limit;
}

static unsigned char *side_row(const struct side *side, size_t y, size_t z)
{
	return side->bytes + (side->origin[2] + z) * side->slice +
	       (side->origin[1] + y) * side->row +
	       side->origin[0] * side->pixel;
}

/* region[0] counts pixels of the destination. */
static cl_int copy_box(struct side to, struct side from, const size_t *region)
{
	if (!region || !region[0] || !region[1] || !region[2])
		return CL_INVALID_VALUE;
	if (!to.row)
		to.row = region[0] * to.pixel;
	if (!to.slice)
		to.slice = region[1] * to.row;
	if (!from.row)
		from.row = region[0] * from.pixel;
	if (!from.slice)
		from.slice = region[1] * from.row;
	if (!side_holds(&to, region) || !side_holds(&from, region))
		return CL_INVALID_VALUE;
	for (size_t z = 0; z < region[2]; z++)
		for (size_t y = 0; y < region[1]; y++)
			memmove(side_row(&to, y, z), side_row(&from, y, z),
				region[0] * to.pixel);
	return CL_SUCCESS;
}

static const size_t no_origin[3];

static struct side buffer_side(cl_mem buffer, const size_t *origin,
			       size_t row, size_t slice)
{
	return (struct side){ OBJECT(buffer)->bytes, OBJECT(buffer)->size,
			      origin, 1, row, slice };
}

static struct side host_side(const void *ptr, const size_t *origin,
			     size_t pixel, size_t row, size_t slice)
{
	return (struct side){ (unsigned char *)(uintptr_t)ptr, SIZE_MAX,
			      origin, pixel, row, slice };
}

static struct side image_side(cl_mem image, const size_t *origin)
{
	struct stub_object *mem = OBJECT(image);

	return (struct side){ mem->bytes, mem->size, origin,
			      pixel_bytes(&mem->format),
			      mem->desc.image_row_pitch,
			      mem->desc.image_slice_pitch };
}

/* The part of a buffer that an image is copied to or from. */
static struct side packed_side(cl_mem buffer, size_t offset, size_t pixel)
{
	struct stub_object *mem = OBJECT(buffer);

	if (offset > mem->size)
		return (struct side){ NULL, 0, NULL, 0, 0, 0 };
	return (struct side){ mem->bytes + offset, mem->size - offset,
			      no_origin, pixel, 0, 0 };
}

DO(clEnqueueReadBufferRect)
{
	return copy_box(host_side(ptr, host_origin, 1, host_row_pitch,
				  host_slice_pitch),
			buffer_side(buffer, buffer_origin, buffer_row_pitch,
				    buffer_slice_pitch), region);
}

DO(clEnqueueWriteBufferRect)
{
	return copy_box(buffer_side(buffer, buffer_origin, buffer_row_pitch,
				    buffer_slice_pitch),
			host_side(ptr, host_origin, 1, host_row_pitch,
				  host_slice_pitch), region);
}

DO(clEnqueueCopyBufferRect)
{
	return copy_box(buffer_side(dst_buffer, dst_origin, dst_row_pitch,
				    dst_slice_pitch),
			buffer_side(src_buffer, src_origin, src_row_pitch,
				    src_slice_pitch), region);
}

DO(clEnqueueReadImage)
{
	return copy_box(host_side(ptr, no_origin,
				  pixel_bytes(&OBJECT(image)->format),
				  row_pitch, slice_pitch),
			image_side(image, origin), region);
}

DO(clEnqueueWriteImage)
{
	return copy_box(image_side(image, origin),
			host_side(ptr, no_origin,
				  pixel_bytes(&OBJECT(image)->format),
				  input_row_pitch, input_slice_pitch), region);
}

DO(clEnqueueCopyImage)
{
	if (memcmp(&OBJECT(src_image)->format, &OBJECT(dst_image)->format,
		   sizeof(cl_image_format)) != 0)
		return CL_IMAGE_FORMAT_MISMATCH;
	return copy_box(image_side(dst_image, dst_origin),
			image_side(src_image, src_origin), region);
}

DO(clEnqueueCopyImageToBuffer)
{
	return copy_box(packed_side(dst_buffer, dst_offset,
				    pixel_bytes(&OBJECT(src_image)->format)),
			image_side(src_image, src_origin), region);
}

DO(clEnqueueCopyBufferToImage)
{
	return copy_box(image_side(dst_image, dst_origin),
			packed_side(src_buffer, src_offset,
				    pixel_bytes(&OBJECT(dst_image)->format)),
			region);
}

DO(clEnqueueFillImage)
{
	struct side side = image_side(image, origin);

	if (!fill_color || !region || !region[0] || !region[1] || !region[2] ||
	    !side_holds(&side, region))
		return CL_INVALID_VALUE;
	/* The colour's first byte is what every byte becomes. */
	for (size_t z = 0; z < region[2]; z++)
		for (size_t y = 0; y < region[1]; y++)
			memset(side_row(&side, y, z),
			       *(const unsigned char *)fill_color,
			       region[0] * side.pixel);
	return CL_SUCCESS;
}

DO(clEnqueueMapBuffer)
{
	unsigned char *bytes = range(buffer, offset, size);

	if (!bytes)
		FAIL(CL_INVALID_VALUE);
	OBJECT(buffer)->map_count++;
	return bytes;
}

DO(clEnqueueMapImage)
{
	struct side side = image_side(image, origin);

	if (!region || !image_row_pitch || !region[0] || !region[1] ||
	    !region[2] || !side_holds(&side, region))
		FAIL(CL_INVALID_VALUE);
	*image_row_pitch = side.row;
	if (image_slice_pitch)
		*image_slice_pitch = side.slice;
	OBJECT(image)->map_count++;
	return side_row(&side, 0, 0);
}

DO(clEnqueueUnmapMemObject)
{
	struct stub_object *mem = OBJECT(memobj);
	unsigned char *ptr = mapped_ptr;

	if (mem->map_count == 0 || ptr < mem->bytes ||
	    ptr >= mem->bytes + mem->size)
		return CL_INVALID_VALUE;
	mem->map_count--;
	return CL_SUCCESS;
}

/* --- samplers --- */

DO(clCreateSampler)
{
	struct stub_object *sampler = object_new(CLAW_OBJ_SAMPLER,
						 OBJECT(context), NULL);

	if (!sampler)
		FAIL(CL_OUT_OF_HOST_MEMORY);
	sampler->flags = normalized_coords;
	sampler->addressing = addressing_mode;
	sampler->filter = filter_mode;
	return (cl_sampler)sampler;
}

DO(clCreateSamplerWithProperties)
{
	struct stub_object *sampler = object_new(CLAW_OBJ_SAMPLER,
						 OBJECT(context), NULL);

	if (!sampler)
		FAIL(CL_OUT_OF_HOST_MEMORY);
	sampler->flags = CL_TRUE;
	sampler->addressing = CL_ADDRESS_CLAMP;
	sampler->filter = CL_FILTER_NEAREST;
	for (const cl_sampler_properties *pair = sampler_properties;
	     pair && *pair; pair += 2) {
		if (pair[0] == CL_SAMPLER_NORMALIZED_COORDS)
			sampler->flags = pair[1];
		else if (pair[0] == CL_SAMPLER_ADDRESSING_MODE)
			sampler->addressing = (cl_addressing_mode)pair[1];
		else if (pair[0] == CL_SAMPLER_FILTER_MODE)
			sampler->filter = (cl_filter_mode)pair[1];
	}
	keep_properties(sampler, sampler_properties);
	return (cl_sampler)sampler;
}

DO(clGetSamplerInfo)
{
	struct stub_object *object = OBJECT(sampler);

	switch (param_name) {
	case CL_SAMPLER_REFERENCE_COUNT:
		ANSWER_AS(cl_uint, atomic_load(&object->refs));
	case CL_SAMPLER_CONTEXT:
		ANSWER_AS(void *, object->context);
	case CL_SAMPLER_NORMALIZED_COORDS:
		ANSWER_AS(cl_bool, object->flags);
	case CL_SAMPLER_ADDRESSING_MODE:
		ANSWER_AS(cl_addressing_mode, object->addressing);
	case CL_SAMPLER_FILTER_MODE:
		ANSWER_AS(cl_filter_mode, object->filter);
	case CL_SAMPLER_PROPERTIES:
		ANSWER_PROPERTIES(object);
	default:
		return CL_INVALID_VALUE;
	}
}

/* --- programs --- */

static struct stub_object *make_program(cl_context context, char *text,
					cl_int *errcode_ret)
{
	struct stub_object *program;

	program = text ? object_new(CLAW_OBJ_PROGRAM, OBJECT(context), NULL) :
		  NULL;
	if (!program) {
		free(text);
		FAIL(CL_OUT_OF_HOST_MEMORY);
	}
	program->text = text;
	program->build_status = CL_BUILD_NONE;
	return program;
}

DO(clCreateProgramWithSource)
{
	size_t bytes = 0;
	char *text;

	if (count == 0 || !strings)
		FAIL(CL_INVALID_VALUE);
	for (cl_uint i = 0; i < count; i++) {
		if (!strings[i])
			FAIL(CL_INVALID_VALUE);
		bytes += lengths && lengths[i] ? lengths[i] :
			 strlen(strings[i]);
	}
	text = calloc(1, bytes + 1);
	if (text) {
		bytes = 0;
		for (cl_uint i = 0; i < count; i++) {
			size_t length = lengths && lengths[i] ? lengths[i] :
					strlen(strings[i]);

			memcpy(text + bytes, strings[i], length);
			bytes += length;
		}
	}
	return (cl_program)make_program(context, text, errcode_ret);
}

static cl_program program_of_bytes(cl_context context, const void *bytes,
				   size_t length, cl_int *errcode_ret)
{
	char *text = calloc(1, length + 1);

	if (text)
		memcpy(text, bytes, length);
	return (cl_program)make_program(context, text, errcode_ret);
}

DO(clCreateProgramWithIL)
{
	if (!il || length == 0)
		FAIL(CL_INVALID_VALUE);
	return program_of_bytes(context, il, length, errcode_ret);
}

/* The stub's binaries are its sources. */
DO(clCreateProgramWithBinary)
{
	cl_program program;

	if (!lengths || !binaries || num_devices == 0 || lengths[0] == 0)
		FAIL(CL_INVALID_VALUE);
	program = program_of_bytes(context, binaries[0], lengths[0],
				   errcode_ret);
	for (cl_uint i = 0; binary_status && i < num_devices; i++)
		binary_status[i] = program ? CL_SUCCESS : CL_INVALID_BINARY;
	return program;
}

DO(clCreateProgramWithBuiltInKernels)
{
	static const char text[] = "kernel void copy() kernel void fill()";
	cl_program program;

	if (!kernel_names)
		FAIL(CL_INVALID_VALUE);
	program = program_of_bytes(context, text, sizeof(text) - 1,
				   errcode_ret);
	if (program)
		OBJECT(program)->build_status = CL_BUILD_SUCCESS;
	return program;
}

static void compile(struct stub_object *program, const char *options,
		    cl_program_binary_type type)
{
	bool fails = strstr(program->text, "#error") != NULL;

	free(program->options);
	program->options = strdup(options ? options : "");
	program->build_status = fails ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
	program->binary_type = fails ? CL_PROGRAM_BINARY_TYPE_NONE : type;
}

DO(clBuildProgram)
{
	struct stub_object *object = OBJECT(program);

	compile(object, options, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
	if (pfn_notify) {
		pfn_notify(program, user_data);
		return CL_SUCCESS;
	}
	return object->build_status == CL_BUILD_SUCCESS ? CL_SUCCESS :
	       CL_BUILD_PROGRAM_FAILURE;
}

DO(clCompileProgram)
{
	struct stub_object *object = OBJECT(program);

	compile(object, options, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
	if (pfn_notify) {
		pfn_notify(program, user_data);
		return CL_SUCCESS;
	}
	return object->build_status == CL_BUILD_SUCCESS ? CL_SUCCESS :
	       CL_COMPILE_PROGRAM_FAILURE;
}

DO(clLinkProgram)
{
	size_t bytes = 1;
	struct stub_object *program;
	char *text;

	if (num_input_programs == 0)
		FAIL(CL_INVALID_VALUE);
	for (cl_uint i = 0; i < num_input_programs; i++)
		bytes += strlen(OBJECT(input_programs[i])->text);
	text = calloc(1, bytes);
	for (cl_uint i = 0; text && i < num_input_programs; i++)
		strncat(text, OBJECT(input_programs[i])->text,
			bytes - strlen(text) - 1);
	program = make_program(context, text, errcode_ret);
	if (!program)
		return NULL;
	compile(program, options, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
	if (pfn_notify)
		pfn_notify((cl_program)program, user_data);
	return (cl_program)program;
}

DO(clSetProgramReleaseCallback)
{
	if (!pfn_notify)
		return CL_INVALID_VALUE;
	return add_callback(OBJECT(program), 0, (stub_function)pfn_notify,
			    user_data) < 0 ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
}

enum { NAME_BYTES = 64, MAX_KERNELS = 32 };

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

static const char *skip_blank(const char *text)
{
	return text + strspn(text, " \t\r\n");
}

/* The names behind "kernel void"; returns how many there are. */
static unsigned int kernel_names_of(const struct stub_object *program,
				    char names[MAX_KERNELS][NAME_BYTES])
{
	unsigned int count = 0;
	const char *text = program->text;

	while (count < MAX_KERNELS && (text = strstr(text, "kernel")) != NULL) {
		size_t length = 0;

		text = skip_blank(text + strlen("kernel"));
		if (strncmp(text, "void", 4) != 0)
			continue;
		text = skip_blank(text + 4);
		while (is_name_char(text[length]))
			length++;
		if (length == 0 || length >= NAME_BYTES)
			continue;
		memcpy(names[count], text, length);
		names[count++][length] = '\0';
	}
	return count;
}

DO(clGetProgramInfo)
{
	struct stub_object *object = OBJECT(program);
	char names[MAX_KERNELS][NAME_BYTES];
	char all[MAX_KERNELS * NAME_BYTES] = "";
	size_t used = 0;
	unsigned int count;

	switch (param_name) {
	case CL_PROGRAM_REFERENCE_COUNT:
		ANSWER_AS(cl_uint, atomic_load(&object->refs));
	case CL_PROGRAM_CONTEXT:
		ANSWER_AS(void *, object->context);
	case CL_PROGRAM_NUM_DEVICES:
		ANSWER_AS(cl_uint, 1);
	case CL_PROGRAM_DEVICES:
		ANSWER_AS(void *, object->context->devices[0]);
	case CL_PROGRAM_SOURCE:
		ANSWER_TEXT(object->text);
	case CL_PROGRAM_BINARY_SIZES:
		ANSWER_AS(size_t, strlen(object->text));
	case CL_PROGRAM_BINARIES:
		if (param_value && *(char **)param_value)
			memcpy(*(char **)param_value, object->text,
			       strlen(object->text));
		if (param_value_size_ret)
			*param_value_size_ret = sizeof(char *);
		return CL_SUCCESS;
	case CL_PROGRAM_NUM_KERNELS:
	case CL_PROGRAM_KERNEL_NAMES:
		if (object->build_status != CL_BUILD_SUCCESS)
			return CL_INVALID_PROGRAM_EXECUTABLE;
		count = kernel_names_of(object, names);
		if (param_name == CL_PROGRAM_NUM_KERNELS)
			ANSWER_AS(size_t, count);
		for (unsigned int i = 0; i < count; i++)
			used += (size_t)snprintf(all + used, sizeof(all) - used,
						 "%s%s", i ? ";" : "",
						 names[i]);
		ANSWER_TEXT(all);
	case CL_PROGRAM_IL:
		ANSWER_NOTHING;
	default:
		return CL_INVALID_VALUE;
	}
}

DO(clGetProgramBuildInfo)
{
	struct stub_object *object = OBJECT(program);

	switch (param_name) {
	case CL_PROGRAM_BUILD_STATUS:
		ANSWER_AS(cl_build_status, object->build_status);
	case CL_PROGRAM_BUILD_OPTIONS:
		ANSWER_TEXT(object->options);
	case CL_PROGRAM_BUILD_LOG:
		ANSWER_TEXT(object->build_status == CL_BUILD_ERROR ?
			    "<source>:1: error: #error\n" : "");
	case CL_PROGRAM_BINARY_TYPE:
		ANSWER_AS(cl_program_binary_type, object->binary_type);
	case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
		ANSWER_AS(size_t, 0);
	default:
		return CL_INVALID_VALUE;
	}
}

/* --- kernels --- */

static struct stub_object *make_kernel(struct stub_object *program,
				       const char *name)
{
	struct stub_object *kernel = object_new(CLAW_OBJ_KERNEL,
						program->context, program);

	if (!kernel)
		return NULL;
	kernel->text = strdup(name);
	return kernel;
}

DO(clCreateKernel)
{
	struct stub_object *object = OBJECT(program);
	char names[MAX_KERNELS][NAME_BYTES];
	unsigned int count;
	cl_kernel kernel;

	if (!kernel_name)
		FAIL(CL_INVALID_VALUE);
	if (object->build_status != CL_BUILD_SUCCESS)
		FAIL(CL_INVALID_PROGRAM_EXECUTABLE);
	count = kernel_names_of(object, names);
	for (unsigned int i = 0; i < count; i++) {
		if (strcmp(names[i], kernel_name) != 0)
			continue;
		kernel = (cl_kernel)make_kernel(object, kernel_name);
		if (!kernel)
			FAIL(CL_OUT_OF_HOST_MEMORY);
		return kernel;
	}
	FAIL(CL_INVALID_KERNEL_NAME);
}

DO(clCreateKernelsInProgram)
{
	struct stub_object *object = OBJECT(program);
	char names[MAX_KERNELS][NAME_BYTES];
	unsigned int count;

	if (object->build_status != CL_BUILD_SUCCESS)
		return CL_INVALID_PROGRAM_EXECUTABLE;
	count = kernel_names_of(object, names);
	if (kernels && num_kernels < count)
		return CL_INVALID_VALUE;
	for (unsigned int i = 0; kernels && i < count; i++) {
		kernels[i] = (cl_kernel)make_kernel(object, names[i]);
		if (!kernels[i])
			return CL_OUT_OF_HOST_MEMORY;
	}
	if (num_kernels_ret)
		*num_kernels_ret = count;
	return CL_SUCCESS;
}

DO(clCloneKernel)
{
	struct stub_object *source = OBJECT(source_kernel);
	struct stub_object *kernel = make_kernel(source->parent, source->text);

	if (!kernel)
		FAIL(CL_OUT_OF_HOST_MEMORY);
	memcpy(kernel->args, source->args, sizeof(kernel->args));
	return (cl_kernel)kernel;
}

/* How many arguments the kernel has, and whether one of them is memory. */
static cl_uint arg_count(const struct stub_object *kernel)
{
	if (strcmp(kernel->text, "copy") == 0 ||
	    strcmp(kernel->text, "fill") == 0)
		return 2;
	return STUB_MAX_ARGS;
}

static bool arg_is_memory(const struct stub_object *kernel, cl_uint index)
{
	if (strcmp(kernel->text, "copy") == 0)
		return true;
	return strcmp(kernel->text, "fill") == 0 && index == 0;
}

DO(clSetKernelArg)
{
	struct stub_object *object = OBJECT(kernel);
	const void *mem;

	if (arg_index >= arg_count(object))
		return CL_INVALID_ARG_INDEX;
	if (arg_size == 0 || (arg_value && arg_size > STUB_ARG_BYTES))
		return CL_INVALID_ARG_SIZE;
	if (arg_value && arg_is_memory(object, arg_index)) {
		if (arg_size != sizeof(mem))
			return CL_INVALID_ARG_SIZE;
		memcpy(&mem, arg_value, sizeof(mem));
		if (mem && !is_kind(mem, CLAW_OBJ_MEM))
			return CL_INVALID_MEM_OBJECT;
	}
	object->args[arg_index] = (struct stub_arg){
		.set = true, .bytes = arg_size,
	};
	if (arg_value)
		memcpy(object->args[arg_index].value, arg_value, arg_size);
	return CL_SUCCESS;
}

static cl_int set_pointer(cl_kernel kernel, cl_uint index, const void *pointer)
{
	struct stub_object *object = OBJECT(kernel);

	if (index >= arg_count(object))
		return CL_INVALID_ARG_INDEX;
	object->args[index] = (struct stub_arg){
		.set = true, .is_pointer = true, .bytes = sizeof(pointer),
	};
	memcpy(object->args[index].value, &pointer, sizeof(pointer));
	return CL_SUCCESS;
}

DO(clSetKernelArgSVMPointer)
{
	return set_pointer(kernel, arg_index, arg_value);
}

DO(clSetKernelArgMemPointerINTEL)
{
	return set_pointer(kernel, arg_index, arg_value);
}

DO(clGetKernelInfo)
{
	struct stub_object *object = OBJECT(kernel);

	switch (param_name) {
	case CL_KERNEL_FUNCTION_NAME:
		ANSWER_TEXT(object->text);
	case CL_KERNEL_NUM_ARGS:
		ANSWER_AS(cl_uint, arg_count(object));
	case CL_KERNEL_REFERENCE_COUNT:
		ANSWER_AS(cl_uint, atomic_load(&object->refs));
	case CL_KERNEL_CONTEXT:
		ANSWER_AS(void *, object->context);
	case CL_KERNEL_PROGRAM:
		ANSWER_AS(void *, object->parent);
	case CL_KERNEL_ATTRIBUTES:
		ANSWER_TEXT("");
	default:
		return CL_INVALID_VALUE;
	}
}

DO(clGetKernelArgInfo)
{
	struct stub_object *object = OBJECT(kernel);

	if (arg_index >= arg_count(object))
		return CL_INVALID_ARG_INDEX;
	switch (param_name) {
	case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
		ANSWER_AS(cl_kernel_arg_address_qualifier,
			  arg_is_memory(object, arg_index) ?
			  CL_KERNEL_ARG_ADDRESS_GLOBAL :
			  CL_KERNEL_ARG_ADDRESS_PRIVATE);
	case CL_KERNEL_ARG_ACCESS_QUALIFIER:
		ANSWER_AS(cl_kernel_arg_access_qualifier,
			  CL_KERNEL_ARG_ACCESS_NONE);
	case CL_KERNEL_ARG_TYPE_QUALIFIER:
		ANSWER_AS(cl_kernel_arg_type_qualifier,
			  CL_KERNEL_ARG_TYPE_NONE);
	case CL_KERNEL_ARG_TYPE_NAME:
		ANSWER_TEXT("uint*");
	case CL_KERNEL_ARG_NAME:
		ANSWER_TEXT("argument");
	default:
		return CL_INVALID_VALUE;
	}
}

DO(clGetKernelWorkGroupInfo)
{
	static const size_t none[3];

	switch (param_name) {
	case CL_KERNEL_WORK_GROUP_SIZE:
		ANSWER_AS(size_t, 256);
	case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
		ANSWER(none, sizeof(none));
	case CL_KERNEL_LOCAL_MEM_SIZE:
	case CL_KERNEL_PRIVATE_MEM_SIZE:
		ANSWER_AS(cl_ulong, 0);
	case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
		ANSWER_AS(size_t, 32);
	default:
		return CL_INVALID_VALUE;
	}
}

DO(clGetKernelSubGroupInfo)
{
	ANSWER_AS(size_t, 32);
}

DO(clGetKernelSubGroupInfoKHR)
{
	ANSWER_AS(size_t, 32);
}

/* The memory behind an argument and how much of it there is. */
static unsigned char *arg_memory(const struct stub_arg *arg, size_t *ret_size)
{
	void *value;

	*ret_size = 0;
	memcpy(&value, arg->value, sizeof(value));
	if (arg->is_pointer) {
		*ret_size = SIZE_MAX;
		return value;
	}
	if (!is_kind(value, CLAW_OBJ_MEM))
		return NULL;
	*ret_size = OBJECT(value)->size;
	return OBJECT(value)->bytes;
}

/* Always, or the first time in this and other processes. */
static bool is_to_crash(void)
{
	const char *once = getenv("STUB_CRASH_ONCE");
	int fd = once ? open(once, O_WRONLY | O_CREAT | O_EXCL, 0600) : -1;

	if (fd >= 0)
		close(fd);
	return !once || fd >= 0;
}

static cl_int run_kernel(cl_kernel kernel, size_t items)
{
	struct stub_object *object = OBJECT(kernel);
	unsigned char *to, *from;
	size_t to_size, from_size, size = items * 4;
	volatile int *volatile nowhere = NULL;

	if (strcmp(object->text, "crash") == 0 && is_to_crash())
		*nowhere = 1;
	while (strcmp(object->text, "hang") == 0)
		pause();
	if (arg_count(object) != 2)
		return CL_SUCCESS;
	if (!object->args[0].set || !object->args[1].set)
		return CL_INVALID_KERNEL_ARGS;
	if (strcmp(object->text, "fill") == 0) {
		to = arg_memory(&object->args[0], &to_size);
		for (size_t i = 0; to && i + 4 <= size && i + 4 <= to_size;
		     i += 4)
			memcpy(to + i, object->args[1].value, 4);
		return CL_SUCCESS;
	}
	from = arg_memory(&object->args[0], &from_size);
	to = arg_memory(&object->args[1], &to_size);
	if (size > to_size)
		size = to_size;
	if (size > from_size)
		size = from_size;
	if (from && to)
		memmove(to, from, size);
	return CL_SUCCESS;
}

DO(clEnqueueNDRangeKernel)
{
	size_t items = 1, group = 1;

	if (work_dim < 1 || work_dim > 3)
		return CL_INVALID_WORK_DIMENSION;
	if (!global_work_size)
		return CL_INVALID_GLOBAL_WORK_SIZE;
	for (cl_uint i = 0; i < work_dim; i++) {
		items *= global_work_size[i];
		if (!local_work_size)
			continue;
		if (local_work_size[i] == 0 ||
		    global_work_size[i] % local_work_size[i])
			return CL_INVALID_WORK_GROUP_SIZE;
		group *= local_work_size[i];
	}
	if (group > 256)
		return CL_INVALID_WORK_GROUP_SIZE;
	return run_kernel(kernel, items);
}

DO(clEnqueueTask)
{
	return run_kernel(kernel, 1);
}

DO(clEnqueueNativeKernel)
{
	if (!user_func || (args == NULL) != (cb_args == 0))
		return CL_INVALID_VALUE;
	user_func(args);
	return CL_SUCCESS;
}

/* --- events --- */

DO(clCreateUserEvent)
{
	struct stub_object *event = object_new(CLAW_OBJ_EVENT, OBJECT(context),
					       NULL);

	if (!event)
		FAIL(CL_OUT_OF_HOST_MEMORY);
	event->command = CL_COMMAND_USER;
	event->status = CL_SUBMITTED;
	return (cl_event)event;
}

static cl_event complete_event(cl_context context, cl_command_type command,
			       cl_int *errcode_ret)
{
	struct stub_object *event = object_new(CLAW_OBJ_EVENT, OBJECT(context),
					       NULL);

	if (!event)
		FAIL(CL_OUT_OF_HOST_MEMORY);
	event->command = command;
	return (cl_event)event;
}

DO(clCreateEventFromGLsyncKHR)
{
	return complete_event(context, CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR,
			      errcode_ret);
}

DO(clCreateEventFromEGLSyncKHR)
{
	return complete_event(context, CL_COMMAND_EGL_FENCE_SYNC_OBJECT_KHR,
			      errcode_ret);
}

DO(clSetUserEventStatus)
{
	struct stub_object *object = OBJECT(event);

	if (object->command != CL_COMMAND_USER)
		return CL_INVALID_EVENT;
	if (execution_status > CL_COMPLETE)
		return CL_INVALID_VALUE;
	if (object->status <= CL_COMPLETE)
		return CL_INVALID_OPERATION;
	event_finish(object, execution_status);
	return CL_SUCCESS;
}

DO(clWaitForEvents)
{
	return wait_for(event_list, num_events);
}

DO(clEnqueueWaitForEvents)
{
	return CL_SUCCESS;
}

DO(clGetEventInfo)
{
	struct stub_object *object = OBJECT(event);

	switch (param_name) {
	case CL_EVENT_COMMAND_QUEUE:
		ANSWER_AS(void *, object->queue);
	case CL_EVENT_CONTEXT:
		ANSWER_AS(void *, object->context);
	case CL_EVENT_COMMAND_TYPE:
		ANSWER_AS(cl_command_type, object->command);
	case CL_EVENT_COMMAND_EXECUTION_STATUS:
		ANSWER_AS(cl_int, object->status);
	case CL_EVENT_REFERENCE_COUNT:
		ANSWER_AS(cl_uint, atomic_load(&object->refs));
	default:
		return CL_INVALID_VALUE;
	}
}

DO(clGetEventProfilingInfo)
{
	struct stub_object *object = OBJECT(event);

	if (!(object->flags & CL_QUEUE_PROFILING_ENABLE) ||
	    object->status != CL_COMPLETE)
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	if (param_name < CL_PROFILING_COMMAND_QUEUED ||
	    param_name > CL_PROFILING_COMMAND_COMPLETE)
		return CL_INVALID_VALUE;
	ANSWER_AS(cl_ulong, object->time_ns +
		  (param_name - CL_PROFILING_COMMAND_QUEUED));
}

DO(clSetEventCallback)
{
	struct stub_object *object = OBJECT(event);
	bool now;
	cl_int err = CL_SUCCESS;

	if (!pfn_notify || command_exec_callback_type < CL_COMPLETE ||
	    command_exec_callback_type > CL_SUBMITTED)
		return CL_INVALID_VALUE;
	pthread_mutex_lock(&lock);
	now = object->status <= command_exec_callback_type;
	if (!now && add_callback(object, command_exec_callback_type,
				 (stub_function)pfn_notify, user_data) < 0)
		err = CL_OUT_OF_HOST_MEMORY;
	pthread_mutex_unlock(&lock);
	if (now)
		pfn_notify(event, object->status < 0 ? object->status :
			   command_exec_callback_type, user_data);
	return err;
}

/* --- command buffers: commands are noted, not recorded --- */

enum { BUFFER_RECORDING, BUFFER_EXECUTABLE };

static cl_command_buffer_khr make_command_buffer(struct stub_object *queue,
						 const void *properties,
						 cl_int *errcode_ret)
{
	struct stub_object *buffer = object_new(CLAW_OBJ_COMMAND_BUFFER,
						queue->context, NULL);

	if (!buffer)
		FAIL(CL_OUT_OF_HOST_MEMORY);
	buffer->queue = use(queue);
	keep_properties(buffer, properties);
	return (cl_command_buffer_khr)buffer;
}

DO(clCreateCommandBufferKHR)
{
	if (num_queues != 1)
		FAIL(CL_INVALID_VALUE);
	return make_command_buffer(OBJECT(queues[0]), properties, errcode_ret);
}

DO(clRemapCommandBufferKHR)
{
	if (num_queues == 0)
		FAIL(CL_INVALID_VALUE);
	return make_command_buffer(OBJECT(queues[0]), NULL, errcode_ret);
}

DO(clFinalizeCommandBufferKHR)
{
	if (OBJECT(command_buffer)->state != BUFFER_RECORDING)
		return CL_INVALID_OPERATION;
	OBJECT(command_buffer)->state = BUFFER_EXECUTABLE;
	return CL_SUCCESS;
}

DO(clEnqueueCommandBufferKHR)
{
	if (OBJECT(command_buffer)->state != BUFFER_EXECUTABLE)
		return CL_INVALID_OPERATION;
	return CL_SUCCESS;
}

/* Note one command: a sync point, and a handle where one is wanted. */
static cl_int note_command(cl_command_buffer_khr command_buffer,
			   const void *sync_point, const void *mutable_handle)
{
	static atomic_uint last;
	cl_uint *point = (void *)(uintptr_t)sync_point;
	cl_mutable_command_khr *handle = (void *)(uintptr_t)mutable_handle;

	if (OBJECT(command_buffer)->state != BUFFER_RECORDING)
		return CL_INVALID_OPERATION;
	if (point)
		*point = atomic_fetch_add(&last, 1) + 1;
	if (handle) {
		struct stub_object *made = object_new(
			STUB_MUTABLE_COMMAND, NULL, OBJECT(command_buffer));

		if (!made)
			return CL_OUT_OF_HOST_MEMORY;
		*handle = (cl_mutable_command_khr)made;
	}
	return CL_SUCCESS;
}

#define DO_COMMAND(name_)						\
	DO(name_)							\
	{								\
		return note_command(command_buffer, sync_point,		\
				    mutable_handle);			\
	}
DO_COMMAND(clCommandBarrierWithWaitListKHR)
DO_COMMAND(clCommandCopyBufferKHR)
DO_COMMAND(clCommandCopyBufferRectKHR)
DO_COMMAND(clCommandCopyBufferToImageKHR)
DO_COMMAND(clCommandCopyImageKHR)
DO_COMMAND(clCommandCopyImageToBufferKHR)
DO_COMMAND(clCommandFillBufferKHR)
DO_COMMAND(clCommandFillImageKHR)
DO_COMMAND(clCommandNDRangeKernelKHR)
DO_COMMAND(clCommandSVMMemcpyKHR)
DO_COMMAND(clCommandSVMMemFillKHR)

DO(clGetCommandBufferInfoKHR)
{
	struct stub_object *object = OBJECT(command_buffer);

	switch (param_name) {
	case 0x1294:			/* CL_COMMAND_BUFFER_QUEUES_KHR */
		ANSWER_AS(void *, object->queue);
	case 0x1295:			/* CL_COMMAND_BUFFER_NUM_QUEUES_KHR */
		ANSWER_AS(cl_uint, 1);
	case 0x1296:			/* ..._REFERENCE_COUNT_KHR */
		ANSWER_AS(cl_uint, atomic_load(&object->refs));
	case 0x1297:			/* CL_COMMAND_BUFFER_STATE_KHR */
		ANSWER_AS(cl_uint, object->state);
	case 0x1298:			/* ..._PROPERTIES_ARRAY_KHR */
		ANSWER_PROPERTIES(object);
	default:
		return CL_INVALID_VALUE;
	}
}

DO(clGetMutableCommandInfoKHR)
{
	if (!is_kind(command, STUB_MUTABLE_COMMAND))
		return CL_INVALID_MUTABLE_COMMAND_KHR;
	if (param_name != 0x12a0)	/* ..._COMMAND_QUEUE_KHR */
		return CL_INVALID_VALUE;
	ANSWER_AS(void *, OBJECT(command)->parent->queue);
}

DO(clUpdateMutableCommandsKHR)
{
	return OBJECT(command_buffer)->state == BUFFER_EXECUTABLE ?
	       CL_SUCCESS : CL_INVALID_OPERATION;
}

/* --- semaphores --- */

DO(clCreateSemaphoreWithPropertiesKHR)
{
	struct stub_object *semaphore = object_new(CLAW_OBJ_SEMAPHORE,
						   OBJECT(context), NULL);

	if (!semaphore)
		FAIL(CL_OUT_OF_HOST_MEMORY);
	keep_properties(semaphore, sema_props);
	return (cl_semaphore_khr)semaphore;
}

DO(clGetSemaphoreInfoKHR)
{
	struct stub_object *object = OBJECT(sema_object);

	switch (param_name) {
	case 0x2039:			/* CL_SEMAPHORE_CONTEXT_KHR */
		ANSWER_AS(void *, object->context);
	case 0x203a:			/* CL_SEMAPHORE_REFERENCE_COUNT_KHR */
		ANSWER_AS(cl_uint, atomic_load(&object->refs));
	case 0x203b:			/* CL_SEMAPHORE_PROPERTIES_KHR */
		ANSWER_PROPERTIES(object);
	case 0x203c:			/* CL_SEMAPHORE_PAYLOAD_KHR */
		ANSWER_AS(cl_semaphore_payload_khr, object->state);
	case 0x203d:			/* CL_SEMAPHORE_TYPE_KHR: binary */
		ANSWER_AS(cl_uint, 1);
	default:
		return CL_INVALID_VALUE;
	}
}

DO(clEnqueueSignalSemaphoresKHR)
{
	for (cl_uint i = 0; i < num_sema_objects; i++)
		OBJECT(sema_objects[i])->state = 1;
	return CL_SUCCESS;
}

DO(clEnqueueWaitSemaphoresKHR)
{
	for (cl_uint i = 0; i < num_sema_objects; i++)
		OBJECT(sema_objects[i])->state = 0;
	return CL_SUCCESS;
}

/* A sync fd of -1 is one that has been signalled already. */
DO(clGetSemaphoreHandleForTypeKHR)
{
	int fd = -1;

	return stub_answer(&fd, sizeof(fd), handle_size, handle_ptr,
			   handle_size_ret);
}

/* What is by hand, for BODY(). */
#define HAND_clGetPlatformIDs ~, do_clGetPlatformIDs
#define HAND_clGetPlatformInfo ~, do_clGetPlatformInfo
#define HAND_clGetDeviceIDs ~, do_clGetDeviceIDs
#define HAND_clGetDeviceInfo ~, do_clGetDeviceInfo
#define HAND_clCreateSubDevices ~, do_clCreateSubDevices
#define HAND_clCreateSubDevicesEXT ~, do_clCreateSubDevicesEXT
#define HAND_clGetDeviceAndHostTimer ~, do_clGetDeviceAndHostTimer
#define HAND_clGetHostTimer ~, do_clGetHostTimer
#define HAND_clGetExtensionFunctionAddress ~, do_clGetExtensionFunctionAddress
#define HAND_clGetExtensionFunctionAddressForPlatform \
	~, do_clGetExtensionFunctionAddressForPlatform
#define HAND_clCreateContext ~, do_clCreateContext
#define HAND_clCreateContextFromType ~, do_clCreateContextFromType
#define HAND_clGetContextInfo ~, do_clGetContextInfo
#define HAND_clSetContextDestructorCallback ~, do_clSetContextDestructorCallback
#define HAND_clGetGLContextInfoKHR ~, do_clGetGLContextInfoKHR
#define HAND_clCreateCommandQueue ~, do_clCreateCommandQueue
#define HAND_clCreateCommandQueueWithProperties \
	~, do_clCreateCommandQueueWithProperties
#define HAND_clGetCommandQueueInfo ~, do_clGetCommandQueueInfo
#define HAND_clSetCommandQueueProperty ~, do_clSetCommandQueueProperty
#define HAND_clFinish ~, do_clFinish
#define HAND_clCreateBuffer ~, do_clCreateBuffer
#define HAND_clCreateBufferWithProperties ~, do_clCreateBufferWithProperties
#define HAND_clCreateSubBuffer ~, do_clCreateSubBuffer
#define HAND_clCreateImage ~, do_clCreateImage
#define HAND_clCreateImageWithProperties ~, do_clCreateImageWithProperties
#define HAND_clCreateImage2D ~, do_clCreateImage2D
#define HAND_clCreateImage3D ~, do_clCreateImage3D
#define HAND_clCreatePipe ~, do_clCreatePipe
#define HAND_clGetPipeInfo ~, do_clGetPipeInfo
#define HAND_clCreateFromGLBuffer ~, do_clCreateFromGLBuffer
#define HAND_clCreateFromGLTexture2D ~, do_clCreateFromGLTexture2D
#define HAND_clCreateFromGLTexture3D ~, do_clCreateFromGLTexture3D
#define HAND_clCreateFromGLTexture ~, do_clCreateFromGLTexture
#define HAND_clCreateFromGLRenderbuffer ~, do_clCreateFromGLRenderbuffer
#define HAND_clCreateFromEGLImageKHR ~, do_clCreateFromEGLImageKHR
#define HAND_clGetGLObjectInfo ~, do_clGetGLObjectInfo
#define HAND_clGetGLTextureInfo ~, do_clGetGLTextureInfo
#define HAND_clGetSupportedImageFormats ~, do_clGetSupportedImageFormats
#define HAND_clGetMemObjectInfo ~, do_clGetMemObjectInfo
#define HAND_clGetImageInfo ~, do_clGetImageInfo
#define HAND_clSetMemObjectDestructorCallback \
	~, do_clSetMemObjectDestructorCallback
#define HAND_clSVMAlloc ~, do_clSVMAlloc
#define HAND_clSVMFree ~, do_clSVMFree
#define HAND_clEnqueueSVMFree ~, do_clEnqueueSVMFree
#define HAND_clEnqueueSVMMemcpy ~, do_clEnqueueSVMMemcpy
#define HAND_clEnqueueSVMMemFill ~, do_clEnqueueSVMMemFill
#define HAND_clEnqueueSVMMap ~, do_clEnqueueSVMMap
#define HAND_clEnqueueSVMUnmap ~, do_clEnqueueSVMUnmap
#define HAND_clHostMemAllocINTEL ~, do_clHostMemAllocINTEL
#define HAND_clDeviceMemAllocINTEL ~, do_clDeviceMemAllocINTEL
#define HAND_clSharedMemAllocINTEL ~, do_clSharedMemAllocINTEL
#define HAND_clMemFreeINTEL ~, do_clMemFreeINTEL
#define HAND_clMemBlockingFreeINTEL ~, do_clMemBlockingFreeINTEL
#define HAND_clGetMemAllocInfoINTEL ~, do_clGetMemAllocInfoINTEL
#define HAND_clEnqueueMemFillINTEL ~, do_clEnqueueMemFillINTEL
#define HAND_clEnqueueMemsetINTEL ~, do_clEnqueueMemsetINTEL
#define HAND_clEnqueueMemcpyINTEL ~, do_clEnqueueMemcpyINTEL
#define HAND_clEnqueueReadBuffer ~, do_clEnqueueReadBuffer
#define HAND_clEnqueueWriteBuffer ~, do_clEnqueueWriteBuffer
#define HAND_clEnqueueCopyBuffer ~, do_clEnqueueCopyBuffer
#define HAND_clEnqueueFillBuffer ~, do_clEnqueueFillBuffer
#define HAND_clEnqueueReadBufferRect ~, do_clEnqueueReadBufferRect
#define HAND_clEnqueueWriteBufferRect ~, do_clEnqueueWriteBufferRect
#define HAND_clEnqueueCopyBufferRect ~, do_clEnqueueCopyBufferRect
#define HAND_clEnqueueReadImage ~, do_clEnqueueReadImage
#define HAND_clEnqueueWriteImage ~, do_clEnqueueWriteImage
#define HAND_clEnqueueCopyImage ~, do_clEnqueueCopyImage
#define HAND_clEnqueueCopyImageToBuffer ~, do_clEnqueueCopyImageToBuffer
#define HAND_clEnqueueCopyBufferToImage ~, do_clEnqueueCopyBufferToImage
#define HAND_clEnqueueFillImage ~, do_clEnqueueFillImage
#define HAND_clEnqueueMapBuffer ~, do_clEnqueueMapBuffer
#define HAND_clEnqueueMapImage ~, do_clEnqueueMapImage
#define HAND_clEnqueueUnmapMemObject ~, do_clEnqueueUnmapMemObject
#define HAND_clCreateSampler ~, do_clCreateSampler
#define HAND_clCreateSamplerWithProperties ~, do_clCreateSamplerWithProperties
#define HAND_clGetSamplerInfo ~, do_clGetSamplerInfo
#define HAND_clCreateProgramWithSource ~, do_clCreateProgramWithSource
#define HAND_clCreateProgramWithIL ~, do_clCreateProgramWithIL
#define HAND_clCreateProgramWithBinary ~, do_clCreateProgramWithBinary
#define HAND_clCreateProgramWithBuiltInKernels \
	~, do_clCreateProgramWithBuiltInKernels
#define HAND_clBuildProgram ~, do_clBuildProgram
#define HAND_clCompileProgram ~, do_clCompileProgram
#define HAND_clLinkProgram ~, do_clLinkProgram
#define HAND_clSetProgramReleaseCallback ~, do_clSetProgramReleaseCallback
#define HAND_clGetProgramInfo ~, do_clGetProgramInfo
#define HAND_clGetProgramBuildInfo ~, do_clGetProgramBuildInfo
#define HAND_clCreateKernel ~, do_clCreateKernel
#define HAND_clCreateKernelsInProgram ~, do_clCreateKernelsInProgram
#define HAND_clCloneKernel ~, do_clCloneKernel
#define HAND_clSetKernelArg ~, do_clSetKernelArg
#define HAND_clSetKernelArgSVMPointer ~, do_clSetKernelArgSVMPointer
#define HAND_clSetKernelArgMemPointerINTEL ~, do_clSetKernelArgMemPointerINTEL
#define HAND_clGetKernelInfo ~, do_clGetKernelInfo
#define HAND_clGetKernelArgInfo ~, do_clGetKernelArgInfo
#define HAND_clGetKernelWorkGroupInfo ~, do_clGetKernelWorkGroupInfo
#define HAND_clGetKernelSubGroupInfo ~, do_clGetKernelSubGroupInfo
#define HAND_clGetKernelSubGroupInfoKHR ~, do_clGetKernelSubGroupInfoKHR
#define HAND_clEnqueueNDRangeKernel ~, do_clEnqueueNDRangeKernel
#define HAND_clEnqueueTask ~, do_clEnqueueTask
#define HAND_clEnqueueNativeKernel ~, do_clEnqueueNativeKernel
#define HAND_clCreateUserEvent ~, do_clCreateUserEvent
#define HAND_clCreateEventFromGLsyncKHR ~, do_clCreateEventFromGLsyncKHR
#define HAND_clCreateEventFromEGLSyncKHR ~, do_clCreateEventFromEGLSyncKHR
#define HAND_clSetUserEventStatus ~, do_clSetUserEventStatus
#define HAND_clWaitForEvents ~, do_clWaitForEvents
#define HAND_clEnqueueWaitForEvents ~, do_clEnqueueWaitForEvents
#define HAND_clGetEventInfo ~, do_clGetEventInfo
#define HAND_clGetEventProfilingInfo ~, do_clGetEventProfilingInfo
#define HAND_clSetEventCallback ~, do_clSetEventCallback
#define HAND_clCreateCommandBufferKHR ~, do_clCreateCommandBufferKHR
#define HAND_clRemapCommandBufferKHR ~, do_clRemapCommandBufferKHR
#define HAND_clFinalizeCommandBufferKHR ~, do_clFinalizeCommandBufferKHR
#define HAND_clEnqueueCommandBufferKHR ~, do_clEnqueueCommandBufferKHR
#define HAND_clCommandBarrierWithWaitListKHR \
	~, do_clCommandBarrierWithWaitListKHR
#define HAND_clCommandCopyBufferKHR ~, do_clCommandCopyBufferKHR
#define HAND_clCommandCopyBufferRectKHR ~, do_clCommandCopyBufferRectKHR
#define HAND_clCommandCopyBufferToImageKHR ~, do_clCommandCopyBufferToImageKHR
#define HAND_clCommandCopyImageKHR ~, do_clCommandCopyImageKHR
#define HAND_clCommandCopyImageToBufferKHR ~, do_clCommandCopyImageToBufferKHR
#define HAND_clCommandFillBufferKHR ~, do_clCommandFillBufferKHR
#define HAND_clCommandFillImageKHR ~, do_clCommandFillImageKHR
#define HAND_clCommandNDRangeKernelKHR ~, do_clCommandNDRangeKernelKHR
#define HAND_clCommandSVMMemcpyKHR ~, do_clCommandSVMMemcpyKHR
#define HAND_clCommandSVMMemFillKHR ~, do_clCommandSVMMemFillKHR
#define HAND_clGetCommandBufferInfoKHR ~, do_clGetCommandBufferInfoKHR
#define HAND_clGetMutableCommandInfoKHR ~, do_clGetMutableCommandInfoKHR
#define HAND_clUpdateMutableCommandsKHR ~, do_clUpdateMutableCommandsKHR
#define HAND_clCreateSemaphoreWithPropertiesKHR \
	~, do_clCreateSemaphoreWithPropertiesKHR
#define HAND_clGetSemaphoreInfoKHR ~, do_clGetSemaphoreInfoKHR
#define HAND_clEnqueueSignalSemaphoresKHR ~, do_clEnqueueSignalSemaphoresKHR
#define HAND_clEnqueueWaitSemaphoresKHR ~, do_clEnqueueWaitSemaphoresKHR
#define HAND_clGetSemaphoreHandleForTypeKHR ~, do_clGetSemaphoreHandleForTypeKHR

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices by number, counted over all platforms.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clw_private.h"

enum { MAX_PLATFORMS = 64, VENDOR_NVIDIA = 0x10de };

/* A device of a platform, from its number on; those before it are counted. */
struct search {
	unsigned int wanted, seen;
	cl_platform_id platform;
	cl_device_id found;
};

static int fail_devices(cl_int code)
{
	return clw_fail_cl(CLW_NO_DEVICE, code, "cannot list the devices "
			   "(clGetDeviceIDs: %s)", clw_cl_name(code));
}

static int search_platform(cl_platform_id platform, struct search *search)
{
	cl_device_id *devices;
	cl_uint count = 0;
	cl_int err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL,
				    &count);

	if (err == CL_DEVICE_NOT_FOUND || (!err && !count))
		return CLW_OK;
	if (err)
		return fail_devices(err);
	devices = calloc(count, sizeof(*devices));
	if (!devices)
		return clw_fail_memory();
	err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices,
			     NULL);
	if (!err && !search->found && search->wanted >= search->seen &&
	    search->wanted - search->seen < count) {
		search->platform = platform;
		search->found = devices[search->wanted - search->seen];
	}
	free(devices);
	if (err)
		return fail_devices(err);
	search->seen += count;
	return CLW_OK;
}

/* by_default: the number is that of CLW_DEVICE_ID. */
static int search_all(bool by_default, struct search *search)
{
	cl_platform_id platforms[MAX_PLATFORMS];
	cl_uint count = 0;
	cl_int err = clGetPlatformIDs(MAX_PLATFORMS, platforms, &count);
	int status = CLW_OK;

	if (err || !count)
		return clw_fail_cl(CLW_NO_DEVICE, err, "there is no OpenCL "
				   "platform (clGetPlatformIDs: %s); is a "
				   "driver installed?", clw_cl_name(err));
	clw_layer_ask(platforms[0]);
	/* The layer shows the program that device alone. */
	if (by_default && clw_layer_is_there())
		search->wanted = 0;
	for (cl_uint i = 0; !status && i < count && i < MAX_PLATFORMS; i++)
		status = search_platform(platforms[i], search);
	return status;
}

static int ask(cl_device_id device, cl_device_info what, size_t size,
	       void *ret_value)
{
	cl_int err = clGetDeviceInfo(device, what, size, ret_value, NULL);

	return err ? clw_fail_cl(CLW_OPENCL_ERROR, err, "the device cannot be "
				 "queried (clGetDeviceInfo: %s)",
				 clw_cl_name(err)) : CLW_OK;
}

static int describe(struct clw_device *device)
{
	cl_ulong total = 0, max_buffer = 0, local = 0;
	cl_device_type type = 0;
	cl_uint vendor = 0;
	size_t max_group = 0;
	int status;

	if ((status = ask(device->id, CL_DEVICE_NAME, sizeof(device->name) - 1,
			  device->name)) ||
	    (status = ask(device->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(total),
			  &total)) ||
	    (status = ask(device->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
			  sizeof(max_buffer), &max_buffer)) ||
	    (status = ask(device->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(local),
			  &local)) ||
	    (status = ask(device->id, CL_DEVICE_MAX_WORK_GROUP_SIZE,
			  sizeof(max_group), &max_group)) ||
	    (status = ask(device->id, CL_DEVICE_TYPE, sizeof(type), &type)) ||
	    (status = ask(device->id, CL_DEVICE_VENDOR_ID, sizeof(vendor),
			  &vendor)))
		return status;
	device->total = total;
	device->max_buffer = max_buffer;
	device->local = local;
	device->max_group = max_group;
	device->is_gpu = type & CL_DEVICE_TYPE_GPU;
	device->is_lazy = vendor == VENDOR_NVIDIA;
	return CLW_OK;
}

int clw_device_find(int number, const struct clw_settings *settings,
		    struct clw_device *ret_device)
{
	struct clw_device device = { .number = 0 };
	struct search search = { .found = NULL };
	bool by_default = number == CLW_DEFAULT_DEVICE;
	int status;

	if (by_default)
		number = settings->device < 0 ? 0 : settings->device;
	if (number < 0)
		return clw_fail(CLW_INVALID_ARGUMENT, "device %d: expected the "
				"number of a device, or CLW_DEFAULT_DEVICE",
				number);
	device.number = number;
	search.wanted = (unsigned int)number;
	status = search_all(by_default, &search);
	if (status)
		return status;
	if (!search.found)
		return clw_fail(CLW_NO_DEVICE, "there is no device %d%s: there "
				"%s %u", number, by_default &&
				settings->device >= 0 ? " (CLW_DEVICE_ID)" : "",
				search.seen == 1 ? "is" : "are", search.seen);
	device.platform = search.platform;
	device.id = search.found;
	status = describe(&device);
	if (!status)
		*ret_device = device;
	return status;
}

int clwDeviceCount(unsigned int *ret_count)
{
	struct search search = { .wanted = UINT32_MAX };
	int status;

	clw_enter(__func__);
	if (!ret_count)
		return clw_fail(CLW_INVALID_ARGUMENT, "ret_count is NULL");
	status = search_all(false, &search);
	if (!status)
		*ret_count = search.seen;
	return status;
}

int clwDeviceInfo(int number, struct clw_device_info *ret_info)
{
	struct clw_settings settings;
	struct clw_device device;
	struct clw_device_info info = { .struct_size = sizeof(info) };
	int status;

	clw_enter(__func__);
	if (!ret_info || ret_info->struct_size < sizeof(info))
		return clw_fail(CLW_INVALID_ARGUMENT, "ret_info is NULL, or "
				"its struct_size is not set");
	status = clw_settings_read(&settings);
	if (!status)
		status = clw_device_find(number, &settings, &device);
	if (status)
		return status;
	snprintf(info.name, sizeof(info.name), "%s", device.name);
	info.memory_bytes = device.total;
	info.max_buffer_bytes = device.max_buffer;
	info.local_bytes = device.local;
	info.max_group_size = device.max_group;
	info.is_gpu = device.is_gpu;
	info.struct_size = ret_info->struct_size;
	*ret_info = info;
	return CLW_OK;
}

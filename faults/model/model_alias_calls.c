/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls that stand in claw_next where devices are shown that there are
 * not: in what goes to the driver a real device takes the place of one of
 * ours, by the parameters' roles, and what comes back says what the program
 * has asked for.
 */
#include "config.h"

#include "model_alias.h"

#include <stdlib.h>
#include <string.h>

#include "faults/shared/api_sig.h"
#include "faults/call/extension.h"
#include "model_private.h"

enum {
	MAX_DEVICES = 64,
	/* Of cl_intel_unified_shared_memory. */
	MEM_ALLOC_DEVICE_INTEL = 0x419D,
};

bool claw_alias_is_begun CLAW_HIDDEN;
struct _cl_icd_dispatch claw_alias_beneath CLAW_HIDDEN;

/* ---- any call with devices */

/* The parameters are the caller's own copies. */
static void translate(enum claw_api api, const void *const *args,
		      struct claw_alias_given *given)
{
	const struct claw_api_info *info = &claw_api_table[api];

	memset(given, 0, sizeof(*given));
	for (unsigned int i = 0; i < info->param_count; i++) {
		void *param = (void *)(uintptr_t)args[i];

		if (info->roles[i] == CLAW_P_DEVICE ||
		    info->roles[i] == CLAW_P_OPTIONAL_DEVICE) {
			cl_device_id *device = param;

			if (!*device)
				continue;
			claw_alias_translate(device, 1, given);
			*device = given->real.devices[0];
		} else if (info->roles[i] == CLAW_P_DEVICES) {
			const cl_device_id **list = param;
			cl_uint *count = (cl_uint *)(uintptr_t)args[i - 1];

			claw_alias_translate(*list, *count, given);
			if (!given->has_alias)
				continue;
			*list = given->real.devices;
			*count = given->real.count;
		}
	}
}

static bool makes(const struct claw_api_info *info)
{
	return info->effect == CLAW_CREATES &&
	       (info->object == CLAW_OBJ_CONTEXT ||
		info->object == CLAW_OBJ_QUEUE ||
		info->object == CLAW_OBJ_PROGRAM);
}

static void end_making(enum claw_api api, const void *const *args,
		       const void *object, const struct claw_alias_given *given)
{
	int context = claw_api_find_param(api, CLAW_P_CONTEXT);

	if (makes(&claw_api_table[api]))
		claw_alias_made(object, context < 0 ? NULL :
				*(void *const *)args[context], given);
}

/* Of the object that a release is about; before it. */
static bool is_last_reference(enum claw_api api, const void *handle)
{
	void *object = (void *)(uintptr_t)handle;
	cl_uint count = 0;
	cl_int err = CL_INVALID_VALUE;

	if (!object || claw_api_table[api].effect != CLAW_RELEASES)
		return false;
	switch (claw_api_table[api].object) {
	case CLAW_OBJ_CONTEXT:
		err = claw_alias_beneath.clGetContextInfo(object,
			CL_CONTEXT_REFERENCE_COUNT, sizeof(count), &count, NULL);
		break;
	case CLAW_OBJ_QUEUE:
		err = claw_alias_beneath.clGetCommandQueueInfo(object,
			CL_QUEUE_REFERENCE_COUNT, sizeof(count), &count, NULL);
		break;
	case CLAW_OBJ_PROGRAM:
		err = claw_alias_beneath.clGetProgramInfo(object,
			CL_PROGRAM_REFERENCE_COUNT, sizeof(count), &count, NULL);
		break;
	case CLAW_OBJ_DEVICE:
		err = claw_alias_beneath.clGetDeviceInfo(
			claw_alias_real(object), CL_DEVICE_REFERENCE_COUNT,
			sizeof(count), &count, NULL);
		break;
	default:
		break;
	}
	return !err && count == 1;
}

#define BEGIN(name_)							\
	const void *const args_[] = { CLAW_ADDRS(name_) };	\
	struct claw_alias_given given_;

#define CALL_STATUS(name_, next_)					\
static CLAW_RET_##name_ CL_API_CALL alias_##name_ CLAW_PARAMS(name_)	\
{									\
	const void *handle_ = (const void *)(uintptr_t)CLAW_KEY_##name_; \
	bool last_ = is_last_reference(CLAW_API_##name_, handle_);	\
	cl_int err_;							\
	BEGIN(name_)							\
	translate(CLAW_API_##name_, args_, &given_);			\
	err_ = next_ CLAW_ARGS(name_);					\
	if (!err_ && last_)						\
		claw_alias_gone(handle_);				\
	return err_;							\
}
#define CALL_HANDLE(name_, next_)					\
static CLAW_RET_##name_ CL_API_CALL alias_##name_ CLAW_PARAMS(name_)	\
{									\
	CLAW_RET_##name_ made_;						\
	BEGIN(name_)							\
	translate(CLAW_API_##name_, args_, &given_);			\
	made_ = next_ CLAW_ARGS(name_);				\
	end_making(CLAW_API_##name_, args_, (const void *)made_, &given_); \
	return made_;							\
}
#define CALL_POINTER CALL_HANDLE
#define CALL_VOID(name_, next_)						\
static CLAW_RET_##name_ CL_API_CALL alias_##name_ CLAW_PARAMS(name_)	\
{									\
	BEGIN(name_)							\
	translate(CLAW_API_##name_, args_, &given_);			\
	next_ CLAW_ARGS(name_);					\
}

#define EXTENSION(name_)						\
	(__extension__ (claw_pfn_##name_)claw_extension_driver(		\
		CLAW_API_##name_, (const void *)(uintptr_t)CLAW_KEY_##name_))

#define API(name_, kind_, ...) \
	CALL_##kind_(name_, claw_alias_beneath.name_)
#define EXT(name_, kind_, ...) CALL_##kind_(name_, EXTENSION(name_))
#include "faults/shared/api.def"
#undef API
#undef EXT

/* ---- what there is */

static cl_int CL_API_CALL device_ids CLAW_PARAMS(clGetDeviceIDs)
{
	cl_device_id all[MAX_DEVICES];
	cl_uint count = 0;
	cl_int err;

	/* An error is the driver's to tell; of the default one there is one. */
	if ((devices && !num_entries) || (!devices && !num_devices) ||
	    device_type == CL_DEVICE_TYPE_DEFAULT)
		return claw_alias_beneath.clGetDeviceIDs
			CLAW_ARGS(clGetDeviceIDs);
	err = claw_alias_beneath.clGetDeviceIDs(platform, device_type,
						MAX_DEVICES, all, &count);
	if (err)
		return err;
	count = claw_alias_append(all, count < MAX_DEVICES ? count :
				  MAX_DEVICES, MAX_DEVICES);
	for (cl_uint i = 0; devices && i < count && i < num_entries; i++)
		devices[i] = all[i];
	if (num_devices)
		*num_devices = count;
	return CL_SUCCESS;
}

#define GIVE(value_, bytes_) \
	claw_alias_give(value_, bytes_, param_value_size, param_value, \
			param_value_size_ret)

static cl_int CL_API_CALL device_info CLAW_PARAMS(clGetDeviceInfo)
{
	cl_device_id parent = claw_alias_parent(device);

	if (parent && param_name == CL_DEVICE_PARENT_DEVICE)
		return GIVE(&parent, sizeof(parent));
	return alias_clGetDeviceInfo CLAW_ARGS(clGetDeviceInfo);
}

static cl_int CL_API_CALL context_info CLAW_PARAMS(clGetContextInfo)
{
	struct claw_alias_list shown;

	if ((param_name == CL_CONTEXT_DEVICES ||
	     param_name == CL_CONTEXT_NUM_DEVICES) &&
	    claw_alias_shown(context, &shown))
		return param_name == CL_CONTEXT_NUM_DEVICES ?
			GIVE(&shown.count, sizeof(shown.count)) :
			GIVE(shown.devices,
			     shown.count * sizeof(*shown.devices));
	return claw_alias_beneath.clGetContextInfo CLAW_ARGS(clGetContextInfo);
}

static cl_int CL_API_CALL queue_info CLAW_PARAMS(clGetCommandQueueInfo)
{
	struct claw_alias_list shown;

	if (param_name == CL_QUEUE_DEVICE &&
	    claw_alias_shown(command_queue, &shown))
		return GIVE(shown.devices, sizeof(*shown.devices));
	return claw_alias_beneath.clGetCommandQueueInfo
		CLAW_ARGS(clGetCommandQueueInfo);
}

/* Allocated for one of ours: its model has the memory. */
static cl_int CL_API_CALL alloc_info CLAW_PARAMS(clGetMemAllocInfoINTEL)
{
	struct claw_ledger_entry entry;
	cl_device_id device, real = NULL;

	if (param_name == MEM_ALLOC_DEVICE_INTEL &&
	    claw_ledger_copy(CLAW_OBJ_SVM, ptr, &entry) &&
	    entry.mem_flags & CLAW_MODEL_KNOWN &&
	    !EXTENSION(clGetMemAllocInfoINTEL)(context, ptr, param_name,
					       sizeof(real), &real, NULL)) {
		device = claw_device_at(claw_model_device_of(entry.mem_flags));
		if (real && claw_alias_real(device) == real)
			return GIVE(&device, sizeof(device));
	}
	return EXTENSION(clGetMemAllocInfoINTEL)
		CLAW_ARGS(clGetMemAllocInfoINTEL);
}

/* ---- parts */

static void make_parts(cl_device_id device, cl_device_id *parts, cl_uint count)
{
	for (cl_uint i = 0; parts && claw_alias_is(device) && i < count; i++)
		parts[i] = claw_alias_part(device, parts[i]);
}

static cl_int CL_API_CALL sub_devices CLAW_PARAMS(clCreateSubDevices)
{
	cl_uint count = 0;
	cl_int err = claw_alias_beneath.clCreateSubDevices(
		claw_alias_real(in_device), properties, num_devices,
		out_devices, &count);

	if (!err)
		make_parts(in_device, out_devices,
			   count < num_devices ? count : num_devices);
	if (!err && num_devices_ret)
		*num_devices_ret = count;
	return err;
}

static cl_int CL_API_CALL sub_devices_ext CLAW_PARAMS(clCreateSubDevicesEXT)
{
	cl_uint count = 0;
	cl_int err = claw_alias_beneath.clCreateSubDevicesEXT(
		claw_alias_real(in_device), properties, num_entries,
		out_devices, &count);

	if (!err)
		make_parts(in_device, out_devices,
			   count < num_entries ? count : num_entries);
	if (!err && num_devices)
		*num_devices = count;
	return err;
}

/* ---- beginning */

/* The columns and roles as constants: what is of no concern is not there. */
#define NOTHING		0
#define OBJECT(obj_)	(CLAW_OBJ_##obj_ == CLAW_OBJ_CONTEXT || \
			 CLAW_OBJ_##obj_ == CLAW_OBJ_QUEUE || \
			 CLAW_OBJ_##obj_ == CLAW_OBJ_PROGRAM)
#define CREATES(obj_)	OBJECT(obj_)
#define RETAINS(obj_)	0
#define RELEASES(obj_)	OBJECT(obj_)
#define DEVICE_P(role_, name_, ...) \
	|| CLAW_P_##role_ == CLAW_P_DEVICE || \
	CLAW_P_##role_ == CLAW_P_OPTIONAL_DEVICE || \
	CLAW_P_##role_ == CLAW_P_DEVICES
#define CONCERNS(name_, effect_)	((effect_) CLAW_SIG(name_, DEVICE_P))

/* What stands before an extension function of a driver's, or NULL. */
static void *find_extension(enum claw_api api)
{
	if (api == CLAW_API_clGetMemAllocInfoINTEL)
		return __extension__ (void *)alloc_info;
#define API(...)
#define EXT(name_, kind_, body_, effect_, ...)				\
	if (CONCERNS(name_, effect_) && api == CLAW_API_##name_)	\
		return __extension__ (void *)alias_##name_;
#include "faults/shared/api.def"
#undef API
#undef EXT
	return NULL;
}

static void hook_all(void)
{
#define API(name_, kind_, body_, effect_, ...)				\
	if (CONCERNS(name_, effect_) && claw_next.name_)		\
		claw_next.name_ = alias_##name_;
#define EXT(...)
#include "faults/shared/api.def"
#undef API
#undef EXT
}

void claw_alias_begin(void)
{
	if (claw_models_known < 2)
		return;
	claw_alias_beneath = claw_next;
	hook_all();
	claw_next.clGetDeviceIDs = device_ids;
	claw_next.clGetDeviceInfo = device_info;
	claw_next.clGetContextInfo = context_info;
	claw_next.clGetCommandQueueInfo = queue_info;
	claw_next.clGetProgramInfo = claw_alias_program_info;
	claw_next.clCreateProgramWithBinary = claw_alias_program_of_binaries;
	if (claw_next.clCreateSubDevices)
		claw_next.clCreateSubDevices = sub_devices;
	if (claw_next.clCreateSubDevicesEXT)
		claw_next.clCreateSubDevicesEXT = sub_devices_ext;
	claw_alias_is_begun = true;
	claw_extension_alias = find_extension;
}

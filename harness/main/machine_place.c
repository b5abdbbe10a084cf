/* SPDX-License-Identifier: Apache-2.0 */
/* Look at files of /proc, /sys and /dev, and at what OpenCL said. */
#include "config.h"

#include "machine_place.h"

#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/shared/cl_types.h"
#include "harness/files/small_file.h"
#include "harness/base/text.h"

enum { PATH_BYTES = 1024, VERSION_BYTES = 64 };

struct look {
	struct claw_place *place;
	const char *root;
	const struct claw_machine *machine;
	const struct claw_icd *icds;
	size_t icd_count;
	bool is_container, is_wsl;
};

/* A vendor's driver, and what it needs of the machine. */
static const struct vendor {
	const char *name;		/* a part of the platform's vendor */
	const char *libraries[3];	/* a part of the ICD's library or file */
	const char *module;
	const char *nodes[2];		/* globs; one of each must be there */
	const char *with_device;	/* how a container gets it */
	const char *group_todo;
} vendors[] = {
	{ "NVIDIA", { "nvidia" }, "nvidia",
	  { "/dev/nvidiactl", "/dev/nvidia[0-9]*" },
	  "start the container with --gpus all (docker), --device "
	  "nvidia.com/gpu=all (podman) or a limit of nvidia.com/gpu "
	  "(Kubernetes)",
	  "let this user open /dev/nvidia* (often group video)" },
	{ "Advanced Micro Devices", { "amdocl" }, "amdgpu",
	  { "/dev/kfd", "/dev/dri/renderD*" },
	  "start the container with --device /dev/kfd --device /dev/dri "
	  "--group-add video --group-add render",
	  "usermod -aG render,video USER, then log in again" },
	{ "Intel", { "igdrcl", "intel-opencl" }, "i915 or xe",
	  { "/dev/dri/renderD*" },
	  "start the container with --device /dev/dri",
	  "usermod -aG render USER, then log in again" },
};

static void remark(struct look *look, enum claw_place_state state,
		   const char *what, const char *todo, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

static void remark(struct look *look, enum claw_place_state state,
		   const char *what, const char *todo, const char *format, ...)
{
	struct claw_place *place = look->place;
	struct claw_place_remark *one;
	va_list args;

	if (place->count == sizeof(place->remarks) / sizeof(*place->remarks))
		return;
	one = &place->remarks[place->count++];
	one->state = state;
	one->what = what;
	snprintf(one->todo, sizeof(one->todo), "%s", todo ? todo : "");
	va_start(args, format);
	vsnprintf(one->text, sizeof(one->text), format, args);
	va_end(args);
}

static bool exists(const struct look *look, const char *name)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s%s", look->root, name);
	return access(path, F_OK) == 0;
}

/* Is a file there that the pattern matches, and may we (mode) use it? */
static bool has_node(const struct look *look, const char *pattern, int mode)
{
	char path[PATH_BYTES];
	bool is_there = false;
	glob_t found;

	snprintf(path, sizeof(path), "%s%s", look->root, pattern);
	if (glob(path, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			is_there |= access(found.gl_pathv[i], mode) == 0;
	globfree(&found);
	return is_there;
}

/* ---- the machine */

static void look_for_wsl(struct look *look)
{
	char version[512];

	if (!claw_small_file_read(version, sizeof(version), "%s/proc/version",
				  look->root) ||
	    !strcasestr(version, "microsoft"))
		return;
	look->is_wsl = true;
	remark(look, CLAW_PLACE_NOTE, "WSL2", "double --timeout and "
	       "--gpu-timeout if they are near the limit",
	       "WSL2: the GPU is reached through the Windows driver, and "
	       "calls may take twice as long");
}

/* Many container runtimes leave a file; all put the root on an overlay. */
static bool is_container(const struct look *look)
{
	static const char *const names[] = {
		"docker", "kubepods", "containerd", "libpod", "lxc",
	};
	char text[8192];

	if (exists(look, "/.dockerenv") || exists(look, "/run/.containerenv"))
		return true;
	claw_small_file_read(text, sizeof(text), "%s/proc/1/cgroup",
			     look->root);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strstr(text, names[i]))
			return true;
	claw_small_file_read(text, sizeof(text), "%s/proc/mounts", look->root);
	return strncmp(text, "overlay / ", 10) == 0;
}

/* ---- drivers */

static const struct claw_icd *find_icd(const struct look *look,
				       const struct vendor *vendor)
{
	for (size_t i = 0; i < look->icd_count; i++) {
		const struct claw_icd *icd = &look->icds[i];

		for (size_t j = 0; j < 3 && vendor->libraries[j]; j++)
			if ((icd->library &&
			     strcasestr(icd->library, vendor->libraries[j])) ||
			    strcasestr(claw_base_name(icd->file),
				       vendor->libraries[j]))
				return icd;
	}
	return NULL;
}

/* The version that OpenCL says of the vendor's first device. */
static const char *find_opencl_version(const struct look *look,
				       const struct vendor *vendor)
{
	json_t *platform;
	size_t i;

	if (!look->machine)
		return NULL;
	json_array_foreach(look->machine->platforms, i, platform) {
		const json_t *device = json_array_get(
			json_object_get(platform, "devices"), 0);

		if (device && strcasestr(claw_machine_text(platform, "vendor"),
					 vendor->name))
			return json_string_value(
				json_object_get(device, "driver_version"));
	}
	return NULL;
}

/* "libnvidia-opencl.so.580.159.04", which libnvidia-opencl.so.1 is a link to:
 * a driver that does not work says no version. */
static bool find_library_version(const struct look *look, char *version)
{
	static const char *const folders[] = {
		"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
		"/usr/lib64", "/usr/lib", "/usr/local/nvidia/lib64",
	};

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		char path[PATH_BYTES], target[PATH_BYTES];
		ssize_t length;
		const char *end;

		snprintf(path, sizeof(path), "%s%s/libnvidia-opencl.so.1",
			 look->root, folders[i]);
		length = readlink(path, target, sizeof(target) - 1);
		if (length < 0)
			continue;
		target[length] = '\0';
		end = strstr(target, ".so.");
		if (!end || !strchr(end + 4, '.'))
			continue;
		snprintf(version, VERSION_BYTES, "%.*s", VERSION_BYTES - 1,
			 end + 4);
		return true;
	}
	return false;
}

/* The number behind "Kernel Module" in "NVRM version: NVIDIA UNIX x86_64
 * Kernel Module  580.159.04  Tue ...", where others have "for x86_64", too. */
static bool read_nvidia_module(const struct look *look, char *version)
{
	char text[2048];
	const char *at;

	if (claw_small_file_read(version, VERSION_BYTES,
				 "%s/sys/module/nvidia/version", look->root) &&
	    *version)
		return true;
	claw_small_file_read(text, sizeof(text),
			     "%s/proc/driver/nvidia/version", look->root);
	at = strstr(text, "Kernel Module");
	for (at = at ? strchr(at, ' ') : NULL; at; at = strchr(at, ' ')) {
		size_t length = strspn(++at, "0123456789.");

		if (!length || length >= VERSION_BYTES ||
		    !memchr(at, '.', length) ||
		    (at[length] && !strchr(" \n", at[length])))
			continue;
		snprintf(version, VERSION_BYTES, "%.*s", (int)length, at);
		return true;
	}
	return false;
}

static void compare_nvidia(struct look *look, const struct vendor *vendor,
			   const struct claw_icd *icd)
{
	char module[VERSION_BYTES], library[VERSION_BYTES];
	const char *opencl = find_opencl_version(look, vendor);

	if (!read_nvidia_module(look, module))
		return;
	if (opencl)
		snprintf(library, sizeof(library), "%s", opencl);
	else if (!find_library_version(look, library))
		*library = '\0';
	if (!*library)
		remark(look, CLAW_PLACE_NOTE, "driver", icd ? NULL :
		       "apt install nvidia-opencl-icd of the same version",
		       "NVIDIA's kernel module is %s; %s", module, icd ?
		       "the version of its OpenCL library is unknown" :
		       "its OpenCL driver is not installed");
	else if (strcmp(module, library) == 0)
		remark(look, CLAW_PLACE_OK, "driver", NULL,
		       "NVIDIA %s, same version of kernel module and OpenCL "
		       "library",
		       module);
	else
		remark(look, CLAW_PLACE_BAD, "driver", look->is_container ?
		       "use the host's libraries in the container "
		       "(nvidia-container-toolkit) instead of its own" :
		       "reboot after a driver's update, or load its module: "
		       "modprobe -r nvidia_uvm nvidia && modprobe nvidia",
		       "NVIDIA's kernel module is %s but its OpenCL library "
		       "is %s: incompatible", module, library);
}

/* They have no version in common: both are told. */
static void show_amdgpu(struct look *look, const struct vendor *vendor)
{
	const char *opencl = find_opencl_version(look, vendor);
	char module[VERSION_BYTES];

	if (!exists(look, "/sys/module/amdgpu"))
		return;
	if (!claw_small_file_read(module, sizeof(module),
				  "%s/sys/module/amdgpu/version", look->root) ||
	    !*module)
		snprintf(module, sizeof(module), "the kernel's own");
	if (opencl)
		remark(look, CLAW_PLACE_OK, "driver", NULL,
		       "amdgpu: kernel module %s, OpenCL driver %s", module,
		       opencl);
}

static void look_at_nodes(struct look *look, const struct vendor *vendor,
			  const struct claw_icd *icd)
{
	char todo[128];

	for (size_t i = 0; i < 2 && vendor->nodes[i]; i++) {
		const char *node = vendor->nodes[i];

		if (has_node(look, node, R_OK | W_OK))
			continue;
		if (has_node(look, node, F_OK)) {
			remark(look, CLAW_PLACE_NOTE, "device",
			       vendor->group_todo, "this user may not open %s "
			       "of %s", node, icd->file);
		} else if (look->is_container) {
			remark(look, CLAW_PLACE_NOTE, "container",
			       vendor->with_device, "%s is present, but not "
			       "the device: no %s", icd->file, node);
		} else {
			snprintf(todo, sizeof(todo), "load the kernel module "
				 "%s (modprobe)", vendor->module);
			remark(look, CLAW_PLACE_NOTE, "device", todo,
			       "%s is present, but no %s", icd->file,
			       node);
		}
		return;
	}
}

/* ---- devices */

static bool is_discrete(const json_t *device)
{
	json_int_t type = json_integer_value(json_object_get(device, "type"));

	return type & CL_DEVICE_TYPE_GPU &&
		!json_is_true(json_object_get(device, "integrated_memory")) &&
		json_is_false(json_object_get(device, "host_unified_memory"));
}

static const json_t *find_discrete(const struct look *look)
{
	json_t *device;

	for (size_t i = 0; (device = claw_machine_find_device(look->machine,
							      i)); i++)
		if (is_discrete(device))
			return device;
	return NULL;
}

static void look_at_choice(struct look *look, const char *device_id)
{
	const json_t *chosen, *better = find_discrete(look);
	char todo[64], *end;
	unsigned long number;
	json_int_t type;

	number = strtoul(device_id, &end, 10);
	if (*end || *device_id < '0' || *device_id > '9')
		return;
	chosen = claw_machine_find_device(look->machine, number);
	if (!chosen || !better || is_discrete(chosen))
		return;
	type = json_integer_value(json_object_get(chosen, "type"));
	if (!(type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU)))
		return;
	snprintf(todo, sizeof(todo), "CLW_DEVICE_ID=%d", (int)
		 json_integer_value(json_object_get(better, "number")));
	remark(look, CLAW_PLACE_NOTE, "device", todo, "CLW_DEVICE_ID=%s is %s "
	       "(%s), although there is a discrete GPU: %s", device_id,
	       type & CL_DEVICE_TYPE_CPU ? "a CPU" : "an integrated GPU",
	       claw_machine_text(chosen, "name"),
	       claw_machine_text(better, "name"));
}

/* Build chroots and some containers have none. */
static void look_for_sysfs(struct look *look)
{
	if (look->machine && look->machine->cannot_run &&
	    !exists(look, "/sys/devices"))
		remark(look, CLAW_PLACE_BAD, "sysfs",
		       "mount -t sysfs sysfs /sys, or start the container with "
		       "its /sys",
		       "/sys is empty: drivers that look there for memory and "
		       "processors, such as pocl, cannot run");
}

void claw_place_look(struct claw_place *ret_place, const char *root,
		     const struct claw_machine *machine,
		     const struct claw_icd *icds, size_t icd_count,
		     const char *device_id)
{
	struct look look = {
		.place = ret_place, .root = root, .machine = machine,
		.icds = icds, .icd_count = icd_count,
	};

	ret_place->count = 0;
	look.is_container = is_container(&look);
	look_for_wsl(&look);
	look_for_sysfs(&look);
	for (size_t i = 0; i < sizeof(vendors) / sizeof(*vendors); i++) {
		const struct claw_icd *icd = find_icd(&look, &vendors[i]);

		if (icd && !(look.is_wsl && exists(&look, "/dev/dxg")))
			look_at_nodes(&look, &vendors[i], icd);
		if (strcmp(vendors[i].module, "nvidia") == 0)
			compare_nvidia(&look, &vendors[i], icd);
		else if (strcmp(vendors[i].module, "amdgpu") == 0)
			show_amdgpu(&look, &vendors[i]);
	}
	if (device_id && *device_id && machine)
		look_at_choice(&look, device_id);
}

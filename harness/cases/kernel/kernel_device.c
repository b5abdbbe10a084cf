/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device that a kernel's test runs on, and whether it has what the file
 * asks for: a platform and device by name, extensions, images, work-groups of
 * that size. What it lacks is a skip that says so.
 */
#include "config.h"

#include "kernel.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

static bool check_regex(struct claw_kernel_run *run, const char *what,
			const char *pattern, const char *name)
{
	regex_t regex;
	char error[128];
	int ret;

	if (!pattern)
		return true;
	ret = regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB);
	if (ret != 0) {
		regerror(ret, &regex, error, sizeof(error));
		return claw_kernel_refuse(run, 0, "%s_regex: expected a "
					  "POSIX regular expression, found "
					  "\"%s\" (%s)", what, pattern, error);
	}
	ret = regexec(&regex, name, 0, NULL, 0);
	regfree(&regex);
	if (ret == 0)
		return true;
	return claw_kernel_skip(run, "needs a %s like \"%s\"; this one is "
				"\"%s\"", what, pattern, name);
}

static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += length)
		if ((at == words || at[-1] == ' ') &&
		    (at[length] == '\0' || at[length] == ' '))
			return true;
	return false;
}

/* list: CL_PLATFORM_EXTENSIONS or CL_DEVICE_EXTENSIONS, malloced, or NULL. */
static bool check_extensions(struct claw_kernel_run *run, const char *what,
			     char *const *wanted, char *list)
{
	bool held = true;

	for (; wanted && *wanted && held; wanted++)
		if (!list || !has_word(list, *wanted))
			held = claw_kernel_skip(run, "the %s has no %s", what,
						*wanted);
	free(list);
	return held;
}

static char *platform_extensions(cl_platform_id platform)
{
	size_t size = 0;
	char *list = NULL;

	if (clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, 0, NULL,
			      &size) == CL_SUCCESS)
		list = claw_calloc(1, size + 1);
	if (list)
		clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, size, list,
				  NULL);
	return list;
}

static char *device_extensions(cl_device_id device)
{
	size_t size = 0;
	char *list = NULL;

	if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) ==
	    CL_SUCCESS)
		list = claw_calloc(1, size + 1);
	if (list)
		clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, list,
				NULL);
	return list;
}

static bool check_names(struct claw_kernel_run *run)
{
	const struct claw_clw *clw = run->clw;
	char name[512] = "";

	clGetPlatformInfo(run->platform, CL_PLATFORM_NAME, sizeof(name) - 1,
			  name, NULL);
	if (!check_regex(run, "platform", clw->platform_regex, name))
		return false;
	claw_device_text(run->device, CL_DEVICE_NAME, name, sizeof(name));
	if (!check_regex(run, "device", clw->device_regex, name))
		return false;
	if (clw->platform_extensions &&
	    !check_extensions(run, "platform", clw->platform_extensions,
			      platform_extensions(run->platform)))
		return false;
	return !clw->device_extensions ||
	       check_extensions(run, "device", clw->device_extensions,
				device_extensions(run->device));
}

static bool check_images(struct claw_kernel_run *run)
{
	const struct claw_clw_test *test = run->test;
	cl_bool has_images = CL_FALSE;
	bool wanted = false;

	for (size_t i = 0; i < test->in_count; i++)
		wanted |= test->in[i].kind == CLAW_CLW_IMAGE ||
			  test->in[i].kind == CLAW_CLW_SAMPLER;
	for (size_t i = 0; i < test->out_count; i++)
		wanted |= test->out[i].kind == CLAW_CLW_IMAGE;
	if (!wanted)
		return true;
	clGetDeviceInfo(run->device, CL_DEVICE_IMAGE_SUPPORT,
			sizeof(has_images), &has_images, NULL);
	return has_images || claw_kernel_skip(run, "the device has no images");
}

static bool check_local_size(struct claw_kernel_run *run)
{
	const struct claw_clw_test *test = run->test;
	size_t item[16] = { 0 }, group = 0, product = 1;

	if (!test->has_local)
		return true;
	if (clGetDeviceInfo(run->device, CL_DEVICE_MAX_WORK_ITEM_SIZES,
			    sizeof(item), item, NULL) != CL_SUCCESS ||
	    clGetDeviceInfo(run->device, CL_DEVICE_MAX_WORK_GROUP_SIZE,
			    sizeof(group), &group, NULL) != CL_SUCCESS)
		return true;	/* the launch will say it */
	for (unsigned int i = 0; i < test->dimensions; i++) {
		if (test->local[i] > item[i])
			return claw_kernel_skip(run, "local_size %zu in "
				"dimension %u is more than this device's %zu",
				test->local[i], i, item[i]);
		product *= test->local[i];
	}
	if (product > group)
		return claw_kernel_skip(run, "a work-group of %zu work-items "
					"is more than this device's %zu",
					product, group);
	return true;
}

/* Some drivers refuse too much local memory at the launch, others assert: only
 * a test that expects a fault goes that far. */
static bool check_local_memory(struct claw_kernel_run *run)
{
	const struct claw_clw_test *test = run->test;
	cl_ulong room = 0;
	size_t wanted = 0;

	for (size_t i = 0; i < test->in_count; i++)
		if (test->in[i].kind == CLAW_CLW_LOCAL)
			wanted += test->in[i].size_bytes;
	if (wanted == 0 || test->expect_fault || test->expected_count > 0 ||
	    clGetDeviceInfo(run->device, CL_DEVICE_LOCAL_MEM_SIZE,
			    sizeof(room), &room, NULL) != CL_SUCCESS ||
	    wanted <= room)
		return true;
	return claw_kernel_skip(run, "%zu bytes of local memory are more than "
				"this device's %llu", wanted,
				(unsigned long long)room);
}

static bool open_queue(struct claw_kernel_run *run)
{
	cl_command_queue_properties properties = run->options.metrics ?
		CL_QUEUE_PROFILING_ENABLE : 0;
	cl_int err = CL_SUCCESS;

	run->context = clCreateContext(NULL, 1, &run->device, NULL, NULL,
				       &err);
	if (!run->context)
		return claw_kernel_fail_call(run, "clCreateContext", NULL,
					     err);
	run->queue = clCreateCommandQueue(run->context, run->device,
					  properties, &err);
	if (!run->queue)
		return claw_kernel_fail_call(run, "clCreateCommandQueue", NULL,
					     err);
	return true;
}

bool claw_kernel_open(struct claw_kernel_run *run)
{
	const char *why = claw_device_find(&run->platform, &run->device);

	if (why)
		return claw_kernel_skip(run, "%s", why);
	claw_kernel_at(run, NULL);
	claw_device_say(run->platform, run->device);
	return check_names(run) && check_images(run) &&
	       check_local_size(run) && check_local_memory(run) &&
	       open_queue(run);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A test that is a program beneath the loader and the real layer, which looks
 * for lifetime errors there: on the stub driver, and on every real one that is
 * here. Nothing but the guest's own file of findings is believed.
 */
#ifndef LIFE_PROGRAM_H
#define LIFE_PROGRAM_H

#include <check.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "harness/readers/found_reader.h"
#include "suites/self/driver/stub_api.h"

enum { TIMEOUT_S = 120, HELD_MAX = 4096, BYTES = 4096,
	SMALL = 64 };

/* Where the drivers are: directories or files for OCL_ICD_VENDORS. */
static char vendors[3][PATH_MAX];
static int driver_count;
static char scratch[] = "/tmp/check-life.XXXXXX";
static char layer[PATH_MAX];

static char session[PATH_MAX];
static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static struct claw_found_file found;
static clStubCallsOPENCLAW_fn stub_calls;
static clStubArgOPENCLAW_fn stub_arg;

/* ---- a program */

static void write_file(const char *name, const char *text)
{
	char path[PATH_MAX + 32];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", session, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void find_device(void)
{
	cl_uint count = 0;

	ck_assert_int_eq(clGetPlatformIDs(1, &platform, &count), CL_SUCCESS);
	ck_assert_int_eq(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
					&device, NULL), CL_SUCCESS);
}

/* In the process of the test: the first call of OpenCL is ours. */
static void begin(int driver, const char *config)
{
	cl_int err;

	snprintf(session, sizeof(session), "%s/session.%ld", scratch,
		 (long)getpid());
	ck_assert_int_eq(mkdir(session, 0700), 0);
	write_file("rules", "");
	write_file("config", config);
	setenv("OPENCLAW_SESSION", session, 1);
	setenv("OPENCL_LAYERS", layer, 1);
	setenv("OCL_ICD_VENDORS", vendors[driver], 1);
	find_device();
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	ck_assert_int_eq(err, CL_SUCCESS);
	queue = clCreateCommandQueue(context, device, 0, &err);
	ck_assert_int_eq(err, CL_SUCCESS);
	stub_calls = __extension__ (clStubCallsOPENCLAW_fn)
		clGetExtensionFunctionAddressForPlatform(platform,
			"clStubCallsOPENCLAW");
	stub_arg = __extension__ (clStubArgOPENCLAW_fn)
		clGetExtensionFunctionAddressForPlatform(platform,
			"clStubArgOPENCLAW");
}

#define LOOK "version=1\nseed=1\nrecord=none\nledger=sites\nlifetime=1\n"

static void look_in(pid_t pid)
{
	char path[PATH_MAX + 32];

	claw_found_file_release(&found);
	snprintf(path, sizeof(path), "%s/found.%ld.0", session, (long)pid);
	ck_assert_int_eq(claw_found_file_read(path, &found), 0);
	ck_assert_uint_eq(found.damaged, 0);
	ck_assert_uint_eq(found.lost, 0);
}

static void look(void)
{
	look_in(getpid());
}

static inline void ck_assert_found(enum claw_found_kind kind, uint64_t times)
{
	uint64_t seen = 0;

	look();
	for (size_t i = 0; i < found.count; i++)
		if (found.entries[i].kind == kind)
			seen += found.entries[i].times;
	ck_assert_msg(seen == times, "%s: got %llu, expected %llu",
		      claw_found_kind_name(kind), (unsigned long long)seen,
		      (unsigned long long)times);
}

static void ck_assert_nothing_found(void)
{
	look();
	ck_assert_msg(found.count == 0, "got %zu findings, the first %s",
		      found.count, found.count ? claw_found_kind_name(
			(enum claw_found_kind)found.entries[0].kind) : "");
}

static cl_mem make(size_t bytes)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL,
				    &err);

	ck_assert_int_eq(err, CL_SUCCESS);
	return mem;
}

static void drop(cl_mem mem)
{
	ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
}

/* ---- the test's own process */

static void clear_session(const char *path)
{
	struct dirent **list;
	int count = scandir(path, &list, NULL, NULL);

	for (int i = 0; i < count; i++) {
		char file[PATH_MAX + 256];

		snprintf(file, sizeof(file), "%s/%s", path, list[i]->d_name);
		unlink(file);
		rmdir(file);
		free(list[i]);
	}
	if (count >= 0)
		free(list);
	rmdir(path);
}

/* Sessions, and the files of drivers. */
static void clear(void)
{
	struct dirent **list;
	int count = scandir(scratch, &list, NULL, NULL);

	for (int i = 0; i < count; i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%.100s/%.100s", scratch,
			 list[i]->d_name);
		if (!strncmp(list[i]->d_name, "session.", 8))
			clear_session(path);
		else
			unlink(path);
		free(list[i]);
	}
	if (count >= 0)
		free(list);
	rmdir(scratch);
}

static void add_driver(const char *library, const char *name)
{
	char *path = vendors[driver_count];
	FILE *icd;

	snprintf(path, PATH_MAX, "%s/%s.icd", scratch, name);
	icd = fopen(path, "w");
	if (!icd)
		return;
	fprintf(icd, "%s\n", library);
	if (fclose(icd) == 0)
		driver_count++;
}

/* The stub first; pocl and oclgrind, if they are here. */
static bool find_drivers(void)
{
	const char *openclaw = getenv("OPENCLAW");
	const char *slash = openclaw ? strrchr(openclaw, '/') : NULL;
	int length = slash ? (int)(slash - openclaw) : 1;
	const char *oclgrind = getenv("OPENCLAW_OCLGRIND_ICD");
	char path[PATH_MAX], real[PATH_MAX];

	if (!oclgrind)
		oclgrind = "/usr/lib/oclgrind/liboclgrind-rt-icd.so";
	snprintf(path, sizeof(path), "%.*s/libopenclaw-layer.so", length,
		 slash ? openclaw : ".");
	if (!realpath(path, layer) || !mkdtemp(scratch))
		return false;
	snprintf(path, sizeof(path), "%.*s/suites/self/driver/stub_icd.so", length,
		 slash ? openclaw : ".");
	if (!realpath(path, real))
		return false;
	add_driver(real, "stub");
	if (access("/etc/OpenCL/vendors/pocl.icd", R_OK) == 0)
		snprintf(vendors[driver_count++], PATH_MAX, "%s",
			 "/etc/OpenCL/vendors/pocl.icd");
	if (access(oclgrind, R_OK) == 0)
		add_driver(oclgrind, "oclgrind");
	return true;
}

/* The status of the test program. */
static int run(Suite *(*make_suite)(void))
{
	SRunner *runner;
	int failed;

	if (!find_drivers()) {
		fprintf(stderr, "no layer or no stub driver beside $OPENCLAW, "
			"or no scratch directory\n");
		return 99;
	}
	runner = srunner_create(make_suite());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	clear();
	return failed ? 1 : 0;
}

#endif

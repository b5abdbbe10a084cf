/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every libcheck suite program shares: its main(), the device it runs
 * on, kernels by name, and known deviations of drivers.
 *
 * One case is one process (check_kernel_memory --case test_alignment): CK_FORK
 * is off, each test of the case runs in order in this process, and each opens
 * its OpenCL objects in a checked fixture.
 *
 * Exit status of the program: 0 every test of the case held, 1 one did not,
 * 64 unknown case or option, 77 no OpenCL device (says why), 99 the program
 * itself could not go on. OPENCLAW_CASE_RESULT names a file that gets the
 * same, for the host (doc/records.md, "Case results").
 */
#ifndef CLAW_SUITE_MAIN_H
#define CLAW_SUITE_MAIN_H

#include <check.h>
#include <stdbool.h>

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS	/* clCreateCommandQueue */
#include <CL/cl.h>

/* The device under test: set before a test runs, released after it. */
struct claw_suite_device {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	unsigned int version;	/* of the device: 120, 210, 300 ... */
};
extern struct claw_suite_device claw_dev;

/* One test, and the case that it is a part of. */
struct claw_suite_test {
	const char *in_case;
	const TTest *test;
};

/*
 * A driver that is known to break the specification in one test. The test
 * runs all the same and prints what it saw; its failure is reported as XFAIL
 * with the reason, and its success as XPASS, which fails the case: then the
 * row has to go. Beneath a device model the driver is the real one; of what
 * the model shows, a test may fail as that driver does, or hold.
 *
 * Where the driver takes the process down (ends_process), the test runs in a
 * process of its own, so that the case's other tests still run. Such a crash
 * may depend on timing: a run that holds is XFAIL too, and says so.
 */
#define CLAW_DRIVER_OCLGRIND "OpenCL*(Oclgrind 21.10)*"
#define CLAW_DRIVER_NVIDIA "OpenCL 3.0 CUDA*, driver 580.*"
#define CLAW_DRIVER_POCL_6 "OpenCL 3.0 PoCL*, driver 6.0*"
#define CLAW_DRIVER_RUSTICL_22 "OpenCL 3.0 , driver 22.3.*"
#define CLAW_DRIVER_RUSTICL_25 "OpenCL 3.0 , driver 25.0.*"

struct claw_suite_deviation {
	const char *test;	/* name of the test function */
	const char *driver;	/* glob on "CL_DEVICE_VERSION, driver CL_DRIVER_VERSION" */
	const char *reason;
	bool ends_process;
};

struct claw_suite {
	const char *name;
	const char *const *cases;	/* in order, NULL-terminated */
	const struct claw_suite_deviation *deviations;	/* .test NULL ends it */
	/* Adds each test with claw_suite_add(). */
	void (*add_tests)(void);
};

/* test: the name given to START_TEST. */
void claw_suite_add(const char *in_case, const TTest *test);

int claw_suite_main(const struct claw_suite *suite, int argc, char **argv);

/*
 * Build kernels/FILE (found through OPENCLAW_KERNELS, then beside the build
 * tree's program, then where it is installed) for the device and return a
 * kernel of it. Fails the running test when that cannot be done; the caller
 * releases the kernel. Programs are built once a test and released after it.
 */
cl_kernel claw_suite_kernel(const char *file, const char *name);

/* "CL_INVALID_VALUE (-30)": a buffer that lives until the eighth next call. */
const char *claw_suite_code(cl_int code);

/* The running test fails unless call, which is text, gave this code. */
#define claw_expect_code(call_, got_, expected_)			\
	ck_assert_msg((got_) == (expected_), "%s returned %s, expected %s",\
		      call_, claw_suite_code(got_), claw_suite_code(expected_))

#endif

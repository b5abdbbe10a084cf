/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a dump is taken for: how the process ended, why, and under which
 * signature. The dumps are made by hand; real ones are in crash.test.
 */
#include "config.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shared/plan.h"
#include "harness/crash/facts/crash.h"
#include "harness/crash/analyze/crash_deep.h"
#include "harness/crash/facts/crash_kernel.h"
#include "harness/crash/analyze/crash_report.h"
#include "harness/crash/dump/dump_log.h"
#include "harness/machine/xid.h"
#include "suites/self/lib/trace_maker.h"
#include "suites/self/lib/run_suite.h"

static struct made_trace made;
static struct claw_crash crash;
static claw_object_id context, queue, kernel, in, out;

static const char source[] =
	"/* __kernel void blur(int none) */\n"
	"__kernel void blur(__global float *in,\n"
	"                   __global float4 *out, int n)\n"
	"{ out[get_global_id(0)] = in[0]; }\n";

/* A context, a queue, a kernel and two buffers of 4 KiB and 16 KiB. */
static void begin(const char *trigger, int end)
{
	made_init(&made, trigger, end);
	context = made_create(&made, CLAW_API_clCreateContext, 0);
	queue = made_create(&made, CLAW_API_clCreateCommandQueue, 0);
	kernel = made_kernel(&made, source, "blur");
	in = made_create(&made, CLAW_API_clCreateBuffer, 4096);
	out = made_create(&made, CLAW_API_clCreateBuffer, 16384);
}

static void teardown(void)
{
	claw_crash_release(&crash);
	made_release(&made);
}

/* A launch that all is right with. */
static struct claw_trace_call *launch(size_t global)
{
	struct claw_trace_call *call = made_launch(&made, queue, kernel,
						   global, 0);

	made_kernel_arg(call, in);
	made_kernel_arg(call, out);
	made_kernel_arg(call, 0);
	call->kernel_args[2].is_null = false;
	call->kernel_args[2].size = 4;
	return call;
}

static struct claw_trace_call *finish(int32_t result)
{
	struct claw_trace_call *call = made_call(&made, CLAW_API_clFinish,
						 result);

	made_use(call, "command_queue", queue);
	return call;
}

static void is_in(struct claw_trace_call *call)
{
	call->returned = false;
}

static void find(enum claw_crash_class kind, const char *code,
		 const char *signature)
{
	claw_crash_find(&made.dump, &crash);
	ck_assert_str_eq(claw_crash_kind_name(crash.kind),
			 claw_crash_kind_name(kind));
	ck_assert_str_eq(crash.code, code);
	if (signature)
		ck_assert_str_eq(crash.signature, signature);
	for (size_t i = 1; i < crash.cause_count; i++)
		ck_assert_uint_ge(crash.causes[i - 1].percent,
				  crash.causes[i].percent);
}

static const struct claw_crash_cause *cause(const char *text)
{
	for (size_t i = 0; i < crash.cause_count; i++)
		if (strstr(crash.causes[i].text, text))
			return &crash.causes[i];
	return NULL;
}

/* Is there a cause with that text and that evidence? */
static void has_cause(const char *text, const char *evidence)
{
	const struct claw_crash_cause *found = cause(text);

	ck_assert_msg(found, "no cause \"%s\"; the first of %zu is \"%s\"",
		      text, crash.cause_count, crash.cause_count ?
		      crash.causes[0].text : "");
	ck_assert_msg(strstr(found->evidence, evidence), "\"%s\" is not in "
		      "\"%s\"", evidence, found->evidence);
}

static void is_first(const char *text)
{
	ck_assert_uint_gt(crash.cause_count, 0);
	ck_assert_msg(strstr(crash.causes[0].text, text), "first is \"%s\"",
		      crash.causes[0].text);
}

static void inject(struct claw_trace_call *call, enum claw_fault fault)
{
	call->flags |= CLAW_REC_INJECTED;
	call->fault = (uint16_t)fault;
}

static void set_address(uint64_t address)
{
	json_object_set_new(json_object_get(made.dump.meta, "exit"), "address",
			    json_integer((json_int_t)address));
}

/* ---- how it ended ----------------------------------------------------- */

START_TEST(end__with_success_is_none)
{
	begin("exit", 0);
	launch(1024);
	finish(0);
	find(CLAW_CRASH_NONE, "", "none");
	ck_assert_uint_gt(crash.percent, 0);
	ck_assert_uint_eq(crash.cause_count, 0);
}
END_TEST

START_TEST(end__nothing_known_is_not_well)
{
	begin("signal", 3);
	find(CLAW_CRASH_NONE, "", "none");
	ck_assert_uint_eq(crash.percent, 0);
}
END_TEST

START_TEST(end__of_an_empty_dump_is_unknown)
{
	made_init(&made, "signal", 3);
	made.dump.trace = NULL;
	find(CLAW_CRASH_NONE, "", "none");
	ck_assert_uint_eq(crash.percent, 0);
}
END_TEST

START_TEST(end__failures_that_were_dealt_with_are_none)
{
	begin("exit", 0);
	made_call(&made, CLAW_API_clCreateBuffer,
		  CL_MEM_OBJECT_ALLOCATION_FAILURE);
	find(CLAW_CRASH_NONE, "", "none");
	ck_assert_uint_gt(crash.percent, 0);
}
END_TEST

START_TEST(end__killed_for_memory_by_the_log)
{
	static char log[] = "x\n[1.2] Out of memory: Killed process 4711 "
		"(blur) total-vm:1kB\n";

	begin("signal", -SIGKILL);
	made.dump.dmesg = log;
	find(CLAW_CRASH_KILLED, "clw-out-of-memory", "killed SIGKILL");
	ck_assert_uint_eq(crash.percent, 95);
	is_first("memory ran out");
}
END_TEST

START_TEST(end__another_process_in_the_log_is_none_of_ours)
{
	static char log[] = "Out of memory: Killed process 4712 (x)\n";

	begin("signal", -SIGKILL);
	made.dump.dmesg = log;
	find(CLAW_CRASH_KILLED, "", "killed SIGKILL");
	is_first("a user or a limit");
}
END_TEST

START_TEST(end__killed_with_the_machine_full_is_memory)
{
	begin("signal", -SIGKILL);
	json_object_set_new(made.dump.meta, "machine",
			    json_pack("{s:i}", "memory_bytes", 20000));
	find(CLAW_CRASH_KILLED, "clw-out-of-memory", NULL);
	is_first("memory was exhausted");
}
END_TEST

static const struct waiting {
	enum claw_api api;
	bool launched;
	const char *code;
} waitings[] = {
	{ CLAW_API_clBuildProgram, false, "clw-kernel-compile-timeout" },
	{ CLAW_API_clCreateBuffer, false, "clw-memory-timeout" },
	{ CLAW_API_clFinish, true, "clw-kernel-timeout" },
	{ CLAW_API_clFinish, false, "clw-device-timeout" },
};

START_TEST(end__at_the_limit_by_what_it_was_in)
{
	const struct waiting *w = &waitings[_i];

	begin("timeout", -SIGKILL);
	if (w->launched)
		launch(1024);
	is_in(made_call(&made, w->api, 0));
	find(CLAW_CRASH_TIMEOUT, w->code, NULL);
	if (w->launched)
		ck_assert_str_eq(crash.signature, "timeout in clFinish(blur)");
}
END_TEST

START_TEST(end__at_the_limit_outside_of_opencl)
{
	begin("timeout", -SIGKILL);
	find(CLAW_CRASH_TIMEOUT, "", "timeout");
	ck_assert_uint_lt(crash.percent, 50);
}
END_TEST

START_TEST(end__injected_hang)
{
	begin("timeout", -SIGKILL);
	inject(launch(1024), CLAW_FAULT_HANG);
	is_in(finish(0));
	find(CLAW_CRASH_TIMEOUT, "clw-device-timeout", NULL);
	is_first("(INJECTED)");
}
END_TEST

START_TEST(end__in_a_call_is_the_drivers)
{
	begin("signal", -SIGSEGV);
	is_in(made_call(&made, CLAW_API_clBuildProgram, 0));
	find(CLAW_CRASH_DRIVER, "clw-driver-crash",
	     "driver-crash SIGSEGV in clBuildProgram");
	is_first("error in the driver");
}
END_TEST

START_TEST(end__injected_driver_crash)
{
	struct claw_trace_call *call;

	begin("signal", -SIGSEGV);
	call = made_call(&made, CLAW_API_clBuildProgram, 0);
	is_in(call);
	inject(call, CLAW_FAULT_DRIVER_CRASH);
	find(CLAW_CRASH_DRIVER, "clw-driver-crash", NULL);
	ck_assert_uint_eq(crash.percent, 99);
	is_first("(INJECTED)");
	ck_assert_ptr_null(cause("error in the driver"));
}
END_TEST

/* The address is openclaw's own. */
START_TEST(end__injected_driver_crash_is_not_about_its_address)
{
	struct claw_trace_call *call;

	begin("signal", -SIGSEGV);
	call = finish(0);
	is_in(call);
	inject(call, CLAW_FAULT_DRIVER_CRASH);
	set_address(8);
	find(CLAW_CRASH_DRIVER, "clw-driver-crash",
	     "driver-crash SIGSEGV in clFinish");
	is_first("(INJECTED): it produced this failure in place of the driver");
	ck_assert_ptr_null(cause("near NULL"));
}
END_TEST

START_TEST(end__in_no_call_is_the_programs)
{
	begin("signal", -SIGSEGV);
	find(CLAW_CRASH_SIGNAL, "", NULL);
}
END_TEST

START_TEST(end__a_break_is_for_a_debugger)
{
	struct claw_trace_call *call;

	begin("signal", -SIGTRAP);
	call = made_call(&made, CLAW_API_clCreateBuffer, 0);
	is_in(call);
	inject(call, CLAW_FAULT_BREAK);
	find(CLAW_CRASH_DRIVER, "clw-break", NULL);
}
END_TEST

/* ---- what calls said -------------------------------------------------- */

static const struct told {
	int32_t code;
	bool launched;
	enum claw_crash_class kind;
	const char *diagnosis;
} tolds[] = {
	{ CL_OUT_OF_RESOURCES, true, CLAW_CRASH_GPU, "clw-gpu-crash" },
	{ -9999, true, CLAW_CRASH_GPU, "clw-gpu-crash" },
	{ -4321, true, CLAW_CRASH_GPU, "clw-gpu-crash" },
	{ CL_DEVICE_NOT_AVAILABLE, false, CLAW_CRASH_LOST, "clw-device-lost" },
	{ CL_OUT_OF_RESOURCES, false, CLAW_CRASH_MEMORY, "clw-out-of-memory" },
	{ CL_INVALID_VALUE, true, CLAW_CRASH_ERROR, "" },
};

START_TEST(told__by_the_code_of_a_wait)
{
	begin("device", 1);
	if (tolds[_i].launched)
		launch(1024);
	finish(tolds[_i].code);
	find(tolds[_i].kind, tolds[_i].diagnosis, NULL);
	if (tolds[_i].kind == CLAW_CRASH_GPU)
		ck_assert_str_eq(crash.kernel, "blur");
}
END_TEST

START_TEST(told__a_launch_that_had_ended_is_not_blamed)
{
	uint32_t culprit;

	begin("device", 1);
	launch(1024);
	finish(0);
	culprit = made_number(&made, launch(512));
	finish(CL_OUT_OF_RESOURCES);
	find(CLAW_CRASH_GPU, "clw-gpu-crash",
	     "gpu-crash in blur");
	ck_assert_uint_eq(crash.launch, culprit);
	has_cause("had worked with other sizes",
		  "global size 512, was 1024");
}
END_TEST

START_TEST(told__by_the_status_of_an_event)
{
	struct claw_trace_call *first, *status;
	claw_object_id event;

	begin("device", 1);
	first = launch(1024);
	event = made_object(&made, first, CLAW_OBJ_EVENT, 0);
	first->made = 0;
	launch(1024);
	status = made_call(&made, CLAW_API_COUNT, CL_OUT_OF_RESOURCES);
	status->args[0].kind = CLAW_ARG_OBJECT;
	status->args[0].count = 1;
	status->args[0].objects[0] = event;
	find(CLAW_CRASH_GPU, "clw-gpu-crash", NULL);
	ck_assert_uint_eq(crash.launch, made_number(&made, first));
}
END_TEST

START_TEST(told__a_user_event_that_the_program_failed_is_no_crash)
{
	begin("exit", 1);
	launch(1024);
	made_word(made_call(&made, CLAW_API_clSetUserEventStatus, 0),
		  "execution_status", (uint64_t)-5);
	finish(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	find(CLAW_CRASH_ERROR, "", NULL);
}
END_TEST

START_TEST(told__injected_is_said_everywhere)
{
	begin("device", 1);
	inject(launch(1024), CLAW_FAULT_GPU_CRASH);
	inject(finish(CL_OUT_OF_RESOURCES), CLAW_FAULT_GPU_CRASH);
	find(CLAW_CRASH_GPU, "clw-gpu-crash", NULL);
	is_first("(INJECTED)");
	ck_assert_uint_eq(crash.causes[0].percent, 99);
	ck_assert(strstr(crash.causes[0].evidence, "(INJECTED)"));
}
END_TEST

START_TEST(told__off_the_bus_is_lost)
{
	static char log[] = "NVRM: Xid (PCI:0000:01:00): 79, pid=4711, GPU "
		"has fallen off the bus.\n";

	begin("device", 1);
	launch(1024);
	finish(CL_OUT_OF_RESOURCES);
	made.dump.dmesg = log;
	find(CLAW_CRASH_LOST, "clw-device-lost", NULL);
	has_cause("Xid 79", "fallen off the bus");
}
END_TEST

START_TEST(told__no_device_at_the_start_is_lost)
{
	made_init(&made, "exit", 1);
	made_call(&made, CLAW_API_clGetDeviceIDs, CL_DEVICE_NOT_FOUND);
	find(CLAW_CRASH_LOST, "clw-device-lost",
	     "device-lost at the start");
	has_cause("before a context existed", "clGetDeviceIDs");
}
END_TEST

START_TEST(told__lost_while_a_launch_ran)
{
	begin("device", 1);
	launch(1024);
	finish(CL_DEVICE_NOT_AVAILABLE);
	find(CLAW_CRASH_LOST, "clw-device-lost", NULL);
	has_cause("while a launch was running", "blur");
}
END_TEST

START_TEST(told__a_build_that_was_refused)
{
	static char printed[] = "log:\nblur.cl:3:1: error: no such type\n";
	struct claw_trace_call *call;

	begin("exit", 1);
	made.dump.err = printed;
	made.dump.err_size = strlen(printed);
	call = made_call(&made, CLAW_API_clBuildProgram,
			 CL_BUILD_PROGRAM_FAILURE);
	made_arg(call, "options")->kind = CLAW_ARG_BYTES;
	made_arg(call, "options")->bytes = "-DN=3";
	made_arg(call, "options")->size = 6;
	find(CLAW_CRASH_BUILD, "clw-kernel-build-failure",
	     "build-failure CL_BUILD_PROGRAM_FAILURE in clBuildProgram");
	has_cause("compiler", "-DN=3");
	has_cause("compiler", "error: no such type");
}
END_TEST

START_TEST(told__memory_that_ran_out)
{
	struct claw_trace_call *call;

	begin("exit", 1);
	call = made_call(&made, CLAW_API_clCreateBuffer,
			 CL_MEM_OBJECT_ALLOCATION_FAILURE);
	made_word(call, "size", 1 << 20);
	find(CLAW_CRASH_MEMORY, "clw-out-of-memory", "out-of-memory "
	     "CL_MEM_OBJECT_ALLOCATION_FAILURE in clCreateBuffer");
	has_cause("memory was exhausted", "for 1 MiB");
	has_cause("memory was exhausted", "20 KiB (20,480 bytes) in 2 memory "
		  "objects were alive");
}
END_TEST

/* ---- handles ---------------------------------------------------------- */

START_TEST(cause__null_of_a_failed_creation_is_carried_on)
{
	struct claw_trace_call *call;

	begin("signal", -SIGSEGV);
	inject(made_call(&made, CLAW_API_clCreateBuffer,
			 CL_MEM_OBJECT_ALLOCATION_FAILURE), CLAW_FAULT_OOM);
	call = made_launch(&made, queue, kernel, 64, 0);
	made_kernel_arg(call, 0);
	is_in(call);
	find(CLAW_CRASH_DRIVER, "clw-driver-crash",
	     "driver-crash SIGSEGV in clEnqueueNDRangeKernel(blur)");
	is_first("NULL of a failed creation");
	has_cause("NULL of a failed creation", "(INJECTED)");
	has_cause("NULL of a failed creation", "NULL for argument 0");
	has_cause("launched with a NULL buffer: argument 0 (in)", "blur");
}
END_TEST

START_TEST(cause__null_parameter_names_it)
{
	struct claw_trace_call *call;

	begin("exit", 1);
	made_call(&made, CLAW_API_clCreateCommandQueue, CL_OUT_OF_HOST_MEMORY);
	call = made_call(&made, CLAW_API_clFinish, CL_INVALID_COMMAND_QUEUE);
	made_null(call, "command_queue");
	find(CLAW_CRASH_MEMORY, "clw-out-of-memory", NULL);
	has_cause("NULL of a failed creation", "given NULL for command_queue");
}
END_TEST

START_TEST(cause__null_of_no_creation_is_not_carried_on)
{
	begin("signal", -SIGSEGV);
	made_kernel_arg(made_launch(&made, queue, kernel, 64, 0), 0);
	is_in(finish(0));
	find(CLAW_CRASH_DRIVER, "clw-driver-crash", NULL);
	ck_assert_ptr_null(cause("NULL of a failed creation"));
	is_first("launched with a NULL buffer");
}
END_TEST

START_TEST(cause__released_object_is_used)
{
	begin("signal", -SIGSEGV);
	made_drop(&made, CLAW_API_clReleaseMemObject, in);
	is_in(launch(64));
	find(CLAW_CRASH_DRIVER, "clw-driver-crash", NULL);
	is_first("used after its release");
	has_cause("used after its release", "as argument 0, which was "
		  "released by #");
}
END_TEST

START_TEST(cause__released_after_the_use_is_right)
{
	begin("signal", -SIGSEGV);
	launch(64);
	made_drop(&made, CLAW_API_clReleaseMemObject, in);
	is_in(finish(0));
	find(CLAW_CRASH_DRIVER, "clw-driver-crash", NULL);
	ck_assert_ptr_null(cause("used after its release"));
}
END_TEST

START_TEST(cause__argument_that_was_never_set)
{
	struct claw_trace_call *call;

	begin("exit", 1);
	call = launch(64);
	call->kernel_arg_count = 2;
	call->result = CL_INVALID_KERNEL_ARGS;
	find(CLAW_CRASH_ERROR, "clw-invalid-handle",
	     "error CL_INVALID_KERNEL_ARGS in clEnqueueNDRangeKernel(blur)");
	has_cause("arguments were set: argument 2 (n)",
		  "CL_INVALID_KERNEL_ARGS");
}
END_TEST

/* ---- memory ----------------------------------------------------------- */

START_TEST(cause__buffer_is_smaller_than_the_launch)
{
	begin("device", 1);
	launch(2048);
	finish(CL_OUT_OF_RESOURCES);
	find(CLAW_CRASH_GPU, "clw-gpu-crash", NULL);
	has_cause("smaller than the launch needs: argument 0 (in)",
		  "2048 work-items, of 4 bytes each 8192 bytes");
	has_cause("smaller than the launch needs: argument 1 (out)",
		  "of 16 bytes each 32768 bytes");
}
END_TEST

START_TEST(cause__buffer_that_is_large_enough)
{
	begin("device", 1);
	launch(1024);
	finish(CL_OUT_OF_RESOURCES);
	find(CLAW_CRASH_GPU, "clw-gpu-crash", NULL);
	ck_assert_ptr_null(cause("smaller than the launch"));
	is_first("accesses memory outside its buffers");
}
END_TEST

START_TEST(cause__transfer_reaches_past_the_end)
{
	struct claw_trace_call *call;

	begin("exit", 1);
	call = made_call(&made, CLAW_API_clEnqueueReadBuffer,
			 CL_INVALID_VALUE);
	made_use(call, "buffer", in);
	made_word(call, "offset", 4000);
	made_word(call, "size", 97);
	find(CLAW_CRASH_ERROR, "clw-buffer-overflow", NULL);
	has_cause("past the end", "up to byte 4097 of a buffer of 4 KiB");
}
END_TEST

START_TEST(cause__host_memory_is_shorter_than_the_transfer)
{
	struct claw_trace_call *call;

	begin("signal", -SIGSEGV);
	call = made_call(&made, CLAW_API_clEnqueueReadBuffer, 0);
	made_word(call, "ptr", 0x7000);
	made_word(call, "size", 8192);
	is_in(call);
	set_address(0x8000);
	find(CLAW_CRASH_DRIVER, "clw-driver-crash", NULL);
	is_first("smaller than the transfer");
	has_cause("smaller than", "byte 4096 of them, 0x8000");
}
END_TEST

START_TEST(cause__heap_was_overwritten)
{
	static char printed[] = "hello\nfree(): invalid next size (fast)\n";

	begin("signal", -SIGABRT);
	made.dump.err = printed;
	made.dump.err_size = strlen(printed);
	find(CLAW_CRASH_SIGNAL, "clw-buffer-overflow", NULL);
	is_first("its own heap");
	has_cause("its own heap", "free(): invalid next size");
}
END_TEST

START_TEST(cause__mapping_is_used_when_it_is_gone)
{
	claw_object_id mapping;

	begin("signal", -SIGSEGV);
	mapping = made_object(&made, made_call(&made,
			      CLAW_API_clEnqueueMapBuffer, 0),
			      CLAW_OBJ_MAPPING, 4096);
	made_drop(&made, CLAW_API_clEnqueueUnmapMemObject, mapping);
	set_address(made.objects[mapping - 1].handle + 16);
	find(CLAW_CRASH_SIGNAL, "", NULL);
	is_first("had freed it");
	has_cause("had freed it", "clEnqueueUnmapMemObject");
}
END_TEST

START_TEST(cause__address_next_to_null)
{
	begin("signal", -SIGSEGV);
	set_address(16);
	find(CLAW_CRASH_SIGNAL, "", NULL);
	is_first("near NULL");
	ck_assert(crash.has_address);
}
END_TEST

/* ---- order ------------------------------------------------------------ */

START_TEST(cause__two_queues_without_a_wait)
{
	struct claw_trace_call *call;
	claw_object_id other;

	begin("device", 1);
	other = made_create(&made, CLAW_API_clCreateCommandQueue, 0);
	call = made_call(&made, CLAW_API_clEnqueueWriteBuffer, 0);
	made_use(call, "command_queue", other);
	made_use(call, "buffer", in);
	launch(64);
	finish(CL_OUT_OF_RESOURCES);
	find(CLAW_CRASH_GPU, "clw-gpu-crash", NULL);
	has_cause("nothing orders", "clEnqueueWriteBuffer uses in another");
	claw_crash_release(&crash);
	/* In the same queue the order is theirs. */
	made_use(call, "command_queue", queue);
	find(CLAW_CRASH_GPU, "clw-gpu-crash", NULL);
	ck_assert_ptr_null(cause("nothing orders"));
}
END_TEST

START_TEST(cause__global_size_is_no_multiple)
{
	begin("exit", 1);
	made_launch(&made, queue, kernel, 1921, 16)->result =
		CL_INVALID_WORK_GROUP_SIZE;
	find(CLAW_CRASH_ERROR, "", "error CL_INVALID_WORK_GROUP_SIZE in "
	     "clEnqueueNDRangeKernel(blur)");
	is_first("not a multiple");
	has_cause("not a multiple", "global size 1921, local size 16");
}
END_TEST

START_TEST(cause__user_event_is_never_completed)
{
	struct claw_trace_call *call;

	begin("timeout", -SIGKILL);
	call = made_call(&made, CLAW_API_clCreateUserEvent, 0);
	made_object(&made, call, CLAW_OBJ_EVENT, 0);
	is_in(finish(0));
	find(CLAW_CRASH_TIMEOUT, "clw-device-timeout", NULL);
	is_first("user event");
}
END_TEST

START_TEST(cause__launch_never_ended)
{
	begin("timeout", -SIGKILL);
	launch(64);
	is_in(finish(0));
	find(CLAW_CRASH_TIMEOUT, "clw-kernel-timeout", NULL);
	is_first("had not finished");
}
END_TEST

START_TEST(cause__what_it_printed_when_it_ended_itself)
{
	static char printed[] = "terminate called after throwing\n";

	begin("signal", -SIGABRT);
	made.dump.err = printed;
	made.dump.err_size = strlen(printed);
	find(CLAW_CRASH_SIGNAL, "", NULL);
	is_first("aborted");
}
END_TEST

START_TEST(cause__last_call_that_failed)
{
	begin("exit", 7);
	made_call(&made, CLAW_API_clEnqueueReadBuffer, CL_INVALID_MEM_OBJECT);
	find(CLAW_CRASH_ERROR, "clw-invalid-handle", "error "
	     "CL_INVALID_MEM_OBJECT in clEnqueueReadBuffer");
	is_first("last failed call");
}
END_TEST

/* ---- which of several launches ---------------------------------------- */

static void set_number(struct claw_trace_call *call, const int32_t *number)
{
	call->kernel_args[2].value = number;
}

/* Four launches before, of all numbers that are right; then of three that are
 * under way the middle one has another. */
static uint32_t three_launches(const int32_t *other)
{
	static const int32_t right;
	uint32_t culprit = 0;

	begin("device", 1);
	for (int i = 0; i < 4; i++)
		set_number(launch(1024), &right);
	finish(0);
	for (int i = 0; i < 3; i++) {
		struct claw_trace_call *call = launch(1024);

		set_number(call, i == 1 ? other : &right);
		if (i == 1)
			culprit = made_number(&made, call);
	}
	finish(CL_OUT_OF_RESOURCES);
	return culprit;
}

START_TEST(suspect__the_wild_number_is_to_blame)
{
	static const int32_t wild = 1 << 30;
	uint32_t culprit = three_launches(&wild);

	find(CLAW_CRASH_GPU, "clw-gpu-crash", "gpu-crash in blur");
	ck_assert_uint_eq(crash.launch, culprit);
	has_cause("is an index outside its buffers: argument 2 (n)", "1073741824");
	has_cause("accesses memory outside its buffers", "the most suspicious of 3 unfinished "
		  "launches");
}
END_TEST

START_TEST(suspect__what_was_never_seen_before_is_to_blame)
{
	static const int32_t other = 3;
	uint32_t culprit = three_launches(&other);

	find(CLAW_CRASH_GPU, "clw-gpu-crash", NULL);
	ck_assert_uint_eq(crash.launch, culprit);
	has_cause("other sizes", "ended well, as did 3 more; argument 2 is 3, "
		  "was 0");
}
END_TEST

START_TEST(suspect__alike_ones_are_said_to_be)
{
	static const int32_t right;
	uint32_t culprit = three_launches(&right);

	find(CLAW_CRASH_GPU, "clw-gpu-crash", NULL);
	ck_assert_uint_eq(crash.launch, culprit + 1);
	has_cause("accesses memory outside its buffers", "one of 3 unfinished launches that "
		  "cannot be told apart; crash-analyze --deep");
}
END_TEST

START_TEST(suspect__its_memory_is_where_it_faulted)
{
	static const int32_t right;
	uint32_t culprit = three_launches(&right);
	claw_object_id svm = made_object(&made, NULL, CLAW_OBJ_SVM, 4096);

	made.calls[culprit - 1].kernel_args[0].object = svm;
	set_address(made.objects[svm - 1].handle + 4096 + 16);
	find(CLAW_CRASH_GPU, "clw-gpu-crash", NULL);
	ck_assert_uint_eq(crash.launch, culprit);
}
END_TEST

/* What oclgrind saw is of a kernel: which of them it can be is told. */
START_TEST(suspect__deep_look_names_those_of_its_kernel)
{
	static const int32_t right;
	static char kernel_name[] = "blur", none[] = "";
	uint32_t culprit = three_launches(&right);
	struct claw_finding first = {
		.kind = CLAW_FINDING_INVALID_READ, .kernel = kernel_name,
		.file = none, .what = none, .work_item = none, .text = none,
	};
	struct claw_crash_deep deep = {
		.found = { .items = &first, .count = 1 }, .first = &first,
		.argument = -1,
	};
	struct claw_crash_facts facts;
	struct claw_crash_view view = {
		.path = "x.dmp", .dump = &made.dump, .crash = &crash,
		.facts = &facts, .deep = &deep, .calls = 5,
	};
	char *text = NULL, wanted[80];
	size_t size;

	find(CLAW_CRASH_GPU, "clw-gpu-crash", NULL);
	claw_crash_facts_gather(&made.dump, &facts);
	view.out = open_memstream(&text, &size);
	claw_crash_print(&view);
	fclose(view.out);
	claw_crash_facts_release(&facts);
	snprintf(wanted, sizeof(wanted), "are of that kernel: #%u, #%u, #%u\n",
		 culprit - 1, culprit, culprit + 1);
	ck_assert_msg(strstr(text, wanted), "no \"%s\" in\n%s", wanted, text);
	free(text);
}
END_TEST

START_TEST(suspect__one_alone_is_one_of_none)
{
	begin("device", 1);
	launch(1024);
	finish(0);
	launch(512);
	finish(CL_OUT_OF_RESOURCES);
	find(CLAW_CRASH_GPU, "clw-gpu-crash", NULL);
	has_cause("accesses memory outside its buffers", "had not finished: global size 512");
	has_cause("other sizes", "ended well; global size");
}
END_TEST

/* ---- the kernel's log, sources, oclgrind ------------------------------ */

START_TEST(dmesg__line_is_read)
{
	const char *at = "hello\n[1] NVRM: Xid (PCI:0000:c1:00): 31, pid=77, "
		"name=x, MMU Fault: faulted @ 0x725f_fb800000. Fault\n"
		"[2] NVRM: Xid (PCI:0000:01:00): 777, pid=1\n"
		"NVRM: Xid (PCI:0000:01:00): GPU memory access violation at "
		"address 0x12345678\nNVRM: loading\n";
	struct claw_dmesg_line line;

	ck_assert(claw_dmesg_next(&at, &line));
	ck_assert_uint_eq(line.xid, 31);
	ck_assert_uint_eq(line.pid, 77);
	ck_assert(line.has_address);
	ck_assert_uint_eq(line.address, UINT64_C(0x725ffb800000));
	ck_assert_str_eq(line.code, "clw-gpu-crash");
	ck_assert(claw_dmesg_next(&at, &line));
	ck_assert_uint_eq(line.xid, 777);
	ck_assert_ptr_null(line.code);
	ck_assert(claw_dmesg_next(&at, &line));
	ck_assert_uint_eq(line.xid, 0);
	ck_assert_uint_eq(line.address, 0x12345678);
	ck_assert(!claw_dmesg_next(&at, &line));
}
END_TEST

/* Lines of other processes; by number or name those of this one; of the machine
 * everybody's. */
START_TEST(dmesg__of_another_process_is_no_evidence)
{
	static char log[] =
		"[1.0] NVRM: Xid (PCI:0000:01:00): 31, pid=562, name=other, "
		"faulted @ 0x1_00000000\n"
		"[2.0] NVRM: Xid (PCI:0000:01:00): 31, pid=4711, name=blur, "
		"faulted @ 0x2_00000000\n"
		"[3.0] NVRM: Xid (PCI:0000:01:00): 79, pid=562, GPU has fallen "
		"off the bus.\n";
	struct claw_dmesg_line line;
	const char *at = log;

	begin("device", 1);
	made.dump.dmesg = log;
	ck_assert(claw_dump_log_next(&made.dump, &at, &line));
	ck_assert_uint_eq(line.pid, 4711);
	ck_assert_str_eq(line.name, "blur");
	ck_assert(claw_dump_log_next(&made.dump, &at, &line));
	ck_assert_uint_eq(line.xid, 79);
	ck_assert(!claw_dump_log_next(&made.dump, &at, &line));
}
END_TEST

START_TEST(dmesg__what_was_there_before_is_not_kept)
{
	static const char log[] = "<4>[   10.500000] NVRM: old\n"
		"<4>[   20.000000] NVRM: new\nNVRM: no time\n"
		"<4>[   21.000000] NVRM: Xid (PCI:0000:01:00): 31, pid=5, x\n";
	char *kept = claw_dump_log_choose(log, 10.5, NULL, 0);

	ck_assert_str_eq(kept, "<4>[   20.000000] NVRM: new\nNVRM: no time\n");
	free(kept);
}
END_TEST

START_TEST(kernel__parameters_are_read_from_the_source)
{
	static const char text[] =
		"#define N 4\n// kernel void k(int a)\nvoid k2(int k);\n"
		"kernel void k(global const unsigned char *restrict a,\n"
		"  local double3* b, float m[4], image2d_t i) {}\n";
	struct claw_crash_kernel found;

	ck_assert(claw_crash_kernel_parse(text, strlen(text), "k", &found));
	ck_assert_uint_eq(found.line, 4);
	ck_assert_uint_eq(found.param_count, 4);
	ck_assert_str_eq(found.params[0].name, "a");
	ck_assert(found.params[0].is_pointer);
	ck_assert_uint_eq(found.params[0].element_bytes, 1);
	ck_assert(found.params[1].is_local);
	ck_assert_uint_eq(found.params[1].element_bytes, 32);
	ck_assert_str_eq(found.params[2].name, "m");
	ck_assert_uint_eq(found.params[3].element_bytes, 0);
	ck_assert(!claw_crash_kernel_parse(text, strlen(text), "k2", &found));
	ck_assert(!claw_crash_kernel_parse(text, strlen(text), "", &found));
}
END_TEST

START_TEST(deep__first_bad_access_has_its_bounds)
{
	static char kernel_name[] = "blur", none[] = "", item[] = "1024,0,0";
	static char other_kernel[] = "sharpen";
	static char text[] = "Invalid read of size 4 at global memory address "
		"0x1000000001000\n\tKernel: blur\n\tEntity: Global(1024,0,0) "
		"Local(0,0,0) Group(16,0,0)\n";
	struct claw_findings found = { .count = 0 };
	struct claw_finding one = {
		.kind = CLAW_FINDING_UNINITIALIZED,
		.space = CLAW_SPACE_GLOBAL, .kernel = kernel_name,
		.file = none, .what = none, .line = 4, .work_item = item,
		.size_bytes = 4, .text = none, .times = 1,
	};
	struct claw_crash_deep deep = { .argument = -1 };

	begin("device", 1);
	launch(2048);
	claw_findings_add(&found, &one);
	/* Another kernel's access came first, and crashed nothing. */
	one.kind = CLAW_FINDING_INVALID_WRITE;
	one.kernel = other_kernel;
	claw_findings_add(&found, &one);
	one.kind = CLAW_FINDING_INVALID_READ;
	one.kernel = crash.kernel = kernel_name;
	one.text = text;
	claw_findings_add(&found, &one);
	crash.launch = made.trace.call_count;
	claw_crash_deep_take(&made.trace, &crash, &found, &deep);
	ck_assert_int_eq(deep.first->kind, CLAW_FINDING_INVALID_READ);
	ck_assert_str_eq(deep.group, "16,0,0");
	ck_assert_str_eq(deep.local_item, "0,0,0");
	ck_assert_uint_eq(deep.offset, 4096);
	ck_assert_int_eq(deep.argument, 0);
	ck_assert_uint_eq(deep.bytes, 4096);
	crash.kernel = NULL;
	claw_crash_deep_release(&deep);
}
END_TEST

static void add_ends(TCase *tests)
{
	tcase_add_test(tests, end__with_success_is_none);
	tcase_add_test(tests, end__nothing_known_is_not_well);
	tcase_add_test(tests, end__of_an_empty_dump_is_unknown);
	tcase_add_test(tests, end__failures_that_were_dealt_with_are_none);
	tcase_add_test(tests, end__killed_for_memory_by_the_log);
	tcase_add_test(tests, end__another_process_in_the_log_is_none_of_ours);
	tcase_add_test(tests, end__killed_with_the_machine_full_is_memory);
	tcase_add_loop_test(tests, end__at_the_limit_by_what_it_was_in, 0,
			    sizeof(waitings) / sizeof(*waitings));
	tcase_add_test(tests, end__at_the_limit_outside_of_opencl);
	tcase_add_test(tests, end__injected_hang);
	tcase_add_test(tests, end__in_a_call_is_the_drivers);
	tcase_add_test(tests, end__injected_driver_crash);
	tcase_add_test(tests,
		end__injected_driver_crash_is_not_about_its_address);
	tcase_add_test(tests, end__in_no_call_is_the_programs);
	tcase_add_test(tests, end__a_break_is_for_a_debugger);
	tcase_add_loop_test(tests, told__by_the_code_of_a_wait, 0,
			    sizeof(tolds) / sizeof(*tolds));
	tcase_add_test(tests, told__a_launch_that_had_ended_is_not_blamed);
	tcase_add_test(tests, told__by_the_status_of_an_event);
	tcase_add_test(tests,
		told__a_user_event_that_the_program_failed_is_no_crash);
	tcase_add_test(tests, told__injected_is_said_everywhere);
	tcase_add_test(tests, told__off_the_bus_is_lost);
	tcase_add_test(tests, told__no_device_at_the_start_is_lost);
	tcase_add_test(tests, told__lost_while_a_launch_ran);
	tcase_add_test(tests, told__a_build_that_was_refused);
	tcase_add_test(tests, told__memory_that_ran_out);
}

static void add_causes(TCase *tests)
{
	tcase_add_test(tests, cause__null_of_a_failed_creation_is_carried_on);
	tcase_add_test(tests, cause__null_parameter_names_it);
	tcase_add_test(tests, cause__null_of_no_creation_is_not_carried_on);
	tcase_add_test(tests, cause__released_object_is_used);
	tcase_add_test(tests, cause__released_after_the_use_is_right);
	tcase_add_test(tests, cause__argument_that_was_never_set);
	tcase_add_test(tests, cause__buffer_is_smaller_than_the_launch);
	tcase_add_test(tests, cause__buffer_that_is_large_enough);
	tcase_add_test(tests, cause__transfer_reaches_past_the_end);
	tcase_add_test(tests, cause__host_memory_is_shorter_than_the_transfer);
	tcase_add_test(tests, cause__heap_was_overwritten);
	tcase_add_test(tests, cause__mapping_is_used_when_it_is_gone);
	tcase_add_test(tests, cause__address_next_to_null);
	tcase_add_test(tests, cause__two_queues_without_a_wait);
	tcase_add_test(tests, cause__global_size_is_no_multiple);
	tcase_add_test(tests, cause__user_event_is_never_completed);
	tcase_add_test(tests, cause__launch_never_ended);
	tcase_add_test(tests, cause__what_it_printed_when_it_ended_itself);
	tcase_add_test(tests, cause__last_call_that_failed);
	tcase_add_test(tests, suspect__the_wild_number_is_to_blame);
	tcase_add_test(tests,
		       suspect__what_was_never_seen_before_is_to_blame);
	tcase_add_test(tests, suspect__alike_ones_are_said_to_be);
	tcase_add_test(tests, suspect__its_memory_is_where_it_faulted);
	tcase_add_test(tests, suspect__deep_look_names_those_of_its_kernel);
	tcase_add_test(tests, suspect__one_alone_is_one_of_none);
	tcase_add_test(tests, dmesg__line_is_read);
	tcase_add_test(tests,
		       dmesg__of_another_process_is_no_evidence);
	tcase_add_test(tests, dmesg__what_was_there_before_is_not_kept);
	tcase_add_test(tests, kernel__parameters_are_read_from_the_source);
	tcase_add_test(tests, deep__first_bad_access_has_its_bounds);
}

static void setup(void)
{
	memset(&crash, 0, sizeof(crash));
	memset(&made, 0, sizeof(made));
}

int main(void)
{
	Suite *suite = suite_create("crash");
	TCase *tests = tcase_create("crash");

	tcase_add_checked_fixture(tests, setup, teardown);
	add_ends(tests);
	add_causes(tests);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}

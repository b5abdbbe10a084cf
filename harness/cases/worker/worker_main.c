/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw-clw-worker NUMBER: answers the messages that come over file
 * descriptor 3 with workloads on that device, until the other end is closed.
 */
#include "config.h"

#include "clw_worker.h"

#include <dirent.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SOCKET = 3, GRACE_SECONDS = 3 };

static struct {
	int device;
	char name[128];			/* of the device */
	bool has_layer;
	struct clw_context *context;	/* or NULL */
} state;

/* ---- the other end ---------------------------------------------------------- */

/* Who asked may be gone while a kernel runs, which nothing else would end; else
 * the program ends by itself, and releases what it has. */
static void *watch(void *user)
{
	struct pollfd hang_up = { .fd = SOCKET, .events = POLLRDHUP };

	(void)user;
	while (poll(&hang_up, 1, -1) < 0 || !hang_up.revents)
		;
	sleep(GRACE_SECONDS);
	_exit(0);
}

static void tell_stage(enum clw_stage stage)
{
	struct clw_wire wire = { .data = NULL };

	clw_put(&wire, stage);
	clw_put(&wire, state.has_layer);
	clw_put_text(&wire, state.name);
	if (clw_send(SOCKET, CLW_STAGE, &wire) < 0)
		_exit(0);
	clw_wire_clear(&wire);
}

/* results: behind what every reply has, or NULL. */
static void reply(const struct claw_worker_error *error,
		  const struct clw_wire *results)
{
	struct clw_wire wire = { .data = NULL };

	clw_put(&wire, (uint64_t)error->status);
	clw_put(&wire, (uint64_t)(int64_t)error->cl_code);
	clw_put_text(&wire, error->message);
	if (results)
		clw_put_raw(&wire, results->data, results->size);
	if (clw_send(SOCKET, CLW_DONE, &wire) < 0)
		_exit(0);
	clw_wire_clear(&wire);
}

/* What the program had open is none of a process that outlives its use of it. */
static void close_inherited(void)
{
	DIR *open = opendir("/proc/self/fd");
	const struct dirent *entry;

	while (open && (entry = readdir(open))) {
		long fd = strtol(entry->d_name, NULL, 10);

		if (fd > SOCKET && fd != dirfd(open))
			close((int)fd);
	}
	if (open)
		closedir(open);
}

/* ---- what is asked ------------------------------------------------------------ */

static bool find_layer(void)
{
	cl_platform_id platform = NULL;

	return clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS && platform &&
	       clGetExtensionFunctionAddressForPlatform(platform,
						"clawArmOPENCLAW") != NULL;
}

/* The first request opens the device. what: told of a crash by the layer. */
static int open_device(const char *what, struct claw_worker_error *error)
{
	struct clw_device_info info = { .struct_size = sizeof(info) };

	if (state.context)
		return CLW_OK;
	setenv("CLW_WORKLOAD", what, 0);
	if (clwCreateContext(state.device, &state.context) ||
	    clwDeviceInfo(state.device, &info))
		return claw_worker_fail_clw(error);
	snprintf(state.name, sizeof(state.name), "%s", info.name);
	state.has_layer = find_layer();
	tell_stage(CLW_STAGE_READY);
	return CLW_OK;
}

static void run(struct clw_wire *request)
{
	struct claw_worker_error error = { .status = CLW_OK };
	struct claw_worker_run *run = calloc(1, sizeof(*run));
	struct clw_wire results = { .data = NULL };
	uint64_t peak = 0;

	if (!run || claw_worker_take(request, run, &error) ||
	    open_device(run->path, &error) ||
	    claw_worker_launch(state.context, run, tell_stage, &error))
		goto out;
	tell_stage(CLW_STAGE_RESULTS);
	for (unsigned int i = 0; i < run->count; i++)
		peak += claw_worker_bytes(&run->args[i]);
	clw_put(&results, peak);
	clw_put(&results, run->elapsed_ns);
	claw_worker_results(state.context, run, &results, &error);
out:
	if (!run || results.is_bad)
		claw_worker_fail(&error, CLW_OUT_OF_HOST_MEMORY, "the worker "
				 "has no memory on the host");
	if (run)
		claw_worker_release(run);
	free(run);
	reply(&error, error.status ? NULL : &results);
	clw_wire_clear(&results);
}

/* Does the device still compute? */
static int probe(struct claw_worker_error *error)
{
	static const char source[] =
		"__kernel void openclaw_probe(__global uint *x)\n"
		"{ x[get_global_id(0)] = get_global_id(0) * 3 + 1; }\n";
	struct clw_kernel *kernel = NULL;
	struct clw_buffer *buffer = NULL;
	size_t count = 64;
	cl_uint words[64] = { 0 };
	int status = clwCreateBuffer(state.context, sizeof(words),
				     CL_MEM_READ_WRITE, &buffer);

	if (!status)
		status = clwCreateKernelFromSource(state.context, source, NULL,
						   NULL, &kernel);
	if (!status)
		status = clwSetArgBuffer(kernel, 0, buffer);
	if (!status) {
		tell_stage(CLW_STAGE_KERNEL);
		status = clwLaunch(kernel, 1, &count, NULL);
	}
	if (!status)
		status = clwEnqueueRead(buffer, 0, sizeof(words), words, 0);
	if (status)
		claw_worker_fail_clw(error);
	for (cl_uint i = 0; !status && i < count; i++)
		if (words[i] != i * 3 + 1)
			status = claw_worker_fail(error, CLW_DEVICE_LOST,
				"the device computes nonsense: element %u of "
				"%u is %u", i, (cl_uint)count, words[i]);
	clwReleaseKernel(kernel);
	clwReleaseBuffer(buffer);
	return status;
}

static void answer_probe(void)
{
	struct claw_worker_error error = { .status = CLW_OK };

	if (!open_device("probe", &error))
		probe(&error);
	reply(&error, NULL);
}

int main(int argc, char **argv)
{
	struct clw_wire request = { .data = NULL };
	enum clw_message type;
	pthread_t watcher;
	char *end;
	long number;

	if (argc != 2 || (number = strtol(argv[1], &end, 10)) < -1 || *end ||
	    number > INT_MAX || !*argv[1]) {
		fputs("openclaw-clw-worker: expected the number of a device; "
		      "libclw starts this program\n", stderr);
		return 64;
	}
	close_inherited();
	state.device = (int)number;
	if (pthread_create(&watcher, NULL, watch, NULL) == 0)
		pthread_detach(watcher);
	while (clw_receive(SOCKET, UINT64_MAX, &type, &request) == 0) {
		if (type == CLW_RUN)
			run(&request);
		else if (type == CLW_PROBE)
			answer_probe();
		clw_wire_clear(&request);
	}
	clwReleaseContext(state.context);
	return 0;
}

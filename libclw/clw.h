/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clw.h: OpenCL for programs that must survive a device which runs out of
 * memory, becomes slow, or dies. C99; clw.hpp has it for C++.
 *
 *	#include <openclaw/clw.h>
 *
 *	struct clw_context *context;
 *	struct clw_buffer *in, *out;
 *
 *	if (clwCreateContext(CLW_DEFAULT_DEVICE, &context) != CLW_OK)
 *		errx(1, "%s", clwLastReport());
 *	...
 *	clwEnqueueKernel(context, "compute", 1, &count, NULL, 2,
 *			 (struct clw_arg []){ clwArgBuffer(in), clwArgBuffer(out) });
 *	if (clwFinish(context) != CLW_OK)	(what the kernel failed with)
 *		...
 *
 * pkg-config --cflags --libs openclaw-clw; find_package(openclaw-clw) and
 * openclaw::clw in CMake. libclw(3) is the reference in prose.
 *
 * Rules for all functions:
 *
 *   Results. Most return a status: CLW_OK (0), or what went wrong, and then
 *	clwLastError() of the same thread says what and where. A function that
 *	fails has changed nothing, holds nothing, and the next call works;
 *	after the loss of the device every call says so. What is set through a
 *	pointer (ret_x) is set on success only.
 *   Ownership. What clwCreate* gives is the caller's, until the matching
 *	clwRelease*, which takes NULL, too. A buffer, a kernel and chunks keep
 *	their context alive: they may be released in any order.
 *   Memory. A size is in bytes, a time in the unit that its name ends with.
 *	No memory on the host is an error like others (CLW_OUT_OF_HOST_MEMORY).
 *   Threads. Every function may be called from any thread at any time, but
 *	a handle must not be used while another thread releases it.
 *	clwLastError() and its like are about the calling thread.
 *   Processes. A context cannot be used in a child that was forked after it
 *	was made: the drivers of NVIDIA give such a child no device. Calls
 *	there fail with CLW_INVALID_HANDLE.
 *   Manners. The library does not exit, abort, install signal handlers or
 *	print to stdout. On stderr it prints what CLW_LOG_LEVEL asks for, and
 *	leaves to openclaw's layer, where that is loaded, what the layer prints.
 *
 * Read from the environment when a context or a workload is made, from
 * openclaw.yaml where a variable is not set: CLW_DEVICE_ID,
 * CLW_MEM_TIMEOUT_MS, CLW_GPU_TIMEOUT_MS, CLW_LOG_LEVEL,
 * CLW_MAX_ALLOCATION_MB, CLW_RESERVE_MB, CLW_PAGING, CLW_KERNEL_PATH,
 * CLW_PROGRAM_CACHE.
 */
#ifndef OPENCLAW_CLW_H
#define OPENCLAW_CLW_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLW_API_VERSION 1

/* ---- errors -------------------------------------------------------------- */

enum clw_status {
	CLW_OK = 0,
	/* memory */
	CLW_OUT_OF_MEMORY = 1,		/* clw-out-of-memory: waiting would not help */
	CLW_MEMORY_TIMEOUT = 2,		/* clw-memory-timeout: not within the memory timeout */
	CLW_OUT_OF_HOST_MEMORY = 3,	/* clw-out-of-host-memory */
	CLW_BUFFER_OVERFLOW = 4,	/* clw-buffer-overflow: a transfer past a buffer's end */
	/* mistakes of the caller */
	CLW_INVALID_ARGUMENT = 10,	/* clw-invalid-argument */
	CLW_INVALID_SIZE = 11,		/* clw-invalid-size: of 0 bytes, or past 2^63 */
	CLW_INVALID_HANDLE = 12,	/* clw-invalid-handle: NULL, released, of another kind or process */
	CLW_INVALID_WORK_SIZE = 13,	/* clw-invalid-work-size: global and local size do not fit */
	CLW_ARGUMENT_NOT_SET = 14,	/* clw-argument-not-set */
	CLW_INVALID_CONFIGURATION = 15,	/* clw-invalid-configuration: openclaw.yaml, CLW_DEVICE_ID */
	/* kernels */
	CLW_KERNEL_NOT_FOUND = 20,	/* clw-kernel-not-found */
	CLW_KERNEL_BUILD_FAILURE = 21,	/* clw-kernel-build-failure: the message has the log */
	CLW_KERNEL_COMPILE_TIMEOUT = 22,/* clw-kernel-compile-timeout */
	CLW_KERNEL_TIMEOUT = 23,	/* clw-kernel-timeout: commands still run after the time given */
	/* devices */
	CLW_NO_DEVICE = 30,		/* clw-no-device */
	CLW_GPU_CRASH = 31,		/* clw-gpu-crash: a command failed and took the device along */
	CLW_DEVICE_LOST = 32,		/* clw-device-lost: said of every call after that */
	CLW_DRIVER_CRASH = 33,		/* clw-driver-crash: the driver ended the worker outside of a kernel */
	CLW_WORKER_LOST = 34,		/* clw-worker-lost: the worker ended, or cannot be started */
	/* anything else that OpenCL returned: clwLastClCode() */
	CLW_OPENCL_ERROR = 40,		/* clw-opencl-error */
};

/* "clw-out-of-memory"; of CLW_OK "ok", of what is none "clw-unknown". */
const char *clwStatusCode(int status);

/*
 * Of the last call of this thread that failed; valid until its next call.
 * Before any has failed: CLW_OK and "".
 *
 * clwLastError():	one line, "CODE: WHAT", with device, kernel, argument
 *			and place where there are any.
 * clwLastReport():	the same; "CLW_ERROR: FUNCTION failed with CL_NAME (N)"
 *			where OpenCL failed; "Backtrace:" with the call and,
 *			where it is known, its place in the program.
 * clwLastClCode():	what OpenCL returned; CL_SUCCESS: the error is not its.
 */
int clwLastStatus(void);
const char *clwLastError(void);
const char *clwLastReport(void);
cl_int clwLastClCode(void);

/*
 * The next call of this thread is made at that place, through a wrapper that
 * its users know as api ("clw::context::create_buffer(...)"; NULL: none). The
 * texts are copied. C programs need not call it: the macros at the end of this
 * file do, unless CLW_NO_PLACES is defined.
 */
void clwAt(const char *file, int line, const char *function, const char *api);

/* With 1, messages about memory as with CLW_LOG_LEVEL=DEBUG; -DCLW_DEBUG_MEMORY=1
 * does that in every clwCreateContext(). */
void clwSetDebugMemory(int on);

/* ---- devices ------------------------------------------------------------- */

/* CLW_DEVICE_ID, else device 0. */
#define CLW_DEFAULT_DEVICE (-1)

/* Set struct_size to sizeof(struct clw_device_info) before the call: later
 * versions may have more members. */
struct clw_device_info {
	size_t struct_size;
	char name[128];
	uint64_t memory_bytes;		/* CL_DEVICE_GLOBAL_MEM_SIZE */
	uint64_t max_buffer_bytes;	/* CL_DEVICE_MAX_MEM_ALLOC_SIZE */
	uint64_t local_bytes;		/* CL_DEVICE_LOCAL_MEM_SIZE */
	uint64_t max_group_size;	/* CL_DEVICE_MAX_WORK_GROUP_SIZE */
	int is_gpu;
};

/* Devices are counted over all platforms, as "openclaw info --list" does. */
int clwDeviceCount(unsigned int *ret_count);
int clwDeviceInfo(int device, struct clw_device_info *ret_info);

/* ---- contexts ------------------------------------------------------------ */

struct clw_context;
struct clw_buffer;
struct clw_chunks;
struct clw_kernel;
struct clw_workload;

/*
 * One device with one in-order queue.
 *
 * Fails with CLW_NO_DEVICE, CLW_DEVICE_LOST (this process cannot have the
 * device any more), CLW_INVALID_CONFIGURATION.
 */
int clwCreateContext(int device, struct clw_context **ret_context);
/*
 * Waits for its commands first, at most as long as clwSetKernelTimeout() says.
 * Errors that no clwFinish() has returned are printed at CLW_LOG_LEVEL=ERROR.
 */
void clwReleaseContext(struct clw_context *context);

/* The longest time of an allocation, with all its tries; goes before
 * CLW_MEM_TIMEOUT_MS and the 30 s that are the default. 0: wait for the driver
 * as long as it takes, and try twice. */
int clwSetMemoryTimeout(struct clw_context *context, double seconds);
/* ... of a kernel's build [300]; 0: no limit. */
int clwSetBuildTimeout(struct clw_context *context, double seconds);
/*
 * ... of waiting for commands [0: no limit]. When it is over, the call fails
 * with CLW_KERNEL_TIMEOUT; the commands run on, and are waited for again by
 * the next call that waits.
 */
int clwSetKernelTimeout(struct clw_context *context, double seconds);

/* Bytes of this context's buffers; struct_size as above. */
struct clw_memory {
	size_t struct_size;
	uint64_t total_bytes;		/* of the device */
	uint64_t limit_bytes;		/* what openclaw.yaml and its variables leave */
	uint64_t used_bytes, peak_bytes;
	uint64_t buffers;		/* alive */
};
int clwContextMemory(struct clw_context *context,
		     struct clw_memory *ret_memory);
/* CLW_OK, or CLW_DEVICE_LOST: release it. No OpenCL call is made. */
int clwContextState(struct clw_context *context);
/* The device's number; -1 of NULL. */
int clwContextDevice(const struct clw_context *context);

/* For calls of your own; the context's, not retained. NULL of NULL. */
cl_context clwContextHandle(const struct clw_context *context);
cl_command_queue clwQueueHandle(const struct clw_context *context);
/*
 * Whether the context itself keeps this OpenCL object until it is released:
 * its cl_context, its queues, the programs and kernels of files that it has
 * built. No leak while the context is in use. 0 of NULL, or without a context.
 */
int clwContextKeeps(struct clw_context *context, const void *object);
cl_device_id clwDeviceHandle(const struct clw_context *context);

/* ---- buffers ------------------------------------------------------------- */

/*
 * An allocation is tried again, at growing intervals of at most 100 ms, while
 * it fails for memory and until the memory timeout; what has ended meanwhile
 * is collected first, because events keep memory alive on some drivers. It is
 * made in a thread that can be given up when the driver itself is too slow
 * (under openclaw's layer in the caller's, so that findings name the caller's
 * line, unless clwSetMemoryTimeout() was called). On devices of NVIDIA, whose
 * driver takes memory at first use only, the buffer is used once.
 *
 * size:	bytes. 0, or 2^63 and more, are CLW_INVALID_SIZE;
 *		1<<28 * sizeof(float) may overflow to such a value (write
 *		((size_t)1<<28) * sizeof(float)).
 * flags:	CL_MEM_*. Mended, with a line at CLW_LOG_LEVEL=WARN:
 *		CL_MEM_COPY_HOST_PTR and CL_MEM_USE_HOST_PTR without a pointer
 *		are dropped; beside CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR
 *		and CL_MEM_COPY_HOST_PTR are dropped.
 * host:	of at least size bytes, or NULL. With CL_MEM_USE_HOST_PTR it
 *		must live as long as the buffer.
 *
 * Fails with CLW_INVALID_SIZE; CLW_OUT_OF_MEMORY at once where no waiting
 * helps: more than the device, its largest buffer or the limits of
 * openclaw.yaml have; CLW_MEMORY_TIMEOUT; CLW_INVALID_ARGUMENT (flags).
 */
int clwCreateBuffer(struct clw_context *context, size_t size,
		    cl_mem_flags flags, struct clw_buffer **ret_buffer);
int clwCreateBufferWith(struct clw_context *context, void *host, size_t size,
			cl_mem_flags flags, struct clw_buffer **ret_buffer);
/*
 * As much as there is, up to size: half of it, a quarter ... but no less than
 * least bytes, for which it then waits as above. "[WARN] Falling back to
 * smaller buffer" is printed at CLW_LOG_LEVEL=WARN. clwBufferSize() has the
 * size, a multiple of 4096 bytes unless it is size or least.
 */
int clwCreateBufferOrSmaller(struct clw_context *context, size_t size,
			     size_t least, cl_mem_flags flags,
			     struct clw_buffer **ret_buffer);
/*
 * Waits for the commands of its context first where it has CL_MEM_USE_HOST_PTR,
 * so that the memory may be freed then; else the driver keeps it until the
 * commands that use it have ended.
 */
void clwReleaseBuffer(struct clw_buffer *buffer);

size_t clwBufferSize(const struct clw_buffer *buffer);	/* 0 of NULL */
cl_mem_flags clwBufferFlags(const struct clw_buffer *buffer);	/* as mended */
/* A number that is the buffer's alone while it lives, 0 of NULL: OpenCL does
 * not tell where on the device it is. */
uint64_t clwBufferAddress(const struct clw_buffer *buffer);
cl_mem clwBufferHandle(const struct clw_buffer *buffer);	/* not retained */
struct clw_context *clwBufferContext(const struct clw_buffer *buffer);

/*
 * total bytes in pieces of chunk bytes (0: a quarter of the device's largest
 * buffer), the last one smaller. Where a piece is not to be had, the rest is
 * made of halves of it, down to 1 MiB. All or nothing.
 */
int clwCreateChunks(struct clw_context *context, size_t total, size_t chunk,
		    cl_mem_flags flags, struct clw_chunks **ret_chunks);
void clwReleaseChunks(struct clw_chunks *chunks);
size_t clwChunkCount(const struct clw_chunks *chunks);
/* The chunks' own; NULL where index is too large. */
struct clw_buffer *clwChunk(const struct clw_chunks *chunks, size_t index);
size_t clwChunkOffset(const struct clw_chunks *chunks, size_t index);

/*
 * One thread at a time between these two (a thread may lock again). Unlocking
 * waits for what was launched meanwhile; it unlocks whatever it returns, which
 * is what clwFinish() does.
 */
int clwLockBuffer(struct clw_buffer *buffer);
int clwUnlockBuffer(struct clw_buffer *buffer);

/* ---- commands ------------------------------------------------------------ */

/*
 * Commands run in the order in which they were given. One that fails later
 * than its call is told by the next call that waits for the context:
 * clwFinish(), a transfer without CLW_ASYNC, clwMapBuffer(). Its message names
 * the kernel or transfer and where it was called. It is told once.
 */

/* Do not wait: the host's memory must live, and be left alone, until the next
 * call that waits. */
#define CLW_ASYNC 1u

/* Fail with CLW_BUFFER_OVERFLOW past the buffer's end. Where host is the
 * buffer's own memory (CL_MEM_USE_HOST_PTR) it is mapped, and not copied. */
int clwEnqueueWrite(struct clw_buffer *buffer, size_t offset, size_t size,
		    const void *host, unsigned int flags);
int clwEnqueueRead(struct clw_buffer *buffer, size_t offset, size_t size,
		   void *host, unsigned int flags);
/* Both return when it is enqueued. They may be one buffer, but not overlap. */
int clwEnqueueCopy(struct clw_buffer *from, size_t from_offset,
		   struct clw_buffer *to, size_t to_offset, size_t size);
/* pattern_size: 1, 2, 4, ... 128; offset and size are multiples of it. */
int clwEnqueueFill(struct clw_buffer *buffer, size_t offset, size_t size,
		   const void *pattern, size_t pattern_size);
/* flags: CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION. Waits.
 * Unmap it before a kernel uses the buffer, and before its release. */
int clwMapBuffer(struct clw_buffer *buffer, size_t offset, size_t size,
		 cl_map_flags flags, void **ret_pointer);
int clwUnmapBuffer(struct clw_buffer *buffer, void *pointer);

/*
 * Wait until all commands of the context have ended.
 *
 * Fails with what the first of them failed with: CLW_GPU_CRASH (if the device
 * is lost with it, clwContextState() says so), CLW_OUT_OF_MEMORY (drivers that
 * take memory at first use), CLW_KERNEL_TIMEOUT, CLW_OPENCL_ERROR.
 */
int clwFinish(struct clw_context *context);

/* ---- kernels ------------------------------------------------------------- */

/*
 * A kernel by its name: NAME, NAME.clw or NAME.cl in the working directory,
 * in the directories of CLW_KERNEL_PATH (with colons between them), among the
 * kernels that come with openclaw; or a path. The function is the one of that
 * name, else the only one of the file; "FILE:FUNCTION" names one of several.
 * A file is built once a context, and again when it has changed; .clw is
 * OpenCL C with a header that is a comment (openclaw-clw(5)). The next process
 * has the binary from openclaw/programs in XDG_CACHE_HOME, else ~/.cache, where
 * text, options, device and driver are the same (not with CLW_PROGRAM_CACHE=0,
 * of texts that include others, and below openclaw's layer).
 *
 * Fails with CLW_KERNEL_NOT_FOUND (the message says where it was looked for),
 * CLW_KERNEL_BUILD_FAILURE, CLW_KERNEL_COMPILE_TIMEOUT.
 */
int clwCreateKernel(struct clw_context *context, const char *name,
		    struct clw_kernel **ret_kernel);
/* options: for the compiler, or NULL. Built at each call. */
int clwCreateKernelFromSource(struct clw_context *context, const char *source,
			      const char *options, const char *function,
			      struct clw_kernel **ret_kernel);
void clwReleaseKernel(struct clw_kernel *kernel);

/* The file of a kernel by that name. path: size bytes. */
int clwFindKernel(const char *name, char *path, size_t size);

const char *clwKernelName(const struct clw_kernel *kernel);	/* the function; "" of NULL */
struct clw_context *clwKernelContext(const struct clw_kernel *kernel);
int clwKernelArgCount(const struct clw_kernel *kernel);	/* 0 of NULL */
/* "input"; "" where the driver does not tell. */
const char *clwKernelArgName(const struct clw_kernel *kernel,
			     unsigned int index);
/* "float", "float4*", as OpenCL C calls it; "" where the driver does not tell. */
const char *clwKernelArgType(const struct clw_kernel *kernel,
			     unsigned int index);
/* Bytes of one element of what argument index points to; 0: not known. */
size_t clwKernelElementSize(const struct clw_kernel *kernel,
			    unsigned int index);

/* A kernel's arguments stay set. Threads that share a kernel set them and
 * launch it one at a time, or use clwEnqueueKernel(), which does both at once.
 * A buffer that is released meanwhile is an error of the launch. */
int clwSetArg(struct clw_kernel *kernel, unsigned int index, size_t size,
	      const void *value);
int clwSetArgBuffer(struct clw_kernel *kernel, unsigned int index,
		    struct clw_buffer *buffer);
int clwSetArgLocal(struct clw_kernel *kernel, unsigned int index, size_t size);

/*
 * dimensions:	1 to 3, the length of global and local.
 * local:	NULL: the driver chooses.
 *
 * Returns when it is enqueued. Fails with CLW_ARGUMENT_NOT_SET and
 * CLW_INVALID_ARGUMENT, which name the argument; CLW_INVALID_WORK_SIZE.
 */
int clwLaunch(struct clw_kernel *kernel, unsigned int dimensions,
	      const size_t *global, const size_t *local);

enum clw_arg_kind { CLW_ARG_VALUE, CLW_ARG_BUFFER, CLW_ARG_LOCAL };
struct clw_arg {
	int kind;
	size_t size;			/* of a value, of local memory */
	const void *value;
	struct clw_buffer *buffer;
};

/*
 * Find the kernel, set all of its arguments, launch it: one call, whole among
 * threads. The file is looked for each time; clwCreateKernel() and clwLaunch()
 * do so once.
 *
 * dimensions:	0: as many work-items as the first buffer has elements of the
 *		type that the kernel's argument points to; global is not read.
 */
int clwEnqueueKernel(struct clw_context *context, const char *name,
		     unsigned int dimensions, const size_t *global,
		     const size_t *local, unsigned int count,
		     const struct clw_arg *args);

static inline struct clw_arg clwArgBuffer(struct clw_buffer *buffer)
{
	struct clw_arg arg = { CLW_ARG_BUFFER, 0, NULL, buffer };

	return arg;
}

/* value must live until the call that takes the argument has returned. */
static inline struct clw_arg clwArgValue(size_t size, const void *value)
{
	struct clw_arg arg = { CLW_ARG_VALUE, size, value, NULL };

	return arg;
}

static inline struct clw_arg clwArgLocal(size_t size)
{
	struct clw_arg arg = { CLW_ARG_LOCAL, size, NULL, NULL };

	return arg;
}

/* ---- workloads: in a process of their own -------------------------------- */

/*
 * A kernel that takes the device down takes the process with it: an H200 gives
 * a process that has lost it nothing any more, and a new process works. So a
 * workload runs in a worker, a process that the library starts for each device
 * (the program openclaw-clw-worker, beside libclw, in ../libexec/openclaw from
 * there or where openclaw was to be installed; or CLW_WORKER) and uses again while it lives. The program itself
 * makes no OpenCL call for that. A worker ends with the program.
 */

/*
 * name: as for clwCreateKernel(). Of a .clw file the first [test], or the one
 * called TEST of "NAME#TEST", says the sizes, the arguments and which of them
 * are results (openclaw-clw(5); "freed" is CLW_INVALID_ARGUMENT at
 * clwExecuteWorkload()). The calls below go before that. The file is looked for
 * when it is executed.
 */
int clwCreateWorkload(const char *name, struct clw_workload **ret_workload);
void clwReleaseWorkload(struct clw_workload *workload);

/*
 * Keys, with those of openclaw.yaml's "workload" as defaults:
 *	enable_crash_recovery	0, 1: run it again in a new worker after a
 *				crash, a timeout, a lost device or worker [0]
 *	max_retry_attempts	so often at most, 0 to 1000 [3]
 *	gpu_timeout_ms		time limit of one run, including the build,
 *				0 to 604800000 [0: no limit]
 *	device			its number [CLW_DEFAULT_DEVICE]
 *	seed			of what the file calls "random" [0]
 * Any other is CLW_INVALID_ARGUMENT.
 */
int clwConfigureWorkload(struct clw_workload *workload, const char *key,
			 int64_t value);
int clwWorkloadDevice(const struct clw_workload *workload);

/* Arguments, by index, copied. output: 0: the kernel reads it; 1: it is a
 * result, too. data: NULL: zeros. */
int clwSetWorkloadValue(struct clw_workload *workload, unsigned int index,
			size_t size, const void *value);
int clwSetWorkloadBuffer(struct clw_workload *workload, unsigned int index,
			 size_t size, const void *data, int output);
int clwSetWorkloadLocal(struct clw_workload *workload, unsigned int index,
			size_t size);
int clwSetWorkloadSize(struct clw_workload *workload, unsigned int dimensions,
		       const size_t *global, const size_t *local);

struct clw_output {
	unsigned int index;		/* of the kernel's argument */
	char type[16];			/* "float4" as in the file; "": not known */
	size_t count;			/* elements; of "" bytes */
	size_t size;			/* bytes */
	void *data;
};

/* What a run came to; the caller's, until clwReleaseResult(). */
struct clw_result {
	int status;			/* CLW_OK: it has run to its end */
	cl_int cl_code;
	char *code;			/* "ok", "clw-gpu-crash" */
	char *message;			/* as of clwLastError(); "" */
	unsigned int attempts;		/* runs */
	uint64_t peak_bytes;		/* most memory of the device that its buffers had */
	uint64_t elapsed_ns;		/* of the last run, without the worker's start */
	size_t output_count;
	struct clw_output *outputs;	/* by index */
};

/*
 * Run it and wait. The result is not compared with what the file expects: that
 * is "openclaw test". Workloads of one device wait for each other.
 *
 * ret_result: set unless there was no memory for it on the host, on failure,
 * too; NULL: not wanted.
 *
 * Returns the result's status.
 */
int clwExecuteWorkload(struct clw_workload *workload,
		       struct clw_result **ret_result);
void clwReleaseResult(struct clw_result *result);

/* ---- recovery ------------------------------------------------------------ */

/* Launch a kernel in a worker and look at its result. timeout_ms: 0: 30000, or
 * CLW_GPU_TIMEOUT_MS where that is less. */
int clwProbeDevice(int device, unsigned int timeout_ms);
/*
 * End the device's worker, start a new one, probe: for at most 30 s, or as long
 * as CLW_GPU_TIMEOUT_MS (gpu_timeout_ms) says where that is less. Contexts of
 * this process stay as they are: what a process has lost, on an H200, it does
 * not get back.
 * The device itself is not reset, which takes an administrator (nvidia-smi
 * --gpu-reset).
 */
int clwResetDevice(int device);
/* Probe, in new workers, until that works. timeout_ms: 0: as above. Fails
 * with what the last probe that ended in time has failed with. */
int clwWaitForRecovery(int device, unsigned int timeout_ms);
/* The process of the device's worker, which may have ended; 0: none. */
long clwWorkerProcess(int device);
/* End all workers that are idle. */
void clwEndWorkers(void);

#ifdef __cplusplus
}
#endif

/* ---- places -------------------------------------------------------------- */

#if !defined(__cplusplus) && !defined(CLW_NO_PLACES)
#define CLW_HERE_	clwAt(__FILE__, __LINE__, __func__, NULL)
#if defined(CLW_DEBUG_MEMORY) && CLW_DEBUG_MEMORY
#define clwCreateContext(...) \
	(clwSetDebugMemory(1), CLW_HERE_, clwCreateContext(__VA_ARGS__))
#else
#define clwCreateContext(...)	(CLW_HERE_, clwCreateContext(__VA_ARGS__))
#endif
#define clwCreateBuffer(...)	(CLW_HERE_, clwCreateBuffer(__VA_ARGS__))
#define clwCreateBufferWith(...) (CLW_HERE_, clwCreateBufferWith(__VA_ARGS__))
#define clwCreateBufferOrSmaller(...) \
	(CLW_HERE_, clwCreateBufferOrSmaller(__VA_ARGS__))
#define clwCreateChunks(...)	(CLW_HERE_, clwCreateChunks(__VA_ARGS__))
#define clwEnqueueWrite(...)	(CLW_HERE_, clwEnqueueWrite(__VA_ARGS__))
#define clwEnqueueRead(...)	(CLW_HERE_, clwEnqueueRead(__VA_ARGS__))
#define clwEnqueueCopy(...)	(CLW_HERE_, clwEnqueueCopy(__VA_ARGS__))
#define clwEnqueueFill(...)	(CLW_HERE_, clwEnqueueFill(__VA_ARGS__))
#define clwMapBuffer(...)	(CLW_HERE_, clwMapBuffer(__VA_ARGS__))
#define clwUnmapBuffer(...)	(CLW_HERE_, clwUnmapBuffer(__VA_ARGS__))
#define clwFinish(...)		(CLW_HERE_, clwFinish(__VA_ARGS__))
#define clwCreateKernel(...)	(CLW_HERE_, clwCreateKernel(__VA_ARGS__))
#define clwCreateKernelFromSource(...) \
	(CLW_HERE_, clwCreateKernelFromSource(__VA_ARGS__))
#define clwSetArg(...)		(CLW_HERE_, clwSetArg(__VA_ARGS__))
#define clwSetArgBuffer(...)	(CLW_HERE_, clwSetArgBuffer(__VA_ARGS__))
#define clwSetArgLocal(...)	(CLW_HERE_, clwSetArgLocal(__VA_ARGS__))
#define clwLaunch(...)		(CLW_HERE_, clwLaunch(__VA_ARGS__))
#define clwEnqueueKernel(...)	(CLW_HERE_, clwEnqueueKernel(__VA_ARGS__))
#define clwExecuteWorkload(...)	(CLW_HERE_, clwExecuteWorkload(__VA_ARGS__))
#endif

#endif

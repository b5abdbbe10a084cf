/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of libclw share. Every public function begins with
 * clw_enter(), and calls none of the others; clw_* functions are the insides.
 */
#ifndef CLW_PRIVATE_H
#define CLW_PRIVATE_H

#define CLW_NO_PLACES
#include "clw.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "wire.h"
#include "faults/shared/log_level.h"
#include "faults/shared/units.h"

#pragma GCC visibility push(hidden)

enum {
	CLW_TEXT = 2048,		/* of an error's message */
	CLW_NAME = 128,			/* of devices, functions, arguments */
	CLW_WHAT = 96,			/* "kernel compute" */
	CLW_ARGS_MAX = 256,		/* of a kernel */
};
enum { CLW_NVIDIA_LOST = -9999 };	/* a code of OpenCL that no header has */
#define CLW_SIZE_MAX	((size_t)INT64_MAX)	/* past it a size is a mistake */
#define CLW_NS_PER_S	UINT64_C(1000000000)
#define CLW_NS_PER_MS	UINT64_C(1000000)

/* ---- errors (error.c) */

struct clw_place {
	char file[CLW_NAME];		/* "": not known */
	char function[CLW_NAME];
	char api[CLW_NAME];
	int line;
};

struct clw_error {
	int status;
	cl_int cl_code;
	char function[64];		/* of ours that failed: "clwCreateBuffer" */
	struct clw_place place;
	char text[CLW_TEXT];
};

/* A public function begins: what was said of a place is about it. */
void clw_enter(const char *function);
/* Where the public function was called; never NULL. */
const struct clw_place *clw_place(void);

/* The calling thread's error is this one. Returns status. */
int clw_fail(int status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* ... because OpenCL has returned that code. */
int clw_fail_cl(int status, cl_int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int clw_fail_memory(void);		/* the host's */
/* Kept and given again: of another thread, or of later. */
void clw_error_get(struct clw_error *ret_error);
int clw_error_set(const struct clw_error *error);

/* "CL_INVALID_VALUE"; "an unknown code". */
const char *clw_cl_name(cl_int code);
/* " at example.cpp:45"; "". */
const char *clw_place_text(const struct clw_place *place,
			   char text[2 * CLW_NAME]);

/* ---- settings (settings.c) */


struct clw_settings {
	enum claw_log_level level;
	int device;			/* -1: none given */
	uint64_t memory_timeout_ms;	/* 0: no limit */
	uint64_t max_allocation_mb, reserve_mb;	/* 0: no limit */
	bool paging;
	bool recovery;
	uint64_t retries;
	uint64_t gpu_timeout_ms;	/* 0: no limit */
};
/* From the environment and openclaw.yaml; the level is that of the process
 * from now on. CLW_OK or CLW_INVALID_CONFIGURATION. */
int clw_settings_read(struct clw_settings *ret_settings);

/* ---- log (log.c) */

void clw_log_set(int level);
/* The layer is there, or is not; known with the first platform. */
void clw_layer_ask(cl_platform_id platform);
bool clw_layer_is_there(void);
/* "[CLW DEBUG] TEXT", of what the layer prints, too: not when it is there. */
void clw_log(int level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* ... of what nobody else knows. */
void clw_log_own(int level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* TEXT alone. */
void clw_log_plain(int level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool clw_log_is_on(int level);
uint64_t clw_now_ns(void);
void clw_sleep_ns(uint64_t ns);
/* A deadline; UINT64_MAX: none, which timeout_ns of 0 stands for. */
uint64_t clw_deadline(uint64_t timeout_ns);

/* ---- devices (device.c) */

struct clw_device {
	int number;
	cl_platform_id platform;
	cl_device_id id;
	char name[CLW_NAME];
	uint64_t total, max_buffer, local, max_group;
	bool is_gpu;
	bool is_lazy;			/* takes memory at first use */
};
/* number: CLW_DEFAULT_DEVICE: settings->device, else 0. */
int clw_device_find(int number, const struct clw_settings *settings,
		    struct clw_device *ret_device);

/* ---- work that can be given up (task.c) */

struct clw_context;
struct clw_helper;

struct clw_task {
	void (*run)(struct clw_task *task);
	/* Of a task that was given up, when it has run: frees it and what it
	 * has come to. */
	void (*drop)(struct clw_task *task);
};
/*
 * Run it in a helper thread of the context.
 *
 * Returns true when it has run, and is the caller's again; false after
 * timeout_ns, and then task belongs to the helper.
 */
bool clw_task_run(struct clw_context *context, struct clw_task *task,
		  uint64_t timeout_ns);
/* One more allocation was given up (1), or has returned (-1). */
void clw_given_up(struct clw_context *context, int more);
/* With the context. */
void clw_helpers_end(struct clw_context *context);

/* ---- contexts (context.c) */

enum { CLW_MAGIC_CONTEXT = 0x636c7743, CLW_MAGIC_BUFFER = 0x636c7742,
       CLW_MAGIC_KERNEL = 0x636c774b };

struct clw_command {
	struct clw_command *next;
	cl_event event;
	bool is_launch;
	char what[CLW_WHAT];		/* "kernel compute", "write of 4 KiB" */
	struct clw_place place;
};

struct clw_context {
	uint32_t magic;
	unsigned int references;	/* atomic */
	pid_t pid;
	struct clw_device device;
	cl_context handle;
	cl_command_queue queue;
	cl_command_queue side;		/* of allocations, if the device is lazy */
	uint64_t max_bytes, reserve_bytes;	/* limits; 0: none */
	bool paging;

	pthread_mutex_t lock;		/* of all below */
	pthread_cond_t released;	/* memory was */
	uint64_t memory_timeout_ns, build_timeout_ns, kernel_timeout_ns;
	bool has_own_timeout;
	uint64_t used, peak, buffers;
	int given_up;			/* allocations that still run */
	struct clw_command *first, **end;
	size_t command_count;
	uint64_t launched_ns;		/* the first launch since a finish; 0 */
	bool is_stuck;			/* the kernel timeout was over; atomic */
	bool has_failed, is_lost;
	struct clw_error failed;	/* what no call has told yet */
	struct clw_helper *idle;

	pthread_mutex_t build_lock;	/* of the kernels */
	struct clw_program *programs;
	struct clw_kernel *kernels;	/* of clwEnqueueKernel() */
};

/* Usable here and now, or the calling thread's error says why not. */
int clw_context_check(struct clw_context *context);
void clw_context_get(struct clw_context *context);
void clw_context_put(struct clw_context *context);
/*
 * What OpenCL returned, as an error of the library; finds out whether the
 * device is lost where the code may mean that.
 *
 * launched:	a kernel was under way.
 */
int clw_context_fail(struct clw_context *context, cl_int code, bool launched,
		     const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Has the device been lost, where a code may mean that? Waits for it. */
bool clw_context_is_gone(struct clw_context *context, cl_int code);
/* A time in seconds that a program gave. */
int clw_seconds(double seconds, uint64_t *ret_ns);

/* ---- commands (command.c) */

/* Room for one, before it is enqueued. NULL: no memory on the host, and the
 * error says so. */
struct clw_command *clw_command_new(bool is_launch, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* It is enqueued. */
void clw_command_add(struct clw_context *context, struct clw_command *command);
/* Wait for all; what failed is kept until it is told. CLW_OK, or
 * CLW_KERNEL_TIMEOUT. */
int clw_commands_wait(struct clw_context *context);
/* What failed until now and was not told. */
int clw_commands_tell(struct clw_context *context);
/* Wait, and tell. */
int clw_commands_finish(struct clw_context *context);
void clw_commands_free(struct clw_context *context);

/* ---- buffers (buffer.c, allocate.c) */

struct clw_buffer {
	uint32_t magic;
	unsigned int references;	/* kernels whose argument it is, and its owner */
	struct clw_context *context;	/* a reference, until it is released */
	cl_mem handle;			/* NULL: released; atomic */
	size_t size;
	cl_mem_flags flags;
	void *host;			/* of CL_MEM_USE_HOST_PTR */
	pthread_mutex_t lock;		/* clwLockBuffer() */
};

int clw_buffer_check(const struct clw_buffer *buffer);
void clw_buffer_get(struct clw_buffer *buffer);
void clw_buffer_put(struct clw_buffer *buffer);

struct clw_want {
	size_t size, least;		/* least: smaller ones will do */
	cl_mem_flags flags;
	void *host;
};
/* ret_size: what was to be had. */
int clw_allocate(struct clw_context *context, const struct clw_want *want,
		 cl_mem *ret_handle, size_t *ret_size);
void clw_allocated_free(struct clw_context *context, size_t size);

/* ---- kernels (source.c, build.c, kernel.c) */

/* Of libclw, not ended; NULL: not known. */
const char *clw_own_directory(size_t *ret_length);
/* path: of the file; function: behind the last ":" of name, or "". */
int clw_source_find(const char *name, char *path, size_t path_size,
		    char *function, size_t function_size);
int clw_source_read(const char *path, char **ret_text, size_t *ret_size);

/* A program, and what the driver does not know of its kernels (cache.h). */
struct clw_built {
	cl_program handle;
	struct clw_wire described;
};
/* With build_lock held, and of use as long as it is; ret_number: the same as
 * long as the program is. */
int clw_build_file(struct clw_context *context, const char *path,
		   const struct clw_built **ret_built, uint64_t *ret_number);
/* The caller clears it. */
int clw_build_text(struct clw_context *context, const char *what,
		   const char *text, size_t size, const char *options,
		   struct clw_built *ret_built);
void clw_built_clear(struct clw_built *built);

/* Of an argument; empty: not known. */
struct clw_described {
	char name[CLW_NAME], type[64];
};
void clw_described_ask(cl_kernel kernel, unsigned int index,
		       struct clw_described *ret_described);
void clw_programs_free(struct clw_context *context);
void clw_kernels_free(struct clw_context *context);
/* With build_lock: whether this is the handle of one of them. */
bool clw_programs_have(const struct clw_context *context, const void *object);
bool clw_kernels_have(const struct clw_context *context, const void *object);

#pragma GCC visibility pop

#endif

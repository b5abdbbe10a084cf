/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that uses libclw, and takes the host's memory away from it: the
 * n-th allocation of the library fails, for every n. Each call then works, or
 * says that the host has no memory; nothing is kept, and the next try works.
 */
#define _GNU_SOURCE
#include "config.h"

#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libclw/clw.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static uintptr_t first, last;		/* of libclw's code */
static long left;			/* allocations of its until one fails; 0: none */
static bool failed;

/* ---- memory ----------------------------------------------------------------- */

static bool is_refused(const void *caller)
{
	uintptr_t at = (uintptr_t)caller;

	if (at < first || at >= last ||
	    __atomic_load_n(&left, __ATOMIC_RELAXED) <= 0 ||
	    __atomic_sub_fetch(&left, 1, __ATOMIC_RELAXED))
		return false;
	failed = true;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return is_refused(__builtin_return_address(0)) ? NULL :
	       __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return is_refused(__builtin_return_address(0)) ? NULL :
	       __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
	return is_refused(__builtin_return_address(0)) ? NULL :
	       __libc_realloc(memory, size);
}

static int find_library(struct dl_phdr_info *info, size_t size, void *user)
{
	(void)size, (void)user;
	if (!strstr(info->dlpi_name, "libclw.so"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD &&
		    info->dlpi_phdr[i].p_flags & PF_X) {
			first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			last = first + info->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

/* ---- what is done ------------------------------------------------------------ */

static const char *step;

#define TRY(call_)	(step = #call_, (call_))

static int use(void)
{
	struct clw_context *context = NULL;
	struct clw_buffer *in = NULL, *out = NULL;
	struct clw_chunks *chunks = NULL;
	struct clw_kernel *kernel = NULL;
	struct clw_workload *work = NULL;
	struct clw_result *result = NULL;
	const size_t count = 4;
	float values[4] = { 1, 2, 3, 4 };
	int status;

	if (!(status = TRY(clwCreateContext(0, &context))) &&
	    !(status = TRY(clwCreateBuffer(context, 16, 0, &in))) &&
	    !(status = TRY(clwCreateBuffer(context, 16, 0, &out))) &&
	    !(status = TRY(clwCreateChunks(context, 64, 16, 0, &chunks))) &&
	    !(status = TRY(clwEnqueueWrite(in, 0, 16, values, CLW_ASYNC))) &&
	    !(status = TRY(clwEnqueueKernel(context, "compute", 0, NULL, NULL, 2,
		(struct clw_arg []){ clwArgBuffer(in), clwArgBuffer(out) }))) &&
	    !(status = TRY(clwFinish(context))) &&
	    !(status = TRY(clwEnqueueRead(out, 0, 16, values, 0))) &&
	    !(status = TRY(clwCreateKernel(context, "compute", &kernel))) &&
	    !(status = TRY(clwSetArgBuffer(kernel, 0, in))) &&
	    !(status = TRY(clwSetArgBuffer(kernel, 1, out))) &&
	    !(status = TRY(clwLaunch(kernel, 1, &count, NULL))) &&
	    !(status = TRY(clwCreateWorkload("compute", &work))) &&
	    !(status = TRY(clwSetWorkloadBuffer(work, 0, 16, values, 0))) &&
	    !(status = TRY(clwSetWorkloadBuffer(work, 1, 16, NULL, 1))) &&
	    !(status = TRY(clwSetWorkloadSize(work, 1, &count, NULL))) &&
	    !(status = TRY(clwExecuteWorkload(work, &result))) &&
	    (values[3] != 8 || ((float *)result->outputs[0].data)[3] != 16))
		status = -1;
	clwReleaseResult(result);
	clwReleaseWorkload(work);
	clwReleaseKernel(kernel);
	clwReleaseChunks(chunks);
	clwReleaseBuffer(in);
	clwReleaseBuffer(out);
	clwReleaseContext(context);
	return status;
}

int main(void)
{
	long n = 0, refused = 0;

	dl_iterate_phdr(find_library, NULL);
	if (!first) {
		fprintf(stderr, "clw_memory: where is libclw.so?\n");
		return 1;
	}
	do {
		int status;

		failed = false;
		__atomic_store_n(&left, ++n, __ATOMIC_RELAXED);
		status = use();
		__atomic_store_n(&left, 0, __ATOMIC_RELAXED);
		if (status != CLW_OK && (!failed ||
		    status != CLW_OUT_OF_HOST_MEMORY ||
		    strncmp(clwLastError(), "clw-out-of-host-memory: ", 24))) {
			fprintf(stderr, "clw_memory: allocation %ld: %s: %d, "
				"%s\n", n, step, status, clwLastError());
			return 1;
		}
		refused += status != CLW_OK;
		status = failed ? use() : CLW_OK;
		if (status != CLW_OK) {
			fprintf(stderr, "clw_memory: behind allocation %ld: "
				"%s: %s\n", n, step, clwLastError());
			return 1;
		}
	} while (failed);
	printf("%ld allocations, %ld of them refused with an error\n", n - 1,
	       refused);
	return refused < 20;
}

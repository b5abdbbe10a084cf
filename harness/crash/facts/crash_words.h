/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words for what is in a dump: places, calls, sizes. For crash*.c alone.
 */
#ifndef CLAW_CRASH_WORDS_H
#define CLAW_CRASH_WORDS_H

#include "crash_facts.h"

/* Where a site is in the program's own code, "main (tile.c:88)"; its stable
 * name; its frames. As the dump has them, or as the files here say, where they
 * know more. Malloced; NULL: not known. */
char *claw_crash_place(const struct claw_crash_facts *facts, uint32_t site);
char *claw_crash_site_name(const struct claw_crash_facts *facts, uint32_t site);
char *claw_crash_stack(const struct claw_crash_facts *facts, uint32_t site);

/* Whose code is the first frame that is not the C library's? */
enum claw_crash_top claw_crash_top(const struct claw_crash_facts *facts,
				   uint32_t site);
/* The processor's registers at the fault, "PC=0x10B3 SP=0x7FFE0010 ..."; ""
 * where they are not known. */
const char *claw_crash_registers(const struct claw_crash_facts *facts);
/* Where the fault was, or 0: the address of the code. */
uint64_t claw_crash_counter(const struct claw_crash_facts *facts);

/* The event whose status arrived, or 0. */
claw_object_id claw_crash_event(const struct claw_trace_call *call);

/* "clFinish", "the status of an event" */
const char *claw_crash_api_name(const struct claw_trace_call *call);
/* "CL_OUT_OF_RESOURCES", "-9999": in a buffer of the function's own where it
 * has no name. */
const char *claw_crash_result_name(int32_t result);

/* "#12 clCreateBuffer returned CL_OUT_OF_RESOURCES (INJECTED) at main
 * (tile.c:88)", by index + 1. */
void claw_crash_put_call(FILE *out, const struct claw_crash_facts *facts,
			 uint32_t number);
/* "#15 clEnqueueNDRangeKernel of matmul" and what place is known. */
void claw_crash_put_launch(FILE *out, const struct claw_crash_facts *facts,
			   uint32_t number);
/* "(INJECTED)" with a blank before it, or "". */
const char *claw_crash_tag(const struct claw_trace_call *call);
/* "1024x1024", of sizes that a launch was given. */
void claw_crash_put_sizes(FILE *out, const struct claw_trace_call *launch,
			  const char *parameter);
/* The name of the kernel that it launches, "" where it is not known. */
const char *claw_crash_kernel_of(const struct claw_crash_facts *facts,
				 uint32_t launch);

/* "512 MiB (536,870,912 bytes)", "16 B" */
void claw_crash_put_bytes(FILE *out, uint64_t bytes);

#endif

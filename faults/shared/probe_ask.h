/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layer's functions for a program of ours that launches a kernel thousands
 * of times a second and wants to know after each launch what its probes counted
 * and found (openclaw-explore). Reached through
 * clGetExtensionFunctionAddressForPlatform. They are for a process with one
 * program on one device and one queue, in order.
 */
#ifndef CLAW_PROBE_ASK_H
#define CLAW_PROBE_ASK_H

#include <stdint.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

enum { CLAW_PROBE_ASK_FOUND = 64 };	/* findings of one launch, at most */

/* One finding, as the kernel's words and the map have it. */
struct claw_probe_found {
	uint32_t why;			/* enum claw_probe_why */
	uint32_t line, column;		/* of the program's text; 0: not known */
	uint32_t other_line;		/* of a race's or parting's other place; 0: none */
	uint32_t argument;		/* whose memory it is, from 1; 0: none's */
	int64_t offset;			/* bytes from the object's begin */
	uint64_t bytes;			/* of the object */
	uint32_t global_id[3];
	char kind[16], space[16];	/* "read", "global", as in the map */
	char object[64], function[64];	/* names in the source */
};

struct claw_probe_answer {
	const uint32_t *counters;	/* bits (HIT), the layer's memory */
	uint32_t counter_words;
	uint32_t found_count;
	struct claw_probe_found found[CLAW_PROBE_ASK_FOUND];
};

/* Let the next launch count from nothing. CL_INVALID_PROGRAM: no program with
 * probes is there. */
#define CLAW_PROBES_CLEAR "clawProbesClearOPENCLAW"
typedef cl_int (CL_API_CALL *claw_probes_clear)(cl_command_queue queue);

/* Wait for the queue, and have what the launches since counted and found. */
#define CLAW_PROBES_READ "clawProbesReadOPENCLAW"
typedef cl_int (CL_API_CALL *claw_probes_read)(cl_command_queue queue,
					       struct claw_probe_answer *answer);

/* The counters that a kernel can come to: bits as in counters. How many there
 * are; 0: not known. */
#define CLAW_PROBES_REACH "clawProbesReachOPENCLAW"
typedef cl_uint (CL_API_CALL *claw_probes_reach)(const char *kernel,
						 uint32_t *bits, cl_uint words);

#endif

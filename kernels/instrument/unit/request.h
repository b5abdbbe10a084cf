/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What openclaw-instrument is asked to do: one file, written by the guest, or
 * made from the command line. Text lines "key value", in any order; a value of
 * several lines is "key BYTES" and that many bytes behind the newline, and one
 * more newline.
 *
 *	openclaw-instrument 1
 *	mode hit|count|asan|arithmetic|races|barriers|init	one line each of what is wanted
 *	version CL_DEVICE_OPENCL_C_VERSION	"OpenCL C 1.2 pocl"
 *	extensions CL_DEVICE_EXTENSIONS
 *	address-bits 64
 *	name <source>			how line markers call the main text
 *	alone 1				of clCompileProgram, and linked with no other
 *	separate 1			of clCompileProgram: kernels of other programs may
 *					call its functions (said, too, by a header)
 *	directory /where/the/program/runs	-I and #include are relative to it
 *	macro NAME			the driver does not define it
 *	macro NAME TEXT			it does, as TEXT (NAME itself: a function-like one)
 *	header NAME BYTES		of clCompileProgram
 *	options BYTES			of clBuildProgram or clCompileProgram
 *	source BYTES			the strings of clCreateProgramWithSource, joined
 */
#ifndef CLAW_INSTRUMENT_REQUEST_H
#define CLAW_INSTRUMENT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct claw_request_text {
	char *name, *text;	/* text ends with a NUL behind its bytes */
	size_t bytes;
};

struct claw_request {
	uint32_t modes;		/* enum claw_probe_mode */
	char *version, *extensions, *name, *directory;
	uint32_t address_bits;
	bool is_alone;		/* linked with no other */
	bool is_separate;
	struct claw_request_text *headers, *macros;	/* a macro's text NULL: not defined */
	size_t header_count, macro_count;
	struct claw_request_text options, source;
};

/* path "-" is standard input. 0, or -1 with one line "FILE:LINE: expected ..." in error. */
int claw_request_read(const char *path, struct claw_request *request,
		      char *error, size_t error_size);
/* The same of bytes in memory. */
int claw_request_parse(const char *bytes, size_t size, const char *path,
		       struct claw_request *request, char *error,
		       size_t error_size);
void claw_request_release(struct claw_request *request);

#endif

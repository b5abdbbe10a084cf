/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel files that run by themselves: OpenCL C with a comment header that
 * says what to launch and what to expect (doc/clw-format.md). The header is
 * that of piglit's CL program tests (tests/cl/doc_program.cl there) with keys
 * of our own; ".cl", ".clw" and ".program_test" files are read. Used by the
 * openclaw program, which lists tests, and by openclaw-kernel, which runs one.
 */
#ifndef CLAW_CLW_H
#define CLAW_CLW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/records/finding.h"

enum claw_clw_base {
	CLAW_CLW_CHAR, CLAW_CLW_UCHAR, CLAW_CLW_SHORT, CLAW_CLW_USHORT,
	CLAW_CLW_INT, CLAW_CLW_UINT, CLAW_CLW_LONG, CLAW_CLW_ULONG,
	CLAW_CLW_HALF, CLAW_CLW_FLOAT, CLAW_CLW_DOUBLE,
};

/* "float3": base float, width 3, 16 bytes an element in memory. */
struct claw_clw_type {
	enum claw_clw_base base;
	unsigned int width;		/* 1, 2, 3, 4, 8 or 16 components */
};
size_t claw_clw_base_bytes(enum claw_clw_base base);
size_t claw_clw_type_bytes(struct claw_clw_type type);	/* of an element; 3 counts as 4 */
const char *claw_clw_base_name(enum claw_clw_base base);

enum claw_clw_arg_kind {
	CLAW_CLW_VALUE,		/* by value */
	CLAW_CLW_BUFFER,
	CLAW_CLW_IMAGE,
	CLAW_CLW_SAMPLER,
	CLAW_CLW_LOCAL,		/* local memory, arg_in only */
};

enum claw_clw_fill {
	CLAW_CLW_DATA,		/* data has every element */
	CLAW_CLW_RANDOM,	/* from the run's seed */
	CLAW_CLW_NULL,		/* a NULL cl_mem */
	CLAW_CLW_UNDEFINED,	/* made, and nothing written to it */
};

/* Numbers of cl.h, so that this header needs none. */
struct claw_clw_image {
	size_t width, height;
	uint32_t channel_order, channel_type;
};
struct claw_clw_sampler {
	bool is_normalized;
	uint32_t addressing, filter;
};

/* One arg_in or arg_out line. */
struct claw_clw_arg {
	enum claw_clw_arg_kind kind;
	unsigned int index;		/* of the kernel's argument */
	unsigned int line;		/* in the file */
	struct claw_clw_type type;
	size_t count;			/* elements */
	enum claw_clw_fill fill;
	void *data;			/* count elements as in device memory, or NULL */
	size_t size_bytes;		/* count elements */
	/* arg_out: how far off a component may be */
	double tolerance;		/* infinite: any value, NaN too */
	uint64_t tolerance_ulp;		/* in units in the last place */
	/* own keys, behind the value */
	bool has_guard;
	size_t guard_bytes;		/* "guard N": this argument's guard zones */
	bool is_sub_buffer;		/* "offset N": a sub-buffer of a larger one */
	size_t offset_bytes;		/* where it begins there */
	bool has_alias;			/* "alias N": the memory of argument N */
	unsigned int alias;
	bool is_freed;			/* "freed": released before the launch */
	uint64_t mem_flags;		/* CL_MEM_*: "read_only", "write_only", "use_host_ptr" ...; 0: CL_MEM_READ_WRITE */
	struct claw_clw_image image;
	struct claw_clw_sampler sampler;
};

/* One [test], with what it takes from [config] filled in. */
struct claw_clw_test {
	char *name;			/* as written; NULL: none */
	char *case_name;		/* fit for --filter and file names, one of a kind in the file */
	unsigned int line;
	char *kernel;			/* kernel_name */
	unsigned int dimensions;	/* 1 to 3 */
	size_t global[3];
	bool has_local, has_offset;
	size_t local[3], offset[3];
	bool expect_fail;		/* expect_test_fail */
	struct claw_clw_arg *in, *out;
	size_t in_count, out_count;
	/* own keys */
	uint64_t timeout_ms;		/* 0: none given */
	unsigned int repeat;		/* launches, from 1 */
	size_t guard_bytes;		/* around every buffer, default CLAW_CLW_GUARD_BYTES */
	char *expect_fault;		/* a clw-code, or NULL */
	struct claw_expected_finding *expected;
	size_t expected_count;
	char *xfail;			/* reason, or NULL: known to fail */
	char *xfail_driver;		/* ... only on such a driver, or NULL: on all */
	char **tags;			/* NULL-terminated, or NULL */
};

enum { CLAW_CLW_GUARD_BYTES = 256 };

struct claw_clw {
	char *path;
	char *name;			/* config's name, or the file's without suffix */
	/* [config] */
	unsigned int clc_version_min, clc_version_max;	/* 10, 11, 12, 20, 30; 0: any */
	char *platform_regex, *device_regex;
	char **platform_extensions, **device_extensions;	/* NULL-terminated, or NULL */
	char *build_options;		/* or NULL */
	char **assume;			/* texts of assume.h, NULL-terminated, or NULL */
	bool needs_images;		/* need_image_support, or an image argument */
	/* Then there is one test without a kernel; so, too, where nothing but
	 * the build is tested (no [test]). */
	bool expect_build_fail;
	/* What is built. Lines are those of source_path: what is before [program
	 * source] is replaced by empty lines. */
	char *source;
	char *source_path;		/* path, or that of program_source_file */
	struct claw_clw_test *tests;
	size_t test_count;
};

struct claw_clw_error {
	char message[512];		/* "file:line:column: expected ...", one line */
};

/*
 * Read a file.
 *
 * Returns 0, -CLAW_E_NOT_FOUND (it has no header: a plain kernel file; reterr
 * says so), -CLAW_E_SYNTAX, -CLAW_E_IO (errno set) or
 * -CLAW_E_LIMIT; reterr says what it is.
 */
int claw_clw_read(const char *path, struct claw_clw **ret_clw,
		  struct claw_clw_error *reterr);
/* The same of a text; path is for messages and for the suffix. */
int claw_clw_parse(const char *path, const char *text, size_t size,
		   struct claw_clw **ret_clw, struct claw_clw_error *reterr);
void claw_clw_free(struct claw_clw *clw);

/* By case_name; NULL when there is none. */
const struct claw_clw_test *claw_clw_find(const struct claw_clw *clw,
					  const char *case_name);

#endif

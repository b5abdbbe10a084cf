/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "openclaw init": a kernel file's arguments, asked of a driver in a child
 * process, and the header that is made of them.
 */
#ifndef CLAW_INIT_KERNELS_H
#define CLAW_INIT_KERNELS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What "openclaw __kernels" said. */
struct claw_init_answer {
	json_t *kernels;	/* array of objects: name, args, local */
	char *version, *extensions;	/* of the device that was asked, or NULL */
	size_t max_group;	/* its largest work-group; 0: unknown */
	bool has_no_device;
	bool has_no_build;	/* code and log then */
	int code;
	char *log;		/* never NULL then */
	char *problem;		/* one line: the driver did not answer; or NULL */
};

/*
 * Build path with build_options and ask. set_env: as in struct claw_run_spec.
 *
 * Returns 0, -CLAW_E_SPAWN or -CLAW_E_CANCELLED.
 */
int claw_init_ask(const char *path, const char *build_options,
		  char *const *set_env, struct claw_init_answer *ret_answer);
void claw_init_answer_release(struct claw_init_answer *answer);
/* Ends the command named verb where the driver did not answer, path does not
 * build, or has no kernel. */
void claw_init_answer_check(const char *verb, const char *path,
			    const struct claw_init_answer *answer);
/* Of an element of kernels; "" where it has none. */
const char *claw_init_kernel_name(const json_t *kernel);
/* The kernel of that name, borrowed; ends the command where there is none. */
const json_t *claw_init_find_kernel(const char *verb, const char *path,
				    const struct claw_init_answer *answer,
				    const char *name);

/* One kernel's [test], or why there is none. */
struct claw_init_left_out {
	const char *kernel;
	char *reason;
};

struct claw_init_header {
	const char *file;		/* name, for a comment */
	const char *build_options;	/* or NULL */
	const char *source;
	const json_t *const *kernels;	/* those that are wanted */
	size_t kernel_count;
	/* set by claw_init_write(): */
	size_t written;
	struct claw_init_left_out *left_out;	/* kernel_count places */
	size_t left_out_count;
};

/* Write the header and, where written is not 0 then, nothing else: the source
 * is the caller's to add. */
void claw_init_write(FILE *out, struct claw_init_header *header);
void claw_init_header_release(struct claw_init_header *header);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read what the probes of an instrumented text stand for: a KEY.map of the
 * session's blobs, whose form is in kernels/instrument/unit/map.h. It is made by
 * openclaw-instrument, and may be hostile all the same.
 */
#ifndef CLAW_PROBE_MAP_H
#define CLAW_PROBE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counters joined with + and -: a part of claw_probe_map.terms. */
struct claw_map_sum {
	size_t first, count;
};

struct claw_map_term {
	uint32_t counter;
	bool is_minus;
};

struct claw_map_function {
	uint32_t counter, file, first_line, last_line;
	char *name;
};

struct claw_map_line {
	uint32_t file, line;
	struct claw_map_sum runs;
};

struct claw_map_branch {
	uint32_t file, line, block, arm;
	struct claw_map_sum taken;
	char *kind;		/* "if", "?:", ... */
};

struct claw_map_access {
	uint32_t number, file, line, column, bytes;
	char *kind;		/* "read", "write", "atomic", "divide", "shift" */
	char *space;		/* "global", ... or "-" */
	char *function;
	char *object;		/* the variable, or "-" */
	char *text;		/* of the expression */
};

/* A kernel, or function, without probes. */
struct claw_map_plain {
	char *name, *reason;
	uint32_t file, line;
};

struct claw_probe_map {
	uint32_t counters, accesses;	/* how many there are */
	char **files;			/* paths; [0] is the main text's name */
	size_t file_count;
	struct claw_map_term *terms;
	size_t term_count;
	struct claw_map_function *functions;
	size_t function_count;
	struct claw_map_line *lines;
	size_t line_count;
	struct claw_map_branch *branches;
	size_t branch_count;
	char **kernels;			/* names */
	size_t kernel_count;
	struct claw_map_access *list;	/* accesses, by number */
	size_t list_count;
	struct claw_map_plain *plain;
	size_t plain_count;
};

/*
 * Every file, counter and access that something names is there. Keys that are
 * not known are left out.
 *
 * Returns 0, -CLAW_E_IO (errno set), -CLAW_E_SYNTAX ("PATH:LINE: expected
 * ..." in error) or -CLAW_E_LIMIT.
 */
int claw_probe_map_read(const char *path, struct claw_probe_map *ret_map,
			char *error, size_t error_size);
int claw_probe_map_parse(const char *bytes, size_t size, const char *path,
			 struct claw_probe_map *ret_map, char *error,
			 size_t error_size);
void claw_probe_map_release(struct claw_probe_map *map);

/* NULL: the map does not have it. */
const struct claw_map_access *
claw_probe_map_access(const struct claw_probe_map *map, uint32_t number);

#endif

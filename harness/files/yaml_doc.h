/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A YAML file whose mistakes are told by their place: "FILE:LINE:COLUMN:
 * expected ..., found ...". Keys come in tables; a key that is in none is an
 * error with the nearest one that is.
 */
#ifndef CLAW_YAML_DOC_H
#define CLAW_YAML_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

enum { CLAW_YAML_BYTES_MAX = 4 << 20 };

struct claw_yaml {
	const char *path;	/* borrowed */
	char *bytes;
	size_t size;
	yaml_document_t document;
	bool is_loaded;
	yaml_node_t *root;
	char *error;		/* where mistakes are told; borrowed */
	size_t error_size;
};

/*
 * Read a file, or a text that stands for it. error is kept: mistakes that are
 * found later go there, too.
 *
 * Returns 0, -CLAW_E_IO (errno set), -CLAW_E_LIMIT or -CLAW_E_SYNTAX, always
 * with a line in error. Release it in any case.
 */
int claw_yaml_read(const char *path, struct claw_yaml *ret_yaml, char *error,
		   size_t error_size);
int claw_yaml_parse(const char *path, const char *bytes, size_t size,
		    struct claw_yaml *ret_yaml, char *error,
		    size_t error_size);
void claw_yaml_release(struct claw_yaml *yaml);

/* Tell a mistake at a node's place, or at a byte of a text in one line.
 * Return -CLAW_E_SYNTAX. */
int claw_yaml_fail(const struct claw_yaml *yaml, const yaml_node_t *node,
		   const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int claw_yaml_fail_in(const struct claw_yaml *yaml, const yaml_node_t *node,
		      size_t column, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* "a list", "\"red\"", "nothing": what a node is, in a buffer of its own. */
const char *claw_yaml_found(const yaml_node_t *node);

typedef int claw_yaml_take(const struct claw_yaml *yaml,
			   const yaml_node_t *node, void *user);

struct claw_yaml_key {
	const char *name;	/* NULL ends the table */
	claw_yaml_take *take;
};

/* Each key of a mapping, once. what: "a case". */
int claw_yaml_walk(const struct claw_yaml *yaml, const yaml_node_t *mapping,
		   const char *what, const struct claw_yaml_key *keys,
		   void *user);

/* A key that is taken elsewhere. */
claw_yaml_take claw_yaml_skip;

/* Each item of a list; with or_one, a text is a list of one. At least one. */
int claw_yaml_each(const struct claw_yaml *yaml, const yaml_node_t *list,
		   const char *what, bool or_one, claw_yaml_take *take,
		   void *user);

/* A text that is not empty and has no NUL, borrowed from the document. */
int claw_yaml_text(const struct claw_yaml *yaml, const yaml_node_t *node,
		   const char *what, const char **ret_text);
/* The same as a copy, in place of what was there. */
int claw_yaml_copy(const struct claw_yaml *yaml, const yaml_node_t *node,
		   const char *what, char **text);
/* A duration with its unit. */
int claw_yaml_duration(const struct claw_yaml *yaml, const yaml_node_t *node,
		       uint64_t *ret_ms);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings: what a tool, or the kernel runner's guard zones, saw go wrong, and
 * the expectations that a case has of them.
 */
#ifndef CLAW_FINDING_H
#define CLAW_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum claw_finding_kind {
#define FINDING(id_, name_, about_, code_, leads_) CLAW_FINDING_##id_,
#include "finding_kinds.def"
#undef FINDING
	CLAW_FINDING_KIND_COUNT,
};

/* "invalid-write"; find: -1 when there is no such kind. */
const char *claw_finding_kind_name(enum claw_finding_kind kind);
int claw_finding_kind_find(const char *name);
const char *claw_finding_kind_code(enum claw_finding_kind kind);	/* or NULL */
/* Of what a device may make of it; or NULL. */
const char *claw_finding_kind_leads_to(enum claw_finding_kind kind);
bool claw_finding_kind_is_kernel(enum claw_finding_kind kind);

enum claw_address_space {
	CLAW_SPACE_UNKNOWN, CLAW_SPACE_GLOBAL, CLAW_SPACE_LOCAL,
	CLAW_SPACE_CONSTANT, CLAW_SPACE_PRIVATE,
};
const char *claw_space_name(enum claw_address_space space);	/* "" when unknown */
int claw_space_find(const char *name);	/* or -1 */

/* One thing that was seen, once for each kind, space, kernel, file and line.
 * Texts are "" when unknown, never NULL. */
struct claw_finding {
	enum claw_finding_kind kind;
	bool is_null;		/* an access through a NULL pointer */
	uint32_t also;		/* kinds that it is besides, as bits (1u << kind) */
	enum claw_address_space space;
	char *what;		/* the tool's words, one line, without addresses */
	char *kernel;		/* kernel's or function's name */
	char *file;		/* source */
	unsigned int line, column;	/* from 1; 0: unknown */
	unsigned int other_line;	/* of the same file: a race's other access; 0: none */
	char *work_item;	/* "2,0,0": global id of the first one seen */
	uint64_t size_bytes;	/* of the access, 0: unknown */
	char *text;		/* the first report of it, whole */
	unsigned int times;	/* reports of it */
};

struct claw_findings {
	struct claw_finding *items;
	size_t count;
};

/* The finding's own code, or NULL. */
const char *claw_finding_code(const struct claw_finding *finding);

/* Count one more of the same, or add a copy (texts may be NULL there: taken
 * as ""). */
void claw_findings_add(struct claw_findings *findings,
		       const struct claw_finding *finding);
/* Is the same there: kind, space, kernel or function, file and line? */
bool claw_findings_has(const struct claw_findings *findings,
		       const struct claw_finding *finding);
/* Deep copy. */
void claw_findings_copy(const struct claw_findings *findings,
			struct claw_findings *ret_copy);
void claw_findings_release(struct claw_findings *findings);

/* "invalid-write of 4 bytes in k (bounds.clw:12:9), work-item 8,0,0, 3 times";
 * malloced. */
char *claw_finding_sentence(const struct claw_finding *finding);

/*
 * What makes findings of two runs the same are kind, kernel, file and words: the
 * file's name with its folder ("kernels/blur.cl", in path itself), since what is
 * above it is another on each machine, and the words with N for each number,
 * malloced. Lines move.
 */
const char *claw_finding_end_of_path(const char *path);
char *claw_finding_without_numbers(const char *text);

/* "KIND [SPACE] [LINE[-LINE]] [!TOOL]": what a case says that a tool must, or
 * may, see. */
struct claw_expected_finding {
	enum claw_finding_kind kind;
	enum claw_address_space space;	/* UNKNOWN: any */
	unsigned int line;		/* 0: any */
	unsigned int last_line;		/* or up to this one; 0: line alone */
	char blind[16];			/* the tool that cannot see it, or "" */
	bool is_optional;		/* allow_finding */
};

/* 0, or -CLAW_E_SYNTAX with what was expected in error (one line, without a
 * place). */
int claw_expected_finding_parse(const char *text,
				struct claw_expected_finding *ret_expected,
				char *error, size_t error_size);
/* "invalid-write global 12"; malloced. */
char *claw_expected_finding_text(const struct claw_expected_finding *expected);
bool claw_expected_finding_matches(const struct claw_expected_finding *expected,
				   const struct claw_finding *finding);

#endif

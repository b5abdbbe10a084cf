/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The points of a sweep: one fault at one call, or that after another point's.
 * They come from the calls of a run without faults, and from the calls that a
 * faulted run makes for the first time.
 */
#ifndef CLAW_SWEEP_POINTS_H
#define CLAW_SWEEP_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/evidence/evidence.h"
#include "sweep_kinds.h"

#define CLAW_SWEEP_NOT_REVEALED SIZE_MAX

/* A place that calls a function. */
struct claw_sweep_site {
	enum claw_api api;
	uint64_t hash;
	char *name;		/* stable: "load_tile < main" */
	char *place;		/* "load_tile (tile.c:88)" */
	char *file;		/* of the place, or NULL */
	unsigned int line;
	bool is_python;
	uint64_t calls;		/* that have this name, by now */
	char *stack;		/* all of it, as text */
	size_t alike;		/* the first site with that stack, which is the same
				 * place in the source: loops are unrolled */
	uint64_t seen;		/* of that one: calls at all that are alike */
	bool hardening;		/* only points of hardening lead there */
	bool has_finding;	/* a point there, or at one alike, is one */
	size_t later;		/* sites of that function first called later,
				 * without faults */
};

struct claw_sweep_point {
	size_t site;		/* in claw_sweep_points.sites */
	struct claw_sweep_kind kind;
	uint64_t at_site;	/* which call there, from 1 */
	uint64_t of_api;	/* the rule's number, where it counts all calls of
				 * the function; else 0 */
	size_t nth_kind;	/* among the faults of that call */
	char *name;		/* "clCreateBuffer oom once at load < main #1" */
	char *rule;		/* "clCreateBuffer:oom:site=9f31c2:when=1" */
	char *other_rule;	/* for the same call, where the stack or the number
				 * of the call is not what it was; NULL: is the rule */
	size_t revealed_by;	/* the point that has to fire first, whose rules
				 * go before; or CLAW_SWEEP_NOT_REVEALED */
};

/* Which calls are wanted. */
struct claw_sweep_choice {
	struct claw_sweep_kinds kinds;
	const struct claw_strings *functions;	/* globs; none: all but releases */
	uint64_t depth;		/* calls at each site, from the first; 0: all */
	bool compound;		/* after a fault also calls that were made without */
	uint64_t seed;		/* of random decisions in the program's runs */
};

struct claw_sweep_points {
	struct claw_sweep_choice choice;
	struct claw_sweep_point *items;
	size_t count;
	struct claw_sweep_site *sites;
	size_t site_count, first_sites;	/* first: without faults */
	bool has_python;	/* the process is CPython */
	uint64_t calls;		/* without faults */
	uint64_t all_count;	/* points with every call of it */
	uint64_t lost_calls;	/* that nothing is known of */
};

/*
 * The points of a run without faults, the most telling first: the first call of
 * each site, each with its first fault, then its second; of these first one
 * site of each function. What is called late comes before what is called early:
 * set-up is checked by nearly every program, and the later a call, the more
 * there is to clean up and to lose. The order depends on the calls alone.
 *
 * The caller releases.
 */
void claw_sweep_points_find(const struct claw_sweep_choice *choice,
			    const struct claw_evidence *baseline,
			    struct claw_symbolizer *symbolizer,
			    struct claw_sweep_points *ret_points);
/* Append those that the run of point number `index` has shown. */
void claw_sweep_points_reveal(struct claw_sweep_points *points, size_t index,
			      const struct claw_evidence *evidence,
			      struct claw_symbolizer *symbolizer);
/* The rule did not fire: take the other one. false: that was it. */
bool claw_sweep_point_turn(struct claw_sweep_point *point);
void claw_sweep_points_release(struct claw_sweep_points *points);

/* The rules of a point, in order; the array is malloced, the texts are
 * borrowed; count of them. */
char **claw_sweep_point_rules(const struct claw_sweep_points *points,
			      size_t index, size_t *ret_count);
/* "RULE; RULE", malloced. */
char *claw_sweep_point_fault(const struct claw_sweep_points *points,
			     size_t index);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each parameter of the functions is, made from its type, its name and
 * its role: no list of functions is needed for what a trace says of them.
 */
#ifndef CLAW_TRACE_SHAPE_H
#define CLAW_TRACE_SHAPE_H

#include "faults/shared/api.h"

enum claw_shape_kind {
	CLAW_SHAPE_WORD,	/* a number */
	CLAW_SHAPE_OBJECT,
	CLAW_SHAPE_OBJECTS,	/* a list that the program gives */
	CLAW_SHAPE_OBJECTS_OUT,	/* a list or one that the driver gives */
	CLAW_SHAPE_IN,		/* bytes that the driver reads: known by the type */
	CLAW_SHAPE_PROPERTIES,
	CLAW_SHAPE_DATA_IN,	/* bytes of memory objects: host_ptr, a write's */
	CLAW_SHAPE_DATA_OUT,	/* where a read puts them */
	CLAW_SHAPE_TEXTS,
	CLAW_SHAPE_LENGTHS,	/* of TEXTS */
	CLAW_SHAPE_VALUE_OUT,	/* the answer of a query: its size is the parameter
				 * before it */
	CLAW_SHAPE_OUT,		/* one, or a list of element_bytes each */
	CLAW_SHAPE_SVM,
	CLAW_SHAPE_SVM_LIST,
	CLAW_SHAPE_MAPPED,
	CLAW_SHAPE_ERRCODE,
	CLAW_SHAPE_CALLBACK,
	CLAW_SHAPE_USER_DATA,
};

struct claw_shape {
	enum claw_shape_kind kind;
	enum claw_obj object;		/* OBJECT*: of that type */
	bool is_pointer;
	bool is_list;			/* OUT: its count is the parameter before it */
	uint8_t element_bytes;		/* OUT */
};

const struct claw_shape *claw_shape_get(enum claw_api api, unsigned int param);
/* The parameter that says how many items are in this list or how many bytes it
 * has, or -1. */
int claw_shape_find_count(enum claw_api api, unsigned int param);
/* The parameter of that name, or -1. */
int claw_shape_find_name(enum claw_api api, const char *name);

#endif

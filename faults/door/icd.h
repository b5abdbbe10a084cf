/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attaching as an ICD, for loaders without layers: the loader takes the guest
 * for a driver. The guest opens the real drivers (OPENCLAW_ICD_TARGET), returns
 * their platforms unchanged, and writes its wrappers into the drivers' own
 * dispatch tables. Objects keep their first word, which some drivers read.
 *
 *	icd.c		what the loader calls; the libraries, the platforms
 *	icd_start.c	whose calls are the program's
 *	icd_table.c	a driver's table: how long it is, how it is written
 *	icd_calls.c	the slots, and the functions below them
 */
#ifndef CLAW_ICD_H
#define CLAW_ICD_H

#include "faults/call/guest.h"

enum { CLAW_ICD_TABLES = 16 };

/* A dispatch table of a driver's. Never freed. */
struct claw_icd_table {
	void **theirs;		/* where the driver has it */
	size_t slots;		/* that it has and we know */
	struct _cl_icd_dispatch next;	/* as it was; what is not there is NULL */
	struct _cl_icd_dispatch ours;	/* as it is with us in it */
	uintptr_t low, bytes;	/* the code of the driver */
	bool by_object;		/* theirs could not be written: objects get ours */
};

extern struct claw_icd_table claw_icd_tables[CLAW_ICD_TABLES];
extern unsigned int claw_icd_table_count;

/* Code ranges with which each call compares its return address. */
struct claw_icd_look {
	uintptr_t low, bytes;	/* code of the first driver */
	uint32_t always;	/* not 0: ask claw_icd_is_own() about every call */
	uint32_t adopts;	/* not 0: objects get our table; always is set, too */
};
extern struct claw_icd_look claw_icd_look;

/* ---- icd_start.c */

/* The loader that caller is an address of is in the middle of its start. */
void claw_icd_note_loader(const void *caller);
/* Did the loader make that call for itself while it starts, or a driver
 * through its own table? caller: where the call returns to. */
bool claw_icd_is_own(enum claw_api api, const void *caller);

/* ---- icd.c */

/* Implementations of the two entry points without a handle (claw_next). */
cl_int CL_API_CALL claw_icd_platform_ids(cl_uint count,
					 cl_platform_id *platforms,
					 cl_uint *ret_count);
void *CL_API_CALL claw_icd_function(const char *name);

/* ---- icd_table.c */

/* Learn the table that the platform begins with. NULL: why says what is
 * wrong with it. */
struct claw_icd_table *claw_icd_table_learn(cl_platform_id platform,
					    const char **ret_why);
/* The table, by the first word of an object; the first one for what is none
 * of ours. */
struct claw_icd_table *claw_icd_table_of(const void *object);
/* Put our calls into all tables that have been learnt. Returns how many slots
 * of one of them are ours, at most. */
unsigned int claw_icd_tables_hook(void);
/* An object that the program is given: its first word, where the table could
 * not be written. NULL is fine. */
void claw_icd_adopt(void *object);
/* Bounds of the code around an address; false: it is in no loaded object. */
bool claw_icd_code_of(const void *address, uintptr_t *ret_low,
		      uintptr_t *ret_bytes);

/* ---- icd_calls.c */

/* Our call for every slot of table->next that is not NULL, into
 * table->ours. Returns how many. */
unsigned int claw_icd_calls_fill(struct claw_icd_table *table);
/* Make claw_next: the one table, or calls that choose among several. */
void claw_icd_calls_set_next(void);

#endif

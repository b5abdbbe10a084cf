/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ledger: every object that the program holds, who made it, what keeps
 * what alive. It is in a file of the session (ledger_format.h), so that
 * nothing is lost when the process is killed.
 *
 * Any thread may call any of these at any time; all but begin, is_on and
 * interest only while it is on. Each object is known under its handle; a call
 * that ends one says so before the driver is asked, because the driver may
 * give the address away at once.
 */
#ifndef CLAW_LEDGER_H
#define CLAW_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "faults/call/guest.h"
#include "faults/shared/ledger_format.h"

/*
 * Begin in this process, or anew in a forked child, whose parent's objects it
 * does not know. Beside the journal that is open; says so on stderr and stays
 * off when there is no room for the file.
 */
CLAW_HIDDEN void claw_ledger_begin(enum claw_ledger_mode mode);
CLAW_HIDDEN bool claw_ledger_is_on(void);

/*
 * Data about an object's memory, kept for the memory accounting in the bits of
 * an entry's mem_flags that no cl_mem_flags uses. Its address on the device, or
 * 0, is the entry's hold.
 */
#define CLAW_MODEL_BITS		(UINT64_C(0xff) << 56)
#define CLAW_MODEL_KNOWN	(UINT64_C(1) << 63)	/* the rest is of a device */
#define CLAW_MODEL_TAKEN	(UINT64_C(1) << 62)	/* its bytes are counted */
#define CLAW_MODEL_LATER	(UINT64_C(1) << 61)	/* the first command takes them */
#define CLAW_MODEL_PINNED	(UINT64_C(1) << 60)	/* so are its pinned bytes */
#define CLAW_MODEL_PHANTOM	(UINT64_C(1) << 59)	/* the driver has none of it */
#define CLAW_MODEL_DEVICE_SHIFT	56
#define CLAW_MODEL_DEVICES	(UINT64_C(7) << CLAW_MODEL_DEVICE_SHIFT)

/* Facts about a new object. */
struct claw_ledger_new {
	const void *handle, *parent;
	uint64_t bytes, mem_flags;
	enum claw_api api;
	enum claw_obj object;
	uint8_t flags;			/* enum claw_ledger_flags */
	uint32_t site;			/* 0: the call in progress is looked at */
	uint32_t place;			/* of its memory on the device (model.h), or 0 */
	const void *kernel;		/* what it holds, this one will, too; or NULL */
	bool kernel_lives;		/* and the program has all that it holds */
};

/*
 * A thread's turn at the ledger. ALONE: no other thread has ever had one, so
 * that nothing is locked and nothing atomic; what is ALONE ends before a
 * second thread's first turn begins. NONE: not now (see claw_turn_begin()).
 */
enum claw_turn { CLAW_TURN_NONE, CLAW_TURN_ALONE, CLAW_TURN_SHARED };

/* Observer of entries, called with the ledger locked: added, restored (its
 * release failed), removed. A member may be NULL. */
struct claw_ledger_observer {
	void (*born)(enum claw_turn turn,
		     const struct claw_ledger_entry *entry);
	void (*restored)(enum claw_turn turn,
			 const struct claw_ledger_entry *entry);
	void (*died)(enum claw_turn turn,
		     const struct claw_ledger_entry *entry);
};
/* After claw_ledger_begin(), which knows of none. */
CLAW_HIDDEN void claw_ledger_observe(const struct claw_ledger_observer *observer);

/* The memory accounting (model.h); at most one, set once.
 * All but entering are asked only of entries that are CLAW_MODEL_KNOWN. */
struct claw_ledger_memory {
	/* An object that the call made: its bits and its place. */
	void (*entering)(const struct claw_call *call,
			 struct claw_ledger_new *made);
	/* It was not entered after all. Without a turn nothing is given back. */
	void (*not_entered)(enum claw_turn turn,
			    const struct claw_ledger_new *made);
	/* Under the lock of its place: the entry ends, and gives back what it
	 * has. */
	void (*ending)(enum claw_turn turn, struct claw_ledger_entry *entry);
	/* The release failed: it is there again. */
	void (*restored)(enum claw_turn turn, struct claw_ledger_entry *entry);
	/* Under the lock: does what launches and kernels hold of it keep it
	 * alive? */
	bool (*is_retained)(const struct claw_ledger_entry *entry);
};
CLAW_HIDDEN void claw_ledger_account(const struct claw_ledger_memory *memory);

/* The driver made it. False: there was no room for it. */
CLAW_HIDDEN bool claw_ledger_created(const struct claw_ledger_new *made);

CLAW_HIDDEN void claw_ledger_retained(enum claw_obj object,
				      const void *handle);

/*
 * The same before the driver is asked, of what the program has a reference to.
 * False: nothing was done, that is not known of it. When the driver refuses,
 * what came of it is taken back; old_site is what it was.
 */
CLAW_HIDDEN bool claw_ledger_retaining(enum claw_obj object, const void *handle,
				       uint32_t site, uint32_t *ret_old_site);
CLAW_HIDDEN void claw_ledger_not_retained(enum claw_obj object,
					  const void *handle,
					  uint32_t old_site);
/* A release before the driver is asked, that is not the program's last. False:
 * nothing was done, it is, or it is not known. claw_ledger_kept() takes it
 * back, of an entry whose handle is 0. */
CLAW_HIDDEN bool claw_ledger_releasing_one(enum claw_obj object,
					   const void *handle);

/* The same of the program's last one, of the object with that serial; *ret_ended
 * as of claw_ledger_releasing(). */
CLAW_HIDDEN bool claw_ledger_releasing_last(enum claw_obj object,
					    const void *handle, uint64_t serial,
					    struct claw_ledger_entry *ret_ended);

/*
 * A release, before the driver is asked. KNOWN: a reference that the program
 * is known to have had; when the driver does not release it, claw_ledger_kept()
 * takes that back, with the same *ended: the entry if it was the last thing to
 * keep the object, else its handle is 0. Its serial is 0, too, unless that was
 * the program's last reference.
 */
enum claw_ledger_release { CLAW_LEDGER_UNKNOWN, CLAW_LEDGER_KNOWN };
CLAW_HIDDEN enum claw_ledger_release
claw_ledger_releasing(enum claw_obj object, const void *handle,
		      struct claw_ledger_entry *ret_ended);
CLAW_HIDDEN void claw_ledger_kept(enum claw_obj object, const void *handle,
				  const struct claw_ledger_entry *ended);

/* One of several that are freed by one call: before, and after the driver was
 * asked. */
CLAW_HIDDEN bool claw_ledger_freeing(enum claw_obj object, const void *handle);
CLAW_HIDDEN void claw_ledger_freed(enum claw_obj object, const void *handle,
				   bool success);

/* The value of an argument, before the driver is called: the program has
 * a reference to the kernel, and to what the value names, if it is a handle. */
enum claw_ledger_argument {
	CLAW_ARGUMENT_DOUBTFUL,	/* not that the ledger knows */
	CLAW_ARGUMENT_NUMBER,	/* the kernel; the value is no known handle */
	CLAW_ARGUMENT_NEW,	/* both; the kernel has another value */
	CLAW_ARGUMENT_SAME,	/* and it has that value: the ledger has it all */
};
CLAW_HIDDEN enum claw_ledger_argument
claw_ledger_look_at_arg(const void *kernel, uint32_t index, size_t size,
			const void *value);
/* Is it the last of those? False: or not that this look can tell. */
CLAW_HIDDEN bool claw_ledger_has_arg(const void *kernel, uint32_t index,
				     size_t size, const void *value);
/* clSetKernelArg was a success. */
CLAW_HIDDEN void claw_ledger_set_arg(const void *kernel, uint32_t index,
				     size_t size, const void *value);

/* A copy of the entry with that handle, of that object's class, whatever its
 * type. False: there is none. */
CLAW_HIDDEN bool claw_ledger_copy(enum claw_obj object, const void *handle,
				  struct claw_ledger_entry *ret_entry);
/* Set flags of an object, if it is there; with no_reference, only when the
 * program has no reference. */
CLAW_HIDDEN void claw_ledger_mark(enum claw_obj object, const void *handle,
				  uint8_t flags, bool no_reference);
/* The objects that an object holds: at most max, copied; *ret_all: that is all. */
CLAW_HIDDEN unsigned int claw_ledger_holds(enum claw_obj object,
					   const void *handle,
					   struct claw_ledger_hold *ret_holds,
					   unsigned int max, bool *ret_all);

/* Has the program a reference to all that it holds? False: or not that this look
 * can tell. A copy of the entry of the program's own object. */
CLAW_HIDDEN bool claw_ledger_holds_live(const struct claw_ledger_entry *entry);

/* A memory object that a launch of a kernel uses. */
struct claw_ledger_used {
	uint64_t handle, serial, bytes, mem_flags, parent;
	uint32_t argument;
	uint16_t api;		/* that made it */
};
/* All that a launch of that kernel uses; its serial. False: the program has no
 * reference to one of them, or to the kernel, they are more than max, or not
 * all are known. */
CLAW_HIDDEN bool claw_ledger_uses(const void *kernel, uint64_t *ret_serial,
				  struct claw_ledger_used *ret_used,
				  unsigned int max, unsigned int *ret_count);

/* Has the program a reference to it, is it of that type, and has it that serial
 * (0: any)? */
CLAW_HIDDEN bool claw_ledger_is_alive(enum claw_obj object, const void *handle,
				      uint64_t serial);

/* The parent of an object, or NULL; is it known at all? */
CLAW_HIDDEN const void *claw_ledger_parent(enum claw_obj object,
					   const void *handle, bool *ret_known);

/* ---- whole calls (ledger_calls.c) */

/* Effects of a function on objects. */
enum claw_ledger_interest {
	CLAW_LEDGER_NOTHING,
	CLAW_LEDGER_EVENT_OUT,	/* only an event, when the program asks for it */
	CLAW_LEDGER_OBJECTS,
};
CLAW_HIDDEN enum claw_ledger_interest claw_ledger_interest(enum claw_api api);
/* Around the driver, for a function that does; call->err and call->ret say
 * what came of it. */
CLAW_HIDDEN void claw_ledger_before(struct claw_call *call);
/* Just after claw_ledger_before(), on the same thread: the entry of what has
 * lost the program's last reference by it (its handle may be 0), or NULL. */
CLAW_HIDDEN const struct claw_ledger_entry *
claw_ledger_last(const struct claw_call *call);
/* For a function that creates one object, before does nothing, and after is
 * this. */
CLAW_HIDDEN void claw_ledger_create(const struct claw_call *call);
CLAW_HIDDEN void claw_ledger_after(struct claw_call *call);
/* The driver was never asked, but the program has an event. */
CLAW_HIDDEN void claw_ledger_swallowed(const struct claw_call *call);

#endif

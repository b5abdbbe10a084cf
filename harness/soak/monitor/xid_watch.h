/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines about devices (xid.h) that are new in the kernel's log since the last
 * look, for a soak's events.
 */
#ifndef CLAW_XID_WATCH_H
#define CLAW_XID_WATCH_H

#include <stddef.h>

#include "harness/records/series.h"
#include "harness/machine/xid.h"

struct claw_xid_watch {
	double stamp;		/* of the last line that was looked at, seconds since boot */
	size_t at_stamp;	/* lines of devices with that stamp */
};

/* What is in the log now is old. 0, -CLAW_E_IO (errno set: the log is not for
 * everybody) or -CLAW_E_NOT_FOUND (its lines have no stamps, so that nobody can
 * say what is new). */
int claw_xid_watch_begin(struct claw_xid_watch *watch);

/*
 * An event of kind "xid" for each new line: code and text are set ("Xid 79 of
 * 0000:65:00, process 1234 (tile): the device has fallen off the bus
 * (hardware)"), count is 1; t_ms, wall_ms, segment and run are the caller's.
 * Both are the callback's only while it runs. pci: the device's address
 * alone ("0000:65:00.0"), a line without one counts, too; NULL: all.
 */
typedef void claw_xid_seen(const struct claw_soak_event *event,
			   const struct claw_dmesg_line *line, void *user);

/* As claw_xid_watch_begin(). */
int claw_xid_watch_look(struct claw_xid_watch *watch, const char *pci,
			claw_xid_seen *seen, void *user);

/* The same of a text. */
void claw_xid_watch_scan(struct claw_xid_watch *watch, const char *log,
			 const char *pci, claw_xid_seen *seen, void *user);

#endif

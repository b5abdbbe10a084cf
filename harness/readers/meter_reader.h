/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read a file of meters (faults/shared/meter_format.h), of a process that runs or is
 * gone. Every offset is checked; a torn peak is read again, then left out.
 */
#ifndef CLAW_METER_READER_H
#define CLAW_METER_READER_H

#include "faults/shared/meter_format.h"
#include "journal_reader.h"

/* The caller frees it. 0, -CLAW_E_IO (errno set), -CLAW_E_DAMAGED,
 * -CLAW_E_VERSION. */
int claw_meters_read(const char *path, struct claw_meter_file **ret_meters);
int claw_meters_read_memory(const void *bytes, size_t size,
			    struct claw_meter_file **ret_meters);

/* What of a total belongs to after, but not to before (before NULL: nothing).
 * Its longest is known to a bucket when an earlier one was longer. */
void claw_meter_subtract(const struct claw_meter *after,
			 const struct claw_meter *before,
			 struct claw_meter *ret_meter);
void claw_meter_add(struct claw_meter *sum, const struct claw_meter *meter);

/* Ticks of that part (0..1) of the calls: the middle of its bucket, at most the
 * longest one; NAN of none. */
double claw_meter_quantile(const struct claw_meter *meter, double part);

#endif

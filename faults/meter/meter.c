/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of meters, and what is counted in it of calls that fail. It has its
 * whole size from the beginning.
 */
#include "config.h"

#include "meter.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "faults/ledger/ledger.h"
#include "meter_batches.h"
#include "meter_calls.h"
#include "meter_events.h"
#include "meter_kernels.h"

struct claw_meter_process claw_own_meters CLAW_HIDDEN;

/* The counter of that code in a table of them. */
static uint64_t *counter_of(uint64_t *table, cl_int code)
{
	bool is_known = code <= 0 && code > -(CLAW_METER_CODES - 1);

	return &table[is_known ? -code : CLAW_METER_CODES - 1];
}

static void count_code(uint64_t *table, cl_int code)
{
	__atomic_fetch_add(counter_of(table, code), 1, __ATOMIC_RELAXED);
}

void claw_meter_failed(cl_int code)
{
	struct claw_meter_file *file = claw_own_meters.file;

	count_code(file->errors, code);
	__atomic_fetch_add(&file->failed, 1, __ATOMIC_RELAXED);
}

void claw_meter_answered(cl_int code)
{
	struct claw_meter_file *file = claw_own_meters.file;

	count_code(file->injections, code);
	__atomic_fetch_add(&file->injected, 1, __ATOMIC_RELAXED);
}

void claw_meter_event_failed(cl_int status)
{
	count_code(claw_own_meters.file->event_errors, status);
}

void claw_meter_iteration(bool right)
{
	struct claw_meter_file *file = claw_own_meters.file;

	if (!right)
		__atomic_fetch_add(&file->wrong_results, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&file->iterations, 1, __ATOMIC_RELAXED);
}

/* ---- the process */

static void fill(struct claw_meter_file *file)
{
	file->version = CLAW_METER_VERSION;
	file->file_bytes = CLAW_METER_FILE_BYTES;
	file->endian = CLAW_JOURNAL_ENDIAN;
	file->pid = (uint32_t)getpid();
	file->forked = claw_journal_writer.header->forked;
	file->clock_is_ns = claw_journal_writer.clock_is_ns;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(file->magic, CLAW_METER_MAGIC, sizeof(file->magic));
}

void claw_meters_begin(bool wanted)
{
	static char path[PATH_MAX];
	struct claw_meter_file *file = NULL;
	int err = errno;

	if (claw_own_meters.file)	/* a parent's: not ours to write */
		munmap(claw_own_meters.file, CLAW_METER_FILE_BYTES);
	claw_own_meters.file = NULL;
	if (!wanted)
		return;
	if (claw_ledger_is_on() &&
	    claw_journal_sibling("meters.", path, sizeof(path)))
		file = claw_journal_map_new(path, CLAW_METER_FILE_BYTES);
	if (file) {
		fill(file);
		claw_meter_calls_begin();
		claw_meter_batches_begin();
		claw_meter_kernels_begin();
		claw_meter_events_begin();
		claw_own_meters.threads =
			(struct claw_meter_thread *)(file + 1);
		claw_own_meters.file = file;
		claw_meter_live_begin();
	} else {
		claw_say("no space for meters: nothing is measured");
	}
	errno = err;
}

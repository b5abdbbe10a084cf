/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is there anything to keep of a process: what of its journal, its trace and
 * its end calls for a dump.
 */
#ifndef CLAW_DUMP_TRIGGER_H
#define CLAW_DUMP_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/readers/journal_reader.h"
#include "harness/process/runner.h"

struct claw_dump_trigger {
	const char *name;	/* as META has it: "signal", "device", "timeout",
				 * "request", "exit"; NULL: nothing happened */
	int signal;		/* that ended it, or 0 */
	bool has_address;
	uint64_t address;	/* that it faulted at */
	bool has_vanished;	/* it is gone, and never said that it ends */
	bool device;		/* the device was seen to fail, whatever the name */
	const struct claw_journal_record *crash;	/* its last words, or NULL */
};

/*
 * result:     how the process ended, or NULL: not known.
 * trace_path: of its trace, which need not be there.
 * is_running: it goes on.
 * is_last:    no other program took its place in the process.
 */
void claw_dump_trigger_find(const struct claw_journal *journal,
			    const char *trace_path,
			    const struct claw_run_result *result,
			    bool is_running, bool is_last,
			    struct claw_dump_trigger *ret_trigger);

/* "the program was ended by SIGSEGV", one clause. */
const char *claw_dump_trigger_text(const struct claw_dump_trigger *trigger);

#endif

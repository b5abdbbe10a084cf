/* SPDX-License-Identifier: Apache-2.0 */
/* A whole dump for tests, of the program of ring_maker.h, in a file. */
#ifndef DUMP_MAKER_H
#define DUMP_MAKER_H

#include "harness/crash/dump/dump.h"
#include "harness/crash/trace/trace_read.h"
#include "ring_maker.h"

/* The program's trace as it is in memory; the caller frees it before made
 * goes. NULL: it cannot be read. */
static inline struct claw_trace *made_read(const struct made_trace *made)
{
	struct claw_trace *trace = NULL;

	return claw_trace_read_memory(made, MADE_TRACE_BYTES, made->contents,
				      made->contents_used, NULL, NULL,
				      &trace) == 0 ? trace : NULL;
}

/*
 * META, SITES, STDERR, CONTENTs and the TRACE of a made trace, and more: what
 * else the caller writes. 0 or an error.
 */
static inline int made_dump(const struct made_trace *made, const char *path,
			    int (*more)(struct claw_dump_writer *writer,
					void *user), void *user)
{
	static const char said[] = "CL_OUT_OF_RESOURCES\n";
	struct claw_trace *trace = made_read(made);
	struct claw_dump_writer *writer;
	json_t *meta = json_pack("{s:i, s:s, s:[s, s], s:{s:i}, s:s}",
		"pid", 4711, "program", "/bin/made", "argv", "made", "-x",
		"exit", "signal", 11, "trigger", "signal");
	json_t *sites = json_pack("{s:{s:s, s:s, s:s}}", "1", "place",
		"made.c:12", "name", "main", "stack", "main (made.c:12)\n");
	int ret = trace && meta && sites ?
		claw_dump_writer_new(path, "program: /bin/made\nsignal: 11\n",
				     &writer) : -1;

	if (ret == 0) {
		claw_dump_write_json(writer, CLAW_DUMP_META, meta);
		claw_dump_write_json(writer, CLAW_DUMP_SITES, sites);
		claw_dump_write(writer, CLAW_DUMP_STDERR, said,
				sizeof(said) - 1);
		claw_dump_write_trace(writer, trace);
		if (more)
			more(writer, user);
		ret = claw_dump_writer_finish(writer);
	}
	json_decref(meta);
	json_decref(sites);
	claw_trace_free(trace);
	return ret;
}

#endif

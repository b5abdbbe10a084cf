/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dump (doc/dump-format.md): one file with all that is known of a process
 * that crashed. A readable head, then framed, checksummed sections, most of
 * them compressed with zstd. Reading a hostile one is safe: lengths are
 * checked, memory and time are limited, nothing is executed or written.
 */
#ifndef CLAW_DUMP_H
#define CLAW_DUMP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/crash/trace/trace.h"

struct claw_journal;

/* One row a kind in dump.c: its name, how often it may come. */
enum claw_dump_section {
	CLAW_DUMP_META = 1,	/* JSON: claw_dump_meta */
	CLAW_DUMP_JOURNAL,	/* journal.<pid>.<n> as it is */
	CLAW_DUMP_TRACE,	/* trace.<pid>.<n>: ring and slots in use */
	CLAW_DUMP_CONTENT,	/* one content: hash[2], length, bytes */
	CLAW_DUMP_LEDGER,	/* ledger.<pid>.<n> */
	CLAW_DUMP_FOUND,	/* found.<pid>.<n> */
	CLAW_DUMP_STDOUT,	/* tails of what it printed */
	CLAW_DUMP_STDERR,
	CLAW_DUMP_STACKS,	/* JSON: threads' frames, symbolised where it was taken */
	CLAW_DUMP_SITES,	/* JSON: the journal's sites, symbolised there */
	CLAW_DUMP_DMESG,	/* lines of the kernel's log with the device's errors */
	CLAW_DUMP_END,		/* count of sections: the dump is whole */
};

/*
 * META, as JSON; every key is optional for a reader:
 *   version, openclaw, captured_at (RFC 3339), pid, program, argv [..],
 *   working_directory, exit {status | signal, code, address}, trigger
 *   ("signal", "device", "timeout", "request", "exit"), machine {os, kernel,
 *   cpu, memory_bytes}, opencl {loader, layer, platforms [{name, version,
 *   devices [{name, version, driver, memory_bytes}]}]}, environment {..},
 *   faults [..] (rules that were armed), redacted, duration_ms.
 * SITES: {"7": {place, name, stack}, ..} by the site's number, texts as
 *   symbolize.h has them; what is missing is symbolised from the journal.
 * STACKS: {"text": as claw_stacks_text() has it}, where threads were read.
 */
struct claw_dump {
	json_t *meta;			/* an object; {} where damaged */
	struct claw_journal *journal;	/* or NULL */
	struct claw_trace *trace;	/* or NULL; owns its contents */
	json_t *stacks, *sites;		/* or NULL */
	char *out, *err, *dmesg;	/* NUL-terminated, or NULL */
	size_t out_size, err_size, dmesg_size;
	void *ledger, *found;		/* the files' bytes, or NULL */
	size_t ledger_size, found_size;
	bool whole;			/* the end was there and all sections intact */
	uint32_t damaged;		/* sections that were not */
	struct claw_dump_part {		/* for --contents, in order */
		enum claw_dump_section section;
		uint64_t stored, bytes;	/* in the file; uncompressed */
		bool intact;
	} *parts;
	size_t part_count;
	/* Set by a replay: of its failures only the injected ones are injected
	 * again; what the device did by itself it may do
	 * by itself again. */
	bool asked_only;
	void *memory;			/* private */
};

/* Limits of a reader; 0: the default (4 GiB, but at most half of the memory that
 * is left; 1,000,000). */
struct claw_dump_limits {
	uint64_t max_bytes;	/* of memory, all sections together */
	uint32_t max_sections;
};

/*
 * 0, -CLAW_E_IO (errno set), -CLAW_E_DAMAGED (not a dump at all),
 * -CLAW_E_VERSION, -CLAW_E_LIMIT. A dump that is cut off or damaged in places
 * is read as far as it is intact, and says so.
 */
int claw_dump_read(const char *path, const struct claw_dump_limits *limits,
		   struct claw_dump **ret_dump);
int claw_dump_read_memory(const void *bytes, size_t size,
			  const struct claw_dump_limits *limits,
			  struct claw_dump **ret_dump);
void claw_dump_free(struct claw_dump *dump);
/* "journal"; "unknown" for what is no section. */
const char *claw_dump_section_name(enum claw_dump_section section);

/* ---- writing: one section after the other, the file appears when it is
 * whole (a temporary name before). */

struct claw_dump_writer;

/* head: the readable text that the file begins with (UTF-8, no NUL); a first
 * line that names the format is put before it. 0 or -CLAW_E_IO. */
int claw_dump_writer_new(const char *path, const char *head,
			 struct claw_dump_writer **ret_writer);
int claw_dump_write(struct claw_dump_writer *writer,
		    enum claw_dump_section section, const void *bytes,
		    size_t size);
int claw_dump_write_json(struct claw_dump_writer *writer,
			 enum claw_dump_section section, const json_t *value);
/* The trace and contents files of a session, or a copy from one dump to
 * another: only contents that a known call or live object refers to. trace: of
 * that file, and contents that have no bytes in it are left out; NULL: none
 * are. 0, -CLAW_E_IO, -CLAW_E_DAMAGED. */
int claw_dump_write_trace_file(struct claw_dump_writer *writer,
			       const char *trace_path,
			       const struct claw_trace *trace);
/* A trace that was made in memory (a smaller one): as a TRACE section in the
 * same format, all its calls as ring records. */
int claw_dump_write_trace(struct claw_dump_writer *writer,
			  const struct claw_trace *trace);
/* Write END, sync, and rename to path; frees the writer in any case. */
int claw_dump_writer_finish(struct claw_dump_writer *writer);
void claw_dump_writer_cancel(struct claw_dump_writer *writer);

#endif

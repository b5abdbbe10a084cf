/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The session: the directory through which host and guest talk. The host
 * writes rules and config into it before the program starts; the guest writes
 * one journal.<pid>.<n> a process image, and a ledger beside it where one is
 * wanted; the host reads them afterwards, or meanwhile.
 */
#ifndef CLAW_SESSION_H
#define CLAW_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program_cache.h"
#include "faults/shared/found_format.h"
#include "faults/shared/ledger_format.h"
#include "faults/shared/probe_format.h"
#include "faults/shared/trace_format.h"

#define CLAW_LAYER_FILE "libopenclaw-layer.so"

struct claw_session_config {
	uint64_t seed;
	bool allow_illegal;
	enum claw_record_mode record;
	uint64_t record_capacity;	/* calls; 0: the default of the mode */
	bool record_queries;		/* false: @query calls are counted only */
	bool all_sites;			/* a site with every record, not only firings */
	enum claw_ledger_mode ledger;
	bool meters;			/* faults/shared/meter_format.h; wants the ledger */
	uint32_t find;			/* enum claw_found_mode; needs the ledger. KERNELS
					 * is probes.modes' CHECKS, which set it */
	/* Whose own caches are kept from run to run, borrowed, or NULL; and where,
	 * which claw_session_new() fills in. */
	const char *program, *program_cache;
	const char *models;		/* claw_models_compile(), borrowed; wants the ledger */
	/* What kernels are rewritten for (faults/shared/probe_format.h). */
	struct claw_session_probes {
		uint32_t modes;		/* enum claw_probe_mode; 0: they are not */
		const char *kernel;	/* glob, borrowed, or NULL: all */
		uint64_t launch_skip, launch_count;	/* 0: none; all */
		uint64_t print_limit;	/* findings on stderr, 0: the default */
		const char *verify;	/* "all", "none"; NULL: the first launches */
	} probes;
	struct claw_session_capture {
		enum claw_capture_buffers buffers;	/* not OFF: wants the ledger */
		const char *kernel;	/* glob of LAUNCH, borrowed, or NULL: all */
		uint64_t launch;	/* of LAUNCH: that one only; 0: all */
		bool redact;
		uint64_t ring_bytes;	/* 0: the default */
		uint64_t max_bytes;	/* of contents, 0: the default */
		const char *into;	/* where dumps will be made of it, borrowed, or
					 * NULL: nobody is there to make them */
	} capture;
};

struct claw_session {
	char *directory;		/* absolute path */
	char **environment;		/* "NAME=VALUE"..., NULL: for claw_run_spec.set_env */
	uint64_t nonce;			/* in each of its journals; 0: not known */
	bool temporary;			/* removed by claw_session_free */
	struct claw_program_cache own;	/* of the program, where they are kept */
	bool via_icd;			/* the loader finds us as an ICD (door.h) */
};

/*
 * Make DIRECTORY (or a temporary one when NULL) a session: rules, config,
 * blobs/. rules: canonical rule texts (faults/shared/plan.h), at= resolved already.
 *
 * Returns 0, -CLAW_E_IO (errno set), -CLAW_E_NO_LAYER if
 * libopenclaw-layer.so cannot be found (in the build tree of the running
 * program, then where openclaw is installed; OPENCLAW_LAYER overrides both),
 * -CLAW_E_LAYER_PATH if its path contains a ':', which OPENCL_LAYERS cannot, or
 * -CLAW_E_ICD_PATH (door.h). The attach method is that of claw_via_get().
 */
int claw_session_new(const char *directory, char *const *rules,
		     size_t rule_count, const struct claw_session_config *config,
		     struct claw_session **ret_session);
void claw_session_free(struct claw_session *session);

/* The directory of temporary sessions: TMPDIR, or /tmp. */
const char *claw_session_temporary_base(void);

/* Set the variables by which a loader finds the layer, by the attach method of
 * claw_via_get(); session may have no directory. Returns as claw_session_new(). */
int claw_session_set_door(struct claw_session *session);

/* Add "NAME=VALUE" (or "NAME", which unsets) to the environment. In a
 * session that attaches as an ICD, OCL_ICD_VENDORS names the real drivers.
 * Returns 0 or -CLAW_E_ICD_PATH. */
int claw_session_setenv(struct claw_session *session, const char *name,
			const char *value);

/* Could a journal be written there now? */
bool claw_session_has_room(const struct claw_session *session);

/* The driver's and pyopencl's caches point below DIRECTORY, so that programs
 * are built from source, too. 0 or -CLAW_E_IO. */
int claw_session_set_caches(struct claw_session *session,
			    const char *directory);
/* Only those that a program keeps binaries in: where those of config's program
 * are kept, or below the session. A driver's cache needs no directory of its
 * own: its key is the source, and instrumented copies have other sources. */
int claw_session_set_own_caches(struct claw_session *session);

/* OPENCL_LAYERS with the layer in it, malloced: what others have put there
 * stays, a layer of ours is there once. The first is nearest the driver, so
 * that other layers see what a driver would have answered. */
char *claw_session_layers(const char *layer_path, const char *current);

/* Remove a directory and all that is in it; symbolic links are not followed. */
void claw_directory_remove(const char *path);

/* Path of libopenclaw-layer.so as above, malloced; NULL when nowhere. */
char *claw_layer_path(void);

/* Paths of the journals in it, sorted by name; the caller frees both levels.
 * Those of another session are left out, where its nonce is known. */
int claw_session_journals(const struct claw_session *session,
			  char ***ret_paths, size_t *ret_count);
/* The same for ledgers. */
int claw_session_ledgers(const struct claw_session *session,
			 char ***ret_paths, size_t *ret_count);
/* The same for files of findings (faults/shared/found_format.h). */
int claw_session_founds(const struct claw_session *session,
			char ***ret_paths, size_t *ret_count);
/* The same for probes.<pid>.<n>.<k> (faults/shared/probe_format.h). */
int claw_session_probes(const struct claw_session *session,
			char ***ret_paths, size_t *ret_count);
/* "DIR/ledger.12.0" for "DIR/journal.12.0" and the other way round: kind is
 * "journal", "ledger", "found", "trace", "contents", "process" or "meters".
 * malloced. */
char *claw_session_sibling(const char *path, const char *kind);

#endif

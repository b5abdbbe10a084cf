/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw.yaml, the user's configuration: found upward from the working
 * directory, then in the user's configuration directory
 * ($XDG_CONFIG_HOME/openclaw or ~/.config/openclaw), then in the system's.
 * The first one that is there is the only one that is read.
 *
 *	suites: [FILE|FOLDER...]
 *	output: DIR				runs without --output go into it
 *	logging:
 *	  level: off|error|warn|info|debug	CLW_LOG_LEVEL
 *	  gpu_debug: true|false			CLW_GPU_DEBUG: launches are told
 *	  crash_dump: true|false		CLW_CRASH_DUMP: who crashes leaves a dump
 *	  crash_dump_path: DIR			CLW_CRASH_DUMP_PATH, seen from the file
 *	memory:
 *	  max_allocation_mb: MIB		CLW_MAX_ALLOCATION_MB
 *	  reserve_mb: MIB			CLW_RESERVE_MB
 *	  paging_enabled: true|false		CLW_PAGING
 *	  timeout_ms: MS			CLW_MEM_TIMEOUT_MS; 0: no limit
 *	history: true|false|FILE		--history; true: openclaw.db
 *	report:
 *	  source_url: TEMPLATE			--source-url
 *	workload:				of "openclaw run"; also without it
 *	  enable_crash_recovery: true|false	run again after a crash
 *	  max_retry_attempts: N			so often at most [3]
 *	  gpu_timeout_ms: MS			the longest time of a test; CLW_GPU_TIMEOUT_MS
 *
 * logging and memory are for every program that openclaw starts, through the
 * variables, which go before the file where they are set already.
 */
#ifndef CLAW_USER_CONFIG_H
#define CLAW_USER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The history that is found by itself, beside openclaw.yaml. */
#define CLAW_HISTORY_FILE "openclaw.db"

enum claw_config_switch {
	CLAW_CONFIG_UNSET, CLAW_CONFIG_OFF, CLAW_CONFIG_ON,
};

struct claw_user_config {
	char *path;		/* of the file; NULL: there is none */
	char **suites;		/* descriptions and folders of them, paths that can be opened; NULL-terminated, or NULL */
	char *output;		/* a path that can be opened; NULL: not said */
	const char *log_level;	/* "debug", or NULL: not said */
	enum claw_config_switch gpu_debug, crash_dump;
	char *crash_dump_path;	/* or NULL */
	char *source_url;	/* or NULL */
	char *history;		/* a path that can be opened; "": none; NULL: not said */
	uint64_t max_allocation_mb, reserve_mb;	/* 0: no limit */
	bool has_mem_timeout;
	uint64_t mem_timeout_ms;
	enum claw_config_switch paging, crash_recovery;
	bool has_retries;
	uint64_t max_retry_attempts;
	uint64_t gpu_timeout_ms;	/* 0: not said */
};

/*
 * Find and read it. None is no error.
 *
 * error: one line, "FILE:LINE:COLUMN: expected ..., found ...".
 *
 * Returns 0, -CLAW_E_IO, -CLAW_E_LIMIT or -CLAW_E_SYNTAX.
 */
int claw_user_config_read(struct claw_user_config *ret_config, char *error,
			  size_t error_size);
/* A given one. */
void claw_user_config_release(struct claw_user_config *config);

/* Set the variables of logging and memory that are not set in this process's
 * environment, for all that it starts; and claw_source_url, if it is NULL. */
void claw_user_config_export(const struct claw_user_config *config);

/* All of them; a name of NULL ends the list. */
struct claw_user_variable {
	const char *name;
	/* What the layer takes, "a|b" in any case of letters, or "0..MAX";
	 * NULL: any text. Of anything else it takes no notice. */
	const char *values;
};
extern const struct claw_user_variable claw_user_variables[];
bool claw_user_variable_takes(const struct claw_user_variable *variable,
			      const char *value);

#endif

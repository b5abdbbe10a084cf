/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tools under a program: native, oclgrind, valgrind,
 * device, rusticl. One row a tool: whether it is here, what a run under it needs, and
 * what it found.
 */
#ifndef CLAW_TOOLS_H
#define CLAW_TOOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/records/finding.h"
#include "tool_log.h"

/* Settings for all tools of a run. */
struct claw_under_config {
	const char *directory;	/* of ours, absolute: tool files go to tools/ */
	bool has_device;	/* --device */
	uint64_t device;
	/* Told to checkers: API errors are on purpose, or a different one. */
	bool api_errors_expected;
	const char *icd;	/* --icd: "native", or as claw_icd_library() has it; NULL: the tool's own choice */
	uint64_t peak_max_bytes;	/* massif: more is a finding, 0: 80 % of the machine's memory */
	/* Runs are compared with one of the same program: no other is run to
	 * know what the driver itself does wrong. */
	bool own_baseline;
};

/* A tool made ready. */
struct claw_under {
	const struct claw_under_row *row;
	char why[256];		/* one line: why it is not here; "": it is */
	bool cannot_run;	/* it is here, and its driver ends every process */
	char *program;		/* valgrind's path */
	char *icd_directory;	/* for OCL_ICD_VENDORS */
	/* "NAME=VALUE" that the driver there needs to show devices, or NULL. */
	const char *icd_setting;
	char *suppressions;
	char *baseline;		/* what the tool wrote of a clean program, or NULL */
	bool has_device;
	uint64_t device;	/* for CLW_DEVICE_ID */
	unsigned int jobs;	/* at most so many at a time, 0: no limit */
};

/* How one process is started under a tool. */
struct claw_under_run {
	char **argv;		/* the tool's words, then the program's; NULL-terminated */
	char **environment;	/* "NAME=VALUE", NULL-terminated */
	char *log;		/* file the tool writes to, or NULL; "%p" in it: one a process */
	char *kernel_log;	/* file with what oclgrind writes, or NULL */
	struct claw_tool_log *gathered;	/* gathers that, or NULL */
	char *stdout_path, *stderr_path;	/* where the process's output has to be kept, or NULL */
	char *baseline;		/* as the tool's, or NULL */
	char *directory;	/* where it has to be started, or NULL */
	char *stdin_path;	/* what it has to read, or NULL */
	char *source;		/* of a .sim: that file, or NULL */
	uint64_t peak_max_bytes;
	/* Of rows with probes: set by the code that creates the session. */
	char *session;		/* its directory */
	char *kernel_file;	/* that kernels are of, or NULL: anybody knows */
};

struct claw_under_row {
	const char *name;
	const char *summary;
	bool in_all;		/* "--under all" has it */
	/* Kinds it has a check for, as bits (1u << kind): one that a case
	 * expects and that it does not report is missed. Other kinds
	 * are inconclusive. */
	uint32_t checks;
	/* What its session's kernels are rewritten for: enum claw_probe_mode. */
	uint32_t probes;
	/* Why its cases have no guard zones of the layer's, or NULL: they may. */
	const char *no_guards;
	/* Fill in what is needed, or why. 0 or -CLAW_E_*. */
	int (*prepare)(struct claw_under *under,
		       const struct claw_under_config *config);
	/* Words before the program's, NAME=VALUEs: claw_under_add_*(). */
	int (*start)(const struct claw_under *under,
		     const struct claw_under_config *config,
		     const char *case_directory, struct claw_under_run *run);
	/* Add what it found; 0, or -CLAW_E_DAMAGED when its
	 * log cannot be parsed: then the case is inconclusive. */
	int (*read)(const struct claw_under_run *run,
		    struct claw_findings *findings);
};

extern const struct claw_under_row *const claw_under_rows[];	/* NULL-terminated */
const struct claw_under_row *claw_under_find(const char *name);
/* How many times as long as natively a case may take under it. */
unsigned int claw_under_times(const struct claw_under_row *row);
/* 'no tool "x", there are native, ...', where also is one more word, or NULL. */
void claw_under_say_unknown(const char *name, const char *also, char *error,
			    size_t error_size);

/* A tool that is not here is no error: why is not empty then. */
int claw_under_begin(struct claw_under *under, const struct claw_under_row *row,
		    const struct claw_under_config *config);
void claw_under_release(struct claw_under *under);

/*
 * Everything for one process: program's words are copied after the tool's.
 * case_directory: absolute; the tool's logs go there.
 */
int claw_under_start(const struct claw_under *under,
		     const struct claw_under_config *config,
		     const char *case_directory, char *const *words,
		     struct claw_under_run *ret_run);
void claw_under_run_release(struct claw_under_run *run);

/* For rows of drivers, not of tools: nothing is added, nothing found. */
int claw_under_start_plain(const struct claw_under *under,
			   const struct claw_under_config *config,
			   const char *case_directory,
			   struct claw_under_run *run);
int claw_under_read_nothing(const struct claw_under_run *run,
			    struct claw_findings *findings);

/* For rows; value NULL: the variable is unset. */
void claw_under_add_word(struct claw_under_run *run, const char *word);
void claw_under_add_env(struct claw_under_run *run, const char *name,
			const char *value);

/* The driver under the tool becomes what icd stands for, as claw_icd_library() has
 * it (for "native" all stay), or why says why not. 0 or -CLAW_E_IO (errno set). */
int claw_under_set_driver(struct claw_under *under,
			  const struct claw_under_config *config,
			  const char *icd);

/* What the environment of the tool's drivers is, beside ours: at most this
 * many entries, the last one NULL; the caller frees list[0]. */
enum { CLAW_UNDER_DRIVERS_MAX = 4 };
void claw_under_drivers(const struct claw_under *under,
			char *list[CLAW_UNDER_DRIVERS_MAX]);

#define TOOL(name_, times_) extern const struct claw_under_row claw_under_##name_;
#include "tools.def"
#undef TOOL

/* Have the row's probes looked at: kernel_file: as above. */
void claw_under_set_session(struct claw_under_run *run, const char *session,
			    const char *kernel_file);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OpenCL of this machine as a child process saw it ("openclaw __query"),
 * because a driver may crash or hang when it is asked.
 */
#ifndef CLAW_MACHINE_H
#define CLAW_MACHINE_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/process/runner.h"

struct claw_machine {
	json_t *loader;		/* path, name, vendor, version, opencl; NULL: none */
	json_t *platforms;	/* objects; "devices" of each is an array of objects */
	size_t device_count;	/* over all platforms */
	int code;		/* clGetPlatformIDs returned it */
	char *problem;		/* one line, NULL: everything was answered */
	bool broken;		/* a driver crashed or did not answer in time */
	bool cannot_run;	/* it crashed or exited before it had a device: so will each program */
};

/* Path of the running program; malloced, NULL without /proc. */
char *claw_machine_self(void);

/*
 * Fill argv, of at least 4 places, and the rest of spec for a run of
 * __query opencl. set_env as in struct claw_run_spec; self outlives the run.
 */
void claw_machine_prepare(struct claw_run_spec *spec, char *self,
			  char **argv, char *const *set_env);

/* Read the output of such a run. */
void claw_machine_read(const struct claw_run_result *run,
		       struct claw_machine **ret_machine);

/* prepare + run + read. 0, -CLAW_E_SPAWN, or
 * -CLAW_E_CANCELLED when SIGINT or SIGTERM came. */
int claw_machine_ask(char *const *set_env, struct claw_machine **ret_machine);
void claw_machine_free(struct claw_machine *machine);

/* A string member, or "not available"; never NULL. */
const char *claw_machine_text(const json_t *object, const char *name);

/* "ocl-icd 2.3.1", "Khronos loader 3.0.6", "a loader that does not tell
 * its name". The caller frees it. */
char *claw_machine_loader_name(const struct claw_machine *machine);

/* The device with that number over all platforms, or NULL. */
json_t *claw_machine_find_device(const struct claw_machine *machine,
				 size_t number);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openclaw.yaml, the user's configuration: found upward from the working
 * directory, then in the user's configuration directory
 * ($XDG_CONFIG_HOME/openclaw or ~/.config/openclaw), then in the system's.
 * The first one that is there is the only one that is read.
 */
#ifndef CLAW_USER_CONFIG_H
#define CLAW_USER_CONFIG_H

#include <stddef.h>

struct claw_user_config {
	char *path;		/* of the file; NULL: there is none */
	char **suites;		/* descriptions and folders of them, paths that can be opened; NULL-terminated, or NULL */
};

/*
 * Find and read it. None is no error.
 *
 * error: one line, "FILE:LINE:COLUMN: expected ..., found ...".
 *
 * Returns 0, -CLAW_E_IO, -CLAW_E_LIMIT, -CLAW_E_SYNTAX or -CLAW_E_NO_MEMORY.
 */
int claw_user_config_read(struct claw_user_config *ret_config, char *error,
			  size_t error_size);
/* A given one. */
int claw_user_config_read_file(const char *path,
			       struct claw_user_config *ret_config,
			       char *error, size_t error_size);
void claw_user_config_release(struct claw_user_config *config);

#endif

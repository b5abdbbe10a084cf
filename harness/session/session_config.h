/* SPDX-License-Identifier: Apache-2.0 */
/* What a session tells the guest: the file "config", one key a line, which
 * faults/call/guest.h and faults/instrument/instrument.h read. */
#ifndef CLAW_SESSION_CONFIG_H
#define CLAW_SESSION_CONFIG_H

#include <stdio.h>

#include "session.h"

void claw_session_config_write(FILE *out,
			       const struct claw_session_config *config);

#endif

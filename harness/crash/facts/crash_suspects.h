/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of the launches that had not ended is to blame: the one of which a rule
 * is surest. For crash*.c alone.
 */
#ifndef CLAW_CRASH_SUSPECTS_H
#define CLAW_CRASH_SUSPECTS_H

#include "crash_facts.h"

/* Had it not ended, by all that is known when the device told, or at the
 * end? */
bool claw_crash_is_open(const struct claw_crash_facts *facts, uint32_t launch);

/* Sets launch, open_launches and alike. */
void claw_crash_suspects_find(struct claw_crash_facts *facts);

#endif

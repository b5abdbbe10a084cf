/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libopenclaw-heap.so, which sees what the program frees: it has to be there
 * before the program begins, so the dynamic linker is told by LD_PRELOAD.
 */
#ifndef CLAW_PRELOAD_H
#define CLAW_PRELOAD_H

#include "session.h"

/*
 * Add it to the session's environment, behind what the user has in LD_PRELOAD.
 * It lies beside the layer. Where it does not, or where its path has a space or
 * a ':', which LD_PRELOAD cannot have, nothing is changed; the guest says
 * (CLAW_FOUND_HEAP) whether it was there.
 *
 * As claw_session_setenv().
 */
int claw_session_preload(struct claw_session *session);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a folder is known that openclaw repro --emit-c wrote: the kernel texts in
 * it are copies, and no program's own. The first line of its Makefile.
 */
#ifndef CLAW_EMIT_MARKER_H
#define CLAW_EMIT_MARKER_H

#define CLAW_EMIT_MAKEFILE "# make: build; make show: see the failure"

#endif

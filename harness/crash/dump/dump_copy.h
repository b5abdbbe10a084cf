/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of one dump, as they are, into another. */
#ifndef CLAW_DUMP_COPY_H
#define CLAW_DUMP_COPY_H

#include "dump.h"

/*
 * sections: bits 1 << enum claw_dump_section. Up to the first place where the
 * file is damaged; a section that is damaged in itself is left out.
 *
 * Returns 0 or -CLAW_E_IO (errno set).
 */
int claw_dump_copy(struct claw_dump_writer *writer, const char *path,
		   uint32_t sections);

#endif

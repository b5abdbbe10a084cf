/* SPDX-License-Identifier: Apache-2.0 */
/*
 * statx(), which musl before 1.2.5 lacks: the kernel's headers have its struct.
 */
#ifndef CLAW_STATX_H
#define CLAW_STATX_H

#include <fcntl.h>
#include <sys/stat.h>

#ifndef STATX_TYPE
#include <linux/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int statx(int directory, const char *path, int flags,
			unsigned int mask, struct statx *ret_status)
{
	return (int)syscall(SYS_statx, directory, path, flags, mask, ret_status);
}
#endif

#endif

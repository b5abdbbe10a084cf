/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel's log says of devices that fault, and of processes that were
 * killed for want of memory.
 */
#ifndef CLAW_KERNEL_LOG_H
#define CLAW_KERNEL_LOG_H

/* The last of those lines, "" when there are none; malloced. 0, -CLAW_E_IO
 * (errno set: the log is not for everybody). */
int claw_kernel_log_read(char **ret_text);

/* When its last line was written, in seconds since boot as it has them, 0: it
 * has none. Errors as above. */
int claw_kernel_log_last(double *ret_stamp);

#endif

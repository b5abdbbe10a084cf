/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Somebody kills the program, or the system does, for want of memory.
 *
 * Kind: killed
 * Code: none
 * Cause: SIGKILL
 * Host: a signal from outside
 */
#include "crashes.h"

#include <signal.h>

int main(void)
{
	struct setup cl = open_device();

	work(&cl, USUAL);
	raise(SIGKILL);
	close_device(&cl);
	return 0;
}

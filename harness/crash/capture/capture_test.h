/* SPDX-License-Identifier: Apache-2.0 */
/* openclaw capture --emit-test: a test out of a run that went well. */
#ifndef CLAW_CAPTURE_TEST_H
#define CLAW_CAPTURE_TEST_H

#include <stdint.h>

struct claw_capture_test {
	const char *dumps;	/* directory; its latest.dmp is of the run */
	const char *kernel;	/* glob, or NULL: any */
	uint64_t launch;	/* the Nth of them, from 1 */
	const char *path;	/* of the test */
};

/* Dies where it cannot be made; says what it wrote. */
void claw_capture_test_write(const struct claw_capture_test *test);

#endif

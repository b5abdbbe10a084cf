/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of two vectors on an OpenCL device, that does with the memory it can
 * get: when the device has no room for whole vectors, it works in pieces.
 */
#ifndef VADD_H
#define VADD_H

#include <stddef.h>

enum vadd_status {
	VADD_OK,
	VADD_NO_DEVICE,
	VADD_NO_MEMORY,		/* not even for the smallest piece */
	VADD_BUILD_FAILED,
	VADD_DEVICE_FAILED,
};

/* Pieces have at least so many elements, unless the vectors are shorter. */
enum { VADD_PIECE_MIN = 64 };

struct vadd;

/* Open the first device. The caller closes *ret_vadd with vadd_close(). */
enum vadd_status vadd_open(struct vadd **ret_vadd);

/* sum[i] = a[i] + b[i]. After a failure sum holds nothing of use, and the same
 * vadd may be used again. */
enum vadd_status vadd_run(struct vadd *vadd, const float *a, const float *b,
			  float *sum, size_t count);

/* Elements in a piece of the latest vadd_run(). */
size_t vadd_piece(const struct vadd *vadd);

const char *vadd_status_text(enum vadd_status status);

void vadd_close(struct vadd *vadd);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Macros of several statements: they count on the line of their use. */
#include "twins_macros.h"

#define LOCAL_STEP(x_) \
	(x_)++; \
	(x_) *= 2

__kernel void macros(__global int *a, int n)
{
	int i = get_global_id(0);

	STEP(a[i], n);
	if (i & 1) {
		LOCAL_STEP(a[i]);
	}
	a[i] += 5;
}

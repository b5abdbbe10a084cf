/* SPDX-License-Identifier: Apache-2.0 */
/* A function of a header, called from here. */
#include "twins_functions.h"

__kernel void headers(__global int *a, int n)
{
	int i = get_global_id(0);

	a[i] = twins_limit(i, 10);
	if (i > 32)
		a[i] += twins_limit(n, 2);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Macros with conditions and loops in them. */
#include "twins_macros.h"

__kernel void macro_loops(__global int *a, int n)
{
	int i = get_global_id(0);

	TWICE(a[i] += n);
	CLAMP(a[i], 20);
	if (i > 3)
		TWICE(a[i]--);
	else
		a[i] = 2;
}

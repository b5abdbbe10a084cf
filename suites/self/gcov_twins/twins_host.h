/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What makes host C of the kernels here: address spaces are nothing, one
 * work-item runs after the other. Where that is another order than the device's
 * it makes no difference to them: no work-item reads what another one writes.
 */
#ifndef TWINS_HOST_H
#define TWINS_HOST_H

#include <stdio.h>
#include <string.h>

#define __kernel
#define __global
#define __local
#define __constant const
#define CLK_GLOBAL_MEM_FENCE 0

typedef int int4 __attribute__((vector_size(16)));

static int twins_item;

static inline int get_global_id(int dimension)
{
	return dimension == 0 ? twins_item : 0;
}

static inline void barrier(int fence)
{
	(void)fence;
}

static inline int4 vload4(int index, const int *from)
{
	int4 v;

	memcpy(&v, from + 4 * index, sizeof(v));
	return v;
}

static inline int any(int4 v)
{
	return v[0] < 0 || v[1] < 0 || v[2] < 0 || v[3] < 0;
}

static inline int all(int4 v)
{
	return v[0] < 0 && v[1] < 0 && v[2] < 0 && v[3] < 0;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Contents from a seed. */
#include "config.h"

#include "clw_random.h"

#include <string.h>

#include "clw_values.h"

static uint64_t mix(uint64_t seed, uint64_t at)
{
	uint64_t x = seed + (at + 1) * UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static void put(enum claw_clw_base base, uint64_t bits, size_t size, void *to)
{
	double unit = (double)(bits >> 11) / (UINT64_C(1) << 52) - 1;
	float single = (float)unit;
	uint16_t half = claw_half_from_double(unit);

	memcpy(to, base == CLAW_CLW_DOUBLE ? (const void *)&unit :
	       base == CLAW_CLW_FLOAT ? (const void *)&single :
	       base == CLAW_CLW_HALF ? (const void *)&half :
	       (const void *)&bits, size);
}

void claw_clw_random(const struct claw_clw_arg *arg, uint64_t seed, size_t from,
		     size_t size, void *bytes)
{
	size_t one = claw_clw_base_bytes(arg->type.base);
	unsigned char *to = bytes;

	seed = mix(seed, arg->index);
	for (size_t at = from / one; size >= one; at++, to += one, size -= one)
		put(arg->type.base, mix(seed, at), one, to);
}

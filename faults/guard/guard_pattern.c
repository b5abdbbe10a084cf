/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes in the zones. */
#include "config.h"

#include "guard_private.h"

#include <pthread.h>

static uint32_t words[CLAW_PATTERN_BYTES / 4];

/* guard_kernel.c computes the same on the device. */
static uint32_t word_at(uint32_t i)
{
	uint32_t x = i * 0x9e3779b1u;

	x ^= x >> 15;
	x *= 0x85ebca6bu;
	x ^= x >> 13;
	/* Each byte is 0x82, 0x86 ... 0xfe: no 0, 0xff, 0x80 or 0x3f. */
	return (x & 0x7c7c7c7cu) | 0x82828282u;
}

static void fill(void)
{
	for (uint32_t i = 0; i < CLAW_PATTERN_BYTES / 4; i++)
		words[i] = word_at(i);
}

const uint8_t *claw_pattern(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fill);
	return (const uint8_t *)words;
}

uint32_t claw_pattern_next_start(void)
{
	static uint32_t count;

	/* Odd: it meets all of them before one again. */
	return __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) * 6151u %
	       CLAW_PATTERN_STARTS;
}

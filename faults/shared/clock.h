/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ticks: the cheapest clock that all cores agree on. x86-64 with an invariant
 * time-stamp counter and aarch64 read a register; anything else asks
 * CLOCK_MONOTONIC, and its ticks are nanoseconds already. Guest and host both
 * include this file: the host needs the same ticks to tell their rate.
 */
#ifndef CLAW_CLOCK_H
#define CLAW_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/prctl.h>
#endif

static inline uint64_t claw_clock_read_ns(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now) != 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t claw_clock_mono_ns(void)
{
	return claw_clock_read_ns(CLOCK_MONOTONIC);
}

static inline uint64_t claw_clock_mono_ms(void)
{
	return claw_clock_mono_ns() / 1000000u;
}

/* Must ticks be asked of the kernel here (true), or is a register good? */
static inline bool claw_clock_needs_ns(void)
{
#if defined(__x86_64__)
	unsigned int a, b, c, d;
	int mode = PR_TSC_ENABLE;

	/* A process may forbid itself rdtsc: it is SIGSEGV then. */
	if (prctl(PR_GET_TSC, &mode, 0, 0, 0) == 0 && mode != PR_TSC_ENABLE)
		return true;
	if (!__get_cpuid(0x80000007u, &a, &b, &c, &d))
		return true;
	return !(d & (1u << 8));
#elif defined(__aarch64__)
	return false;
#else
	return true;
#endif
}

/* Now, in ticks. is_ns: what claw_clock_needs_ns() said. */
static inline uint64_t claw_clock_ticks(bool is_ns)
{
#if defined(__x86_64__)
	if (!is_ns)
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	if (!is_ns) {
		uint64_t ticks;

		__asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(ticks));
		return ticks;
	}
#endif
	(void)is_ns;
	return claw_clock_mono_ns();
}

/* Ticks and CLOCK_MONOTONIC of one instant: the closest of a few tries. */
static inline void claw_clock_pair(bool is_ns, uint64_t *ret_ticks,
				   uint64_t *ret_mono_ns)
{
	uint64_t best = UINT64_MAX;

	*ret_ticks = 0;
	*ret_mono_ns = 0;
	for (int i = 0; i < 4; i++) {
		uint64_t before = claw_clock_ticks(is_ns);
		uint64_t mono_ns = claw_clock_mono_ns();
		uint64_t span = claw_clock_ticks(is_ns) - before;

		if (span < best) {
			best = span;
			*ret_ticks = is_ns ? mono_ns : before + span / 2;
			*ret_mono_ns = mono_ns;
		}
	}
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time of a soak: what CLOCK_MONOTONIC says, on from where the segment
 * before ended. It leaves out suspend; jumps of the wall clock do not move it.
 */
#ifndef CLAW_SOAK_CLOCK_H
#define CLAW_SOAK_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct claw_soak_times {
	int64_t monotonic_ms, boottime_ms, wall_ms;
};

struct claw_soak_clock {
	/* Of the caller's or the system's. */
	void (*read)(void *user, struct claw_soak_times *ret_times);
	void *user;
	uint64_t begin_ms;	/* t_ms that the segment began at */
	struct claw_soak_times first, last;
};

/* begin_ms: 0, or claw_soak_past.t_ms. read NULL: the system's clocks. */
void claw_soak_clock_init(struct claw_soak_clock *clock, uint64_t begin_ms,
			  void (*read)(void *user, struct claw_soak_times *),
			  void *user);

/*
 * The time now; it never falls. true when the machine slept, or its wall clock
 * was set, since the last call: then text is one line that says so, for an
 * event "clock"; else text is "".
 */
bool claw_soak_clock_now(struct claw_soak_clock *clock, uint64_t *ret_t_ms,
			 int64_t *ret_wall_ms, char *text, size_t text_size);

#endif

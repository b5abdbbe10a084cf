/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time of a soak, and what other clocks did meanwhile: CLOCK_BOOTTIME
 * counts suspend, CLOCK_MONOTONIC does not, CLOCK_REALTIME can be set.
 */
#include "config.h"

#include "soak_clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
	/* Less may be between two readings, or be NTP's slow correction (at most
	 * 500 ppm) of a long interval. */
	SLACK_MS = 1000,
	SLEW_PART = 2000,
};

static int64_t read_ms(clockid_t id)
{
	struct timespec now = { 0 };

	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void read_system(void *user, struct claw_soak_times *ret_times)
{
	(void)user;
	ret_times->monotonic_ms = read_ms(CLOCK_MONOTONIC);
	ret_times->boottime_ms = read_ms(CLOCK_BOOTTIME);
	ret_times->wall_ms = read_ms(CLOCK_REALTIME);
}

void claw_soak_clock_init(struct claw_soak_clock *clock, uint64_t begin_ms,
			  void (*read)(void *user, struct claw_soak_times *),
			  void *user)
{
	*clock = (struct claw_soak_clock){ .begin_ms = begin_ms, .user = user };
	clock->read = read ? read : read_system;
	clock->read(user, &clock->first);
	clock->last = clock->first;
}

/* "1.5 s", "2 h 10 min". */
static void print_span(char *text, size_t size, int64_t ms)
{
	int64_t s = ms / 1000, days = s / 86400;

	if (days > 0)
		snprintf(text, size, "%" PRId64 " d %" PRId64 " h", days,
			 s / 3600 % 24);
	else if (s >= 3600)
		snprintf(text, size, "%" PRId64 " h %" PRId64 " min", s / 3600,
			 s / 60 % 60);
	else if (s >= 60)
		snprintf(text, size, "%" PRId64 " min %" PRId64 " s", s / 60,
			 s % 60);
	else
		snprintf(text, size, "%" PRId64 ".%" PRId64 " s", s,
			 ms / 100 % 10);
}

/* What happened between two readings; false: nothing. */
static bool explain(const struct claw_soak_times *before,
		    const struct claw_soak_times *now, char *text, size_t size)
{
	int64_t ran = now->monotonic_ms - before->monotonic_ms;
	int64_t passed = now->boottime_ms - before->boottime_ms;
	int64_t slept = passed - ran;
	int64_t set = now->wall_ms - before->wall_ms - passed;
	int64_t slack = SLACK_MS + passed / SLEW_PART;
	char span[48], other[48];

	print_span(span, sizeof(span), slept);
	print_span(other, sizeof(other), llabs(set));
	if (slept > SLACK_MS && llabs(set) > slack)
		snprintf(text, size, "the machine slept for %s and its clock "
			 "was set %s by %s; neither counts as run time", span,
			 set > 0 ? "forward" : "back", other);
	else if (slept > SLACK_MS)
		snprintf(text, size, "the machine slept for %s; that does not "
			 "count as run time", span);
	else if (llabs(set) > slack)
		snprintf(text, size, "the machine's clock was set %s by %s; "
			 "that does not count as run time",
			 set > 0 ? "forward" : "back", other);
	else
		return false;
	return true;
}

bool claw_soak_clock_now(struct claw_soak_clock *clock, uint64_t *ret_t_ms,
			 int64_t *ret_wall_ms, char *text, size_t text_size)
{
	struct claw_soak_times before = clock->last, now;
	bool happened;

	clock->read(clock->user, &now);
	if (now.monotonic_ms < before.monotonic_ms)
		now.monotonic_ms = before.monotonic_ms;
	if (text_size > 0)
		text[0] = '\0';
	happened = explain(&before, &now, text, text_size);
	clock->last = now;
	*ret_t_ms = clock->begin_ms + (uint64_t)(now.monotonic_ms -
						 clock->first.monotonic_ms);
	*ret_wall_ms = now.wall_ms;
	return happened;
}

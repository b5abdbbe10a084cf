/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine's processors have done for all programs. */
#include "config.h"

#include "usage.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/files/small_file.h"

enum { STAT_BYTES = 4096 };

/* user nice system idle iowait irq softirq steal: what another machine on the
 * same hardware took is as little ours as what another program took. */
double claw_usage_machine_ms_at(const char *root)
{
	double user, nice, system, irq, softirq, steal;
	char text[STAT_BYTES];

	if (!claw_small_file_read(text, sizeof(text), "%s/proc/stat", root) ||
	    sscanf(text, "cpu %lf %lf %lf %*f %*f %lf %lf %lf", &user, &nice,
		   &system, &irq, &softirq, &steal) != 6)
		return NAN;
	return (user + nice + system + irq + softirq + steal) * 1000 /
		(double)sysconf(_SC_CLK_TCK);
}

double claw_usage_machine_ms(void)
{
	return claw_usage_machine_ms_at("");
}

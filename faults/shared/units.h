/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The units of durations and sizes, wherever one is read:
 *
 *	DURATION = NUMBER ( "ns" | "us" | "ms" | "s" | "m" | "min" | "h" | "d" )
 *	SIZE     = NUMBER ( "B" | "KiB" | "MiB" | "GiB" | "TiB" | "K" | "M" | "G"
 *			  | "T" | "KB" | "MB" | "GB" | "TB" )
 */
#ifndef CLAW_UNITS_H
#define CLAW_UNITS_H

#include <stddef.h>
#include <stdint.h>

struct claw_unit {
	const char *name;
	double factor;
};

extern const struct claw_unit claw_duration_units[];	/* in ns */
extern const struct claw_unit claw_size_units[];	/* in bytes */

/* Of the unit text[0..length); 0: it is none of them. */
double claw_unit_factor(const struct claw_unit *units, const char *text,
			size_t length);

enum { CLAW_SIZE_TEXT = 32 };
/* "512 MiB", "1.5 GiB", "16 B": exact, or one digit behind the point. */
const char *claw_size_text(uint64_t bytes, char text[CLAW_SIZE_TEXT]);
/* The same sizes as the logs have them: "512MB", "1GB". */
const char *claw_size_short(uint64_t bytes, char text[CLAW_SIZE_TEXT]);

#endif

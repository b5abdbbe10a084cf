/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of crash_rules.def. For crash*.c alone. */
#ifndef CLAW_CRASH_RULES_H
#define CLAW_CRASH_RULES_H

#include "crash_facts.h"

/* How it ended; code is the row's and may be changed. */
#define END(name_, class_, code_, percent_, text_)			\
	bool claw_end_##name_(const struct claw_crash_facts *facts,	\
			      const char **code);
#define CAUSE(...)
#include "crash_rules.def"
#undef END
#undef CAUSE

/* What a test says of a cause; what it leaves alone is the row's. */
struct claw_crash_note {
	unsigned int nth;	/* asked again from 0 while the test holds */
	FILE *detail;		/* behind the row's text and ": " */
	FILE *evidence;
	const char *code;
	unsigned int percent;
};

#define END(...)
#define CAUSE(name_, code_, percent_, text_)				\
	bool claw_cause_##name_(const struct claw_crash_facts *facts,	\
				struct claw_crash_note *note);
#include "crash_rules.def"
#undef END
#undef CAUSE

#endif
